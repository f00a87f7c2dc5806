package import FencepostGeodesy
package import FencepostNotifications

/// Everything that an analysis finds on one track.
///
/// Reports write it and forget it; only ``AnalysisTotals`` keeps sums of it.
package struct TrackAnalysis: Sendable {
  /// The track's summary: its names, its times and its sums.
  package var account: TrackAccount
  /// Distance from the path to each story's center in meters; empty if not all were measured.
  package var nearestMeters: [Double]
  /// Distance from the path to the centers of the stories in ``crossed``, in meters.
  package var crossedMeters: [Double]
  /// Verdicts on the stories whose circles contain part of the path, ascending.
  package var crossed: [StoryVerdict]
  /// Every entry into a circle, noticed or not, in path order.
  package var entries: [EntryRecord]
  /// Groups of stories that alerted, or joined another story's alert, within one minute.
  package var moments: [[Int]]
  /// Where the path was inside more circles than the phone can watch.
  package var crowds: [CrowdedSpot]
  /// The simplified path, one line per unbroken piece; empty if not requested.
  package var lines: [[Coordinate]]
  /// What each simulated phone showed, in the order of the profiles; empty if none was asked.
  package var chances: [TrackChances] = []

  /// The stories that alerted this person; filled only on the person's last track.
  package var reached: [StoryReach] = []
  /// The person's days by alerts, over all trials, by profile; filled like ``reached``.
  package var phoneDays: [String: [Int: Int]] = [:]
  /// The path's bounding balls; empty if every story was measured.
  var path: [PathTree] = []

  /// Creates an analysis without phones.
  ///
  /// Distances of crossed stories are taken from `nearestMeters`, if that is not empty.
  package init(
    account: TrackAccount, nearestMeters: [Double], crossed: [StoryVerdict],
    entries: [EntryRecord], moments: [[Int]], crowds: [CrowdedSpot], lines: [[Coordinate]]
  ) {
    (self.account, self.nearestMeters, self.crossed) = (account, nearestMeters, crossed)
    crossedMeters = nearestMeters.isEmpty ? [] : crossed.map { nearestMeters[$0.story] }
    (self.entries, self.moments, self.crowds, self.lines) = (entries, moments, crowds, lines)
  }
}

extension [EntryRecord] {
  /// Groups of stories that alerted within one minute of the group's first alert.
  ///
  /// Alerts that joined another story's alert count too. Without times, a group is the stories
  /// entered just before the same fix.
  var alertMoments: [[Int]] {
    var moments: [[Int]] = []
    var first: EntryRecord?
    for entry in self where entry.isAlert || entry.suppression == .grouped {
      let isTogether: Bool
      if let start = first?.timeMilliseconds, let time = entry.timeMilliseconds {
        isTogether = time >= start && time - start <= 60_000
      } else {
        isTogether = entry.fix == first?.fix
      }
      if isTogether {
        if !moments[moments.count - 1].contains(entry.story) {
          moments[moments.count - 1].append(entry.story)
        }
      } else {
        moments.append([entry.story])
        first = entry
      }
    }
    return moments
  }
}

/// A point of a path inside more circles than a phone can watch, on one track or over all.
///
/// No rule can watch all circles there, so only fewer or smaller circles help.
package struct CrowdedSpot: Equatable, Sendable {
  /// A cell of 0.001° that identifies a spot, with its edges in thousandths of a degree.
  ///
  /// Spots of one cell are joined, so that many walks through a square count as one spot.
  package struct Cell: Hashable, Comparable, Sendable {
    /// The southern edge in thousandths of a degree of latitude.
    package var south: Int
    /// The western edge in thousandths of a degree of longitude.
    package var west: Int

    /// The cell that contains a coordinate.
    package init(_ coordinate: Coordinate) {
      south = Int((coordinate.latitudeDegrees * 1000).rounded(.down))
      west = Int((coordinate.longitudeDegrees * 1000).rounded(.down))
    }

    /// Orders cells from south to north, then from west to east.
    package static func < (a: Cell, b: Cell) -> Bool { (a.south, a.west) < (b.south, b.west) }
  }

  /// The point inside the most circles.
  package var coordinate: Coordinate
  /// The number of circles that contain the point.
  package var circles: Int
  /// The number of tracks that pass the spot.
  package var tracks: Int

  /// Creates a spot, by default on one track.
  package init(coordinate: Coordinate, circles: Int, tracks: Int = 1) {
    (self.coordinate, self.circles, self.tracks) = (coordinate, circles, tracks)
  }

  /// Joins the same spot on other tracks, keeping the more crowded of the two points.
  package mutating func join(_ other: CrowdedSpot) {
    tracks += other.tracks
    // Break ties by position, so that the result does not depend on the order of tracks.
    let isBetter =
      (other.circles, -other.coordinate.latitudeDegrees, -other.coordinate.longitudeDegrees)
      > (circles, -coordinate.latitudeDegrees, -coordinate.longitudeDegrees)
    guard isBetter else { return }
    circles = other.circles
    coordinate = other.coordinate
  }
}

/// Why a story did or did not alert on one track, with its counts there.
///
/// Each story that a track enters or starts in has one. The verdict is the best that any of its
/// entries reached: an alert counts more than an entry held back, and that more than a late one.
package struct StoryVerdict: Equatable, Sendable {
  /// The story's index in the analysis.
  package var story: Int
  /// The verdict over all entries of the story.
  package var verdict: Verdict
  /// If the verdict is `suppressed`: why the first held-back entry did not alert.
  package var reason: SuppressionReason?
  /// The counts of the story's entries on the track.
  package var counts: EntryCounts
  /// Whether the first fix is inside the circle.
  package var isInsideAtStart: Bool
  /// The entry that decided the verdict, as an index into the track's entries; nil if none did.
  package var decidingEntry: Int?

  /// Decides the verdict from the track's entries; `indices` selects those of the story.
  package init(story: Int, entries: [EntryRecord], indices: [Int], isInsideAtStart: Bool) {
    self.story = story
    self.isInsideAtStart = isInsideAtStart
    counts = EntryCounts()
    for index in indices { counts.add(entries[index]) }
    if let index = indices.first(where: { entries[$0].isAlert }) {
      (verdict, decidingEntry) = (.alerted, index)
    } else if let index = indices.first(where: { entries[$0].suppression != nil }) {
      (verdict, decidingEntry) = (.suppressed, index)
      reason = entries[index].suppression
    } else if let index = indices.first(where: { entries[$0].cause == .late }) {
      (verdict, decidingEntry) = (.late, index)
    } else if let index = indices.first {
      (verdict, decidingEntry) = (.missed, index)
    } else {
      (verdict, decidingEntry) = (isInsideAtStart ? .insideAtStart : .neverCrossed, nil)
    }
  }
}

extension StoryVerdict {
  /// Returns the verdicts on all stories whose circles contain part of the path, ascending.
  static func all(of entries: [EntryRecord], insideAtStart: [Int]) -> [StoryVerdict] {
    var indices: [Int: [Int]] = [:]
    for (offset, entry) in entries.enumerated() { indices[entry.story, default: []].append(offset) }
    let inside = Set(insideAtStart)
    for story in inside where indices[story] == nil { indices[story] = [] }
    return indices.sorted { $0.key < $1.key }.map { story, entriesOfStory in
      StoryVerdict(
        story: story, entries: entries, indices: entriesOfStory,
        isInsideAtStart: inside.contains(story))
    }
  }
}

/// Why a story did or did not alert on a track.
///
/// If the path enters a story several times, the first case that fits any entry applies.
package enum Verdict: String, CaseIterable, Sendable {
  /// At least one entry alerted.
  case alerted
  /// The circle was watched, but the alert rules held back every alert.
  case suppressed
  /// The circle was not watched on arrival, and a later lookup found the phone inside.
  case late
  /// The circle was not watched, and the phone left it unnoticed.
  case missed
  /// The track began inside the circle and never came in from outside.
  case insideAtStart = "inside-at-start"
  /// The path was never inside the circle.
  case neverCrossed = "never-crossed"
}

/// On how many tracks a story had each verdict, or how many stories had it on a track.
///
/// A verdict that is not set counts 0.
package struct VerdictCounts: Equatable, Sendable {
  // A plain integer, because almost every story on almost every track has this verdict.
  private var neverCrossed = 0
  private var crossed: [Verdict: Int] = [:]

  /// Creates counts of nothing.
  package init() {}

  /// The number of a verdict, which may be set to 0.
  package subscript(verdict: Verdict) -> Int {
    get { verdict == .neverCrossed ? neverCrossed : crossed[verdict, default: 0] }
    set {
      if verdict == .neverCrossed {
        neverCrossed = newValue
      } else {
        crossed[verdict] = newValue == 0 ? nil : newValue
      }
    }
  }

  /// The number of verdicts other than `neverCrossed`.
  var crossedCount: Int { crossed.values.reduce(0, +) }

  /// Adds the counts of other tracks or stories.
  package static func += (counts: inout VerdictCounts, other: VerdictCounts) {
    counts.neverCrossed += other.neverCrossed
    for (verdict, count) in other.crossed { counts.crossed[verdict, default: 0] += count }
  }
}

/// One entry into a circle, as the phone and a run that watches every place saw it.
///
/// It is the most detailed result of an analysis: verdicts, counts and reports all come from the
/// list of a track's entries.
package struct EntryRecord: Equatable, Sendable {
  /// How the entry came to be noticed, or why it was not.
  ///
  /// Only `late` and `missed` lose something that the phone could have shown.
  package enum Cause: String, CaseIterable, Sendable {
    /// The circle was watched when the path entered it.
    case found
    /// A later lookup found the phone already inside.
    case late
    /// The circle was not watched before the path had left it again.
    case missed
    /// The phone reported an entry that a run that watches every place does not.
    case extra
  }

  /// A place's rank among all places, seen from one point.
  ///
  /// It explains why a circle was not watched: its rank was beyond the number of places that the
  /// phone watches.
  package struct Ranking: Equatable, Sendable {
    /// The rank among all places by the rule's distance, starting at 1.
    package var rank: Int
    /// The distance that decided the rank, in meters.
    package var distanceMeters: Double
    /// The distance of the farthest watched place (the 20th of 20), in meters.
    package var lastDistanceMeters: Double
  }

  /// The story's index in the analysis.
  package var story: Int
  /// The fix that ends the path segment, counted from 0.
  package var fix: Int
  /// Position along that segment, 0 to 1.
  package var fraction: Double
  /// Milliseconds since 1970; nil if the track has no times.
  package var timeMilliseconds: Int64?
  /// The point of the entry on the path.
  package var coordinate: Coordinate
  /// Whether the path has a gap here, so that only the states before and after are known.
  package var isAcrossBreak: Bool
  /// How it was noticed, or why not.
  package var cause: Cause
  /// Whether the phone alerts at it.
  package var isAlert = false
  /// When a delayed alert is shown, in milliseconds since 1970; nil if it is shown at once.
  package var deliveryMilliseconds: Int64?
  /// Why the alert rules held it back; nil if they did not, or were not asked.
  package var suppression: SuppressionReason?
  /// Whether it alerts under the same rules if every place is watched.
  package var isDue = false
  /// For a late entry: when a lookup found the phone inside, in milliseconds since 1970.
  package var foundMilliseconds: Int64?
  /// For a late entry: the fix at which, or just before which, a lookup found the phone inside.
  package var foundFix: Int?
  /// Speed in m/s, from the receiver or else computed up to the next fix; nil if unknown.
  package var speedMetersPerSecond: Double?
  /// When the path entered, before any confirmation delay, in milliseconds since 1970.
  ///
  /// Nil if the track has no times, or if exits alert.
  package var enteredMilliseconds: Int64?
  /// When the path left the circle, in milliseconds since 1970; nil if unknown or still inside.
  package var leftMilliseconds: Int64?
  /// For an unwatched circle: its ranking at the last lookup, which left it out.
  package var atRefresh: Ranking?
  /// For an unwatched circle: its ranking at the point of entry.
  package var atEntry: Ranking?

  init(
    story: Int, fix: Int, fraction: Double, timeMilliseconds: Int64?, coordinate: Coordinate,
    isAcrossBreak: Bool, cause: Cause
  ) {
    (self.story, self.fix, self.fraction) = (story, fix, fraction)
    (self.timeMilliseconds, self.coordinate) = (timeMilliseconds, coordinate)
    (self.isAcrossBreak, self.cause) = (isAcrossBreak, cause)
  }
}
