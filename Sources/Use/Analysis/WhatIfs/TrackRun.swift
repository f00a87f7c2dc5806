import FencepostSession
package import FencepostGeodesy
import FencepostMonitoring
import FencepostTime

/// Everything that happened to the phone on one track, in path order.
///
/// Story numbers are indices into the run's ``StoryIndex``. A position on the path is the fix that
/// ends a segment and a fraction of that segment, 0 to 1.
package struct TrackRun: Equatable, Sendable {
  /// A lookup of the nearest places, which replaces the watched circles.
  ///
  /// The studio draws lookups on the map. A later what-if decides by their distances whether an
  /// edit can change the run.
  package struct RefreshRecord: Equatable, Sendable {
    /// The fix at which, or just before which, the lookup happened.
    package var fix: Int
    /// How far along the segment that ends at the fix, 0 to 1.
    package var fraction: Double
    /// Milliseconds since 1970; nil if the track has no times.
    package var timeMilliseconds: Int64?
    /// The point from which places were ranked.
    package var coordinate: Coordinate
    /// The newly watched stories, ascending.
    package var added: [Int]
    /// The stories no longer watched, ascending.
    package var removed: [Int]
    /// Distance to the farthest watched center in meters; nil if no places, or all, are watched.
    package var radiusMeters: Double?
    /// Distance to the nearest unwatched edge in meters.
    ///
    /// Infinite if every edge is watched; nil if the rule does not need it.
    package var reachMeters: Double?
    /// The length of the path from here to the next lookup, in meters.
    package var nextMeters: Double?
    /// Whether the store failed, which left the watched circles unchanged.
    package var hasFailed: Bool
    /// Stories farther away than this, in meters by the rule's distance, cannot affect the lookup.
    var influenceMeters: Double
  }

  /// A crossing of a circle's edge, whether or not the circle was watched.
  ///
  /// Entries and exits of one story alternate, except that a story that contains the first fix
  /// begins with an exit.
  package struct Edge: Equatable, Sendable {
    /// The story's number in the run's index.
    package var story: Int
    /// The fix that ends the segment that crosses the edge.
    package var fix: Int
    /// How far along that segment the edge is crossed, 0 to 1.
    package var fraction: Double
    /// Whether the path goes into the circle.
    package var isEntry: Bool
  }

  /// Every entry, noticed or not, in path order.
  package var entries: [EntryRecord] = []
  /// Lookups in path order; empty if every place is watched.
  package var refreshLog: [RefreshRecord] = []
  /// The number of lookups, also if every place is watched.
  package var refreshes = 0
  /// All edge crossings in path order, as if every place were watched.
  package var edges: [Edge] = []
  /// The stories that contain the first fix, ascending.
  package var insideAtStart: [Int] = []
  /// The fixes that follow a gap, ascending; never the first fix.
  package var breaks: [Int] = []
  /// The counts of the entries.
  package var counts = EntryCounts()
  /// The length of the path in meters, without gaps.
  package var lengthMeters = 0.0
  /// Whether the run certainly missed nothing; nil if the rule cannot tell.
  package var isCertified: Bool?
}

extension TrackRun {
  /// Returns whether changing a story's circle may change this run; false only if it cannot.
  ///
  /// A phone that may alert up to `marginMeters` outside a circle sees it from there.
  func maySee(
    _ circles: [Circle], on track: RecordedTrack, rule: MonitoringOptions, marginMeters: Double
  ) -> Bool {
    // These settings make a crossing depend on fixes before or after it, so follow the track again.
    guard !rule.confirmation.isNeeded, rule.test == .path, rule.exitMarginMeters == 0,
      !rule.trustsAccuracy
    else { return true }
    let margin = marginMeters + Self.slackMeters
    if circles.contains(where: { track.hull.mayCome(within: margin, of: $0) }) {
      return true
    }
    guard rule.limit != nil else { return false }
    return refreshLog.contains { record in
      guard !record.hasFailed, record.influenceMeters.isFinite else { return true }
      let position = Position(record.coordinate)
      return circles.contains { circle in
        let distance =
          rule.effectiveRank == .center
          ? circle.distanceMeters(from: position) : circle.edgeDistanceMeters(from: position)
        return distance <= record.influenceMeters + Self.slackMeters
      }
    }
  }

  /// Whether the path runs straight to a fix from the one before.
  func joins(_ fix: Int) -> Bool {
    let next = breaks.partitioningIndex { $0 >= fix }
    return fix > 0 && !(next < breaks.count && breaks[next] == fix)
  }

  /// Exceeds any rounding error in a distance.
  static let slackMeters = 0.01

  mutating func renumber(_ number: (Int) -> Int) {
    for index in entries.indices { entries[index].story = number(entries[index].story) }
    for index in edges.indices { edges[index].story = number(edges[index].story) }
    for index in refreshLog.indices {
      refreshLog[index].added = refreshLog[index].added.map(number)
      refreshLog[index].removed = refreshLog[index].removed.map(number)
    }
    insideAtStart = insideAtStart.map(number)
  }
}
