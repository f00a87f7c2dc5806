public import FencepostGeodesy
public import FencepostNotifications

/// The analysis of one track: its numbers, verdicts and entries.
public struct TrackAnalysis: Sendable {
  /// A spot on the path where the device was in more circles than can be monitored.
  public struct Crowd: Equatable, Sendable {
    /// Where most circles contained the device.
    public var coordinate: Coordinate
    /// How many did.
    public var circles: Int

    /// Makes a crowd of its parts.
    public init(coordinate: Coordinate, circles: Int) {
      self.coordinate = coordinate
      self.circles = circles
    }
  }

  /// The numbers.
  public var account: TrackAccount
  /// Distance of the path from each story's centre in metres, by story; empty if not every story was measured.
  public var nearestMeters: [Double]
  /// Distance of the path from the centres of the stories of ``crossed``, in metres.
  public var crossedMeters: [Double]
  /// The verdicts on the stories whose circle the path was inside, ascending by story.
  public var crossed: [StoryVerdict]
  /// All entries, in order along the path.
  public var entries: [EntryRecord]
  /// Stories that alerted within a minute of one another, themselves or in another's group.
  public var moments: [[Int]]
  /// Where the device was in more circles than can be monitored, in order along the path.
  public var crowds: [Crowd]
  /// The path to draw: each unbroken piece, simplified; empty if none was asked for.
  public var lines: [[Coordinate]]
  /// The trials of each profile; empty if no phone was simulated.
  public var chances: [TrackChances] = []

  /// The stories that reached the person of this track, on the last of the person's tracks; else empty.
  public var reached: [StoryReach] = []
  /// The path in stretches; empty if every story was measured.
  var path: [PathTree] = []

  /// Makes an analysis of its parts.
  package init(
    account: TrackAccount, nearestMeters: [Double], crossed: [StoryVerdict],
    entries: [EntryRecord], moments: [[Int]], crowds: [Crowd], lines: [[Coordinate]]
  ) {
    self.account = account
    self.nearestMeters = nearestMeters
    self.crossed = crossed
    crossedMeters = nearestMeters.isEmpty ? [] : crossed.map { nearestMeters[$0.story] }
    self.entries = entries
    self.moments = moments
    self.crowds = crowds
    self.lines = lines
  }
}

extension [EntryRecord] {
  /// The stories that alerted within a minute of a moment's first alert, themselves or in another's group;
  /// without times, those that were entered on the way to the same fix.
  var alertMoments: [[Int]] {
    var moments: [[Int]] = []
    var first: EntryRecord?
    for entry in self where entry.isAlert || entry.suppression == .grouped {
      if let first, entry.isInMoment(of: first) {
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

extension EntryRecord {
  fileprivate func isInMoment(of first: EntryRecord) -> Bool {
    guard let start = first.timeMilliseconds, let time = timeMilliseconds else {
      return first.fix == fix
    }
    return time >= start && time - start <= 60_000
  }
}

/// One entry into a circle, as the oracle and the device saw it.
public struct EntryRecord: Equatable, Sendable {
  /// Whether the device noticed an entry.
  public enum Cause: String, CaseIterable, Sendable {
    /// It did, because the circle was monitored.
    case found
    /// It did at a later refresh, which found it inside.
    case late
    /// It did not.
    case missed
    /// It reported an entry that the oracle does not have.
    case extra
  }

  /// Why the circle was not among the monitored ones.
  public struct Ranking: Equatable, Sendable {
    /// The place's rank among all places, from 1, by the rule's distance.
    public var rank: Int
    /// The distance by which the place was ranked, in metres.
    public var distanceMeters: Double
    /// The distance of the last monitored place (the 20th of 20), in metres.
    public var lastDistanceMeters: Double
  }

  /// Index of the story.
  public var story: Int
  /// Index of the fix that ends the path's segment, from 0.
  public var fix: Int
  /// How far along that segment, 0 … 1.
  public var fraction: Double
  /// When, in milliseconds since 1970; nil without times.
  public var timeMilliseconds: Int64?
  /// Where.
  public var coordinate: Coordinate
  /// Whether the path was broken, so that only the states at both ends are known.
  public var acrossBreak: Bool
  /// Whether the device noticed it.
  public var cause: Cause
  /// Whether it alerted.
  public var isAlert = false
  /// When its alert is shown if not at once, in milliseconds since 1970.
  public var deliveryMilliseconds: Int64?
  /// Why it did not alert although the device noticed it.
  public var suppression: SuppressionReason?
  /// Whether it alerts where every place is monitored.
  public var isOracleAlert = false
  /// For a late entry: when a refresh found the device inside, in milliseconds since 1970.
  public var foundMilliseconds: Int64?
  /// For a late entry: the fix at which, or on the way to which, a refresh found the device inside.
  public var foundFix: Int?
  /// The speed there in metres a second: the receiver's, else that on the way to the next fix; nil if unknown.
  public var speedMetersPerSecond: Double?
  /// When the path came into the circle, in milliseconds since 1970: before the confirmation, where there is one;
  /// nil without times, and where exits alert.
  public var enteredMilliseconds: Int64?
  /// When the path left the circle again, in milliseconds since 1970; nil without times, or if it did not.
  public var leftMilliseconds: Int64?
  /// If not monitored: the ranking at the refresh before, which left the place out.
  public var atRefresh: Ranking?
  /// If not monitored: the ranking where the circle was entered.
  public var atEntry: Ranking?

  init(
    story: Int, fix: Int, fraction: Double, timeMilliseconds: Int64?, coordinate: Coordinate,
    acrossBreak: Bool, cause: Cause
  ) {
    self.story = story
    self.fix = fix
    self.fraction = fraction
    self.timeMilliseconds = timeMilliseconds
    self.coordinate = coordinate
    self.acrossBreak = acrossBreak
    self.cause = cause
  }
}
