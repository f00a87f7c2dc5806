import Fencepost
public import FencepostGeodesy
import FencepostMonitoring

/// Everything that happened to a device on one track, moment by moment.
///
/// Stories are numbered as in the ``StoryIndex`` of the run.
public struct TrackRun: Equatable, Sendable {
  /// A refresh of the monitored set.
  public struct Renewal: Equatable, Sendable {
    /// Index of the fix that ends the path's segment.
    public var fix: Int
    /// How far along that segment, 0 … 1.
    public var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where.
    public var coordinate: Coordinate
    /// The stories that came into the set, ascending.
    public var added: [Int]
    /// The stories that left it, ascending.
    public var removed: [Int]
    /// Distance to the farthest monitored centre in metres; nil if nothing or everything is monitored.
    public var radiusMeters: Double?
    /// Distance to the nearest unmonitored edge in metres, infinite if every edge is monitored; nil if the rule
    /// does not ask for it.
    public var reachMeters: Double?
    /// How far the path goes from here before the set is renewed, in metres.
    public var nextMeters: Double?
    /// Whether the store did not answer, so that the set stayed as it was.
    public var hasFailed: Bool
    /// A story that is farther away, by the rule's distance, changes nothing here, in metres.
    var influenceMeters: Double
  }

  /// The path crossed a circle's edge, whether or not the circle was monitored.
  public struct Edge: Equatable, Sendable {
    /// The story.
    public var story: Int
    /// Index of the fix that ends the path's segment.
    public var fix: Int
    /// How far along that segment, 0 … 1.
    public var fraction: Double
    /// Whether the path came in.
    public var isEnter: Bool
  }

  /// The entries, in order along the path.
  public var entries: [EntryRecord] = []
  /// The refreshes, in order along the path; none if every place is monitored.
  public var renewals: [Renewal] = []
  /// The crossings of edges with every place monitored, in order along the path.
  public var edges: [Edge] = []
  /// The stories that contained the first fix, ascending.
  public var insideAtStart: [Int] = []
  /// The fixes that are not joined to the one before, ascending; the first fix is not among them.
  public var breaks: [Int] = []
  /// The counts of the entries.
  public var counts = EntryCounts()
  /// Length of the joined path in metres.
  public var lengthMeters = 0.0
  /// Whether certainly nothing was missed; nil if the rule cannot know.
  public var isCertified: Bool?
}

extension TrackRun {
  /// How often each story alerted, by number; stories that never did are left out.
  public var alertsByStory: [Int: Int] {
    entries.reduce(into: [:]) { counts, entry in
      if entry.isAlert { counts[entry.story, default: 0] += 1 }
    }
  }

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

/// The refreshes of one device, as they happen.
struct RenewalLog {
  private(set) var renewals: [TrackRun.Renewal] = []

  /// Takes the next refresh.
  mutating func append(_ renewal: TrackRun.Renewal) {
    // The engine has gone on to the fix: of several refreshes on the way the last one knows its next.
    if let last = renewals.last, last.fix == renewal.fix {
      renewals[renewals.count - 1].nextMeters = Geodesic.distanceMeters(
        last.coordinate, renewal.coordinate)
    }
    renewals.append(renewal)
  }

  /// A refresh as a device has taken it over.
  static func renewal(_ refresh: Refresh, at fix: Int, of device: DeviceRun) -> TrackRun.Renewal {
    func stories(_ keys: [Int64]) -> [Int] {
      keys.compactMap { device.index.index(ofKey: $0) }.sorted()
    }
    return TrackRun.Renewal(
      fix: fix, fraction: refresh.fraction, timeMilliseconds: refresh.timeMilliseconds,
      coordinate: refresh.coordinate, added: stories(refresh.added),
      removed: stories(refresh.removed), radiusMeters: refresh.radiusMeters,
      reachMeters: refresh.reachMeters, nextMeters: device.renewalMeters,
      hasFailed: refresh.hasFailed, influenceMeters: influenceMeters(of: refresh, on: device))
  }

  /// The rule's distance beyond which no place could have changed the answer; infinite if slots are free.
  private static func influenceMeters(of refresh: Refresh, on device: DeviceRun) -> Double {
    guard let slots = device.options.slots, slots > 0, refresh.monitored >= slots else {
      return .infinity
    }
    if device.options.refresh == .adaptive { return refresh.reachMeters ?? .infinity }
    if device.options.rank == .center { return refresh.radiusMeters ?? .infinity }
    let position = Position(refresh.coordinate)
    return device.monitored.map { device.index.circle(of: $0).edgeDistanceMeters(from: position) }
      .max() ?? .infinity
  }
}
