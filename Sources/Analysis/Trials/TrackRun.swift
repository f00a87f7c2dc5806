import Fencepost
package import FencepostGeodesy
import FencepostMonitoring

/// Everything that happened to a device on one track, moment by moment.
///
/// Stories are numbered as in the ``StoryIndex`` of the run.
package struct TrackRun: Equatable, Sendable {
  /// A refresh of the monitored set.
  package struct Renewal: Equatable, Sendable {
    /// Index of the fix that ends the path's segment.
    package var fix: Int
    /// How far along that segment, 0 … 1.
    package var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    package var timeMilliseconds: Int64?
    /// Where.
    package var coordinate: Coordinate
    /// The stories that came into the set, ascending.
    package var added: [Int]
    /// The stories that left it, ascending.
    package var removed: [Int]
    /// Distance to the farthest monitored centre in metres; nil if nothing or everything is monitored.
    package var radiusMeters: Double?
    /// Distance to the nearest unmonitored edge in metres, infinite if every edge is monitored; nil if the rule
    /// does not ask for it.
    package var reachMeters: Double?
    /// How far the path goes from here before the set is renewed, in metres.
    package var nextMeters: Double?
    /// Whether the store did not answer, so that the set stayed as it was.
    package var hasFailed: Bool
    /// A story that is farther away, by the rule's distance, changes nothing here, in metres.
    var influenceMeters: Double
  }

  /// The path crossed a circle's edge, whether or not the circle was monitored.
  package struct Edge: Equatable, Sendable {
    /// The story.
    package var story: Int
    /// Index of the fix that ends the path's segment.
    package var fix: Int
    /// How far along that segment, 0 … 1.
    package var fraction: Double
    /// Whether the path came in.
    package var isEnter: Bool
  }

  /// The entries, in order along the path.
  package var entries: [EntryRecord] = []
  /// The refreshes, in order along the path; none if every place is monitored.
  package var renewals: [Renewal] = []
  /// The crossings of edges with every place monitored, in order along the path.
  package var edges: [Edge] = []
  /// The stories that contained the first fix, ascending.
  package var insideAtStart: [Int] = []
  /// The fixes that are not joined to the one before, ascending; the first fix is not among them.
  package var breaks: [Int] = []
  /// The counts of the entries.
  package var counts = EntryCounts()
  /// Length of the joined path in metres.
  package var lengthMeters = 0.0
  /// Whether certainly nothing was missed; nil if the rule cannot know.
  package var isCertified: Bool?
}

extension TrackRun {
  /// Whether a story that comes, goes or changes may change this run.
  ///
  /// - Parameters:
  ///   - circles: The story's circle before and after.
  ///   - track: The track of the run.
  ///   - rule: The rule of the run.
  /// - Returns: False only if the run certainly stays the same.
  func maySee(_ circles: [Circle], on track: RecordedTrack, rule: MonitoringOptions) -> Bool {
    // Stages behind the crossing look back and ahead; they are followed anew.
    guard !rule.confirmation.isNeeded, rule.test == .path, rule.exitMarginMeters == 0,
      !rule.trustsAccuracy
    else { return true }
    if circles.contains(where: { track.hull.mayCome(within: Self.slackMeters, of: $0) }) {
      return true
    }
    guard rule.limit != nil else { return false }
    return renewals.contains { renewal in
      guard !renewal.hasFailed, renewal.influenceMeters.isFinite else { return true }
      let position = Position(renewal.coordinate)
      return circles.contains { circle in
        let distance =
          rule.effectiveRank == .center
          ? circle.distanceMeters(from: position) : circle.edgeDistanceMeters(from: position)
        return distance <= renewal.influenceMeters + Self.slackMeters
      }
    }
  }

  /// More than any rounding of a distance.
  private static let slackMeters = 0.01

  /// The run with other numbers for its stories.
  mutating func renumber(_ number: (Int) -> Int) {
    for index in entries.indices { entries[index].story = number(entries[index].story) }
    for index in edges.indices { edges[index].story = number(edges[index].story) }
    for index in renewals.indices {
      renewals[index].added = renewals[index].added.map(number)
      renewals[index].removed = renewals[index].removed.map(number)
    }
    insideAtStart = insideAtStart.map(number)
  }
}
