import FencepostGeodesy
public import FencepostMonitoring
public import FencepostNotifications

extension StoryWatch {
  /// All that a watch knows between two events, in a form that can be saved.
  public struct Snapshot: Codable, Equatable, Sendable {
    /// What the engine knows.
    public internal(set) var engine: Engine.Snapshot
    /// What the policy remembers.
    public internal(set) var policy: AlertPolicy.State
    /// Identifies the stories and the rule by which the engine numbers and chooses them.
    var fingerprint: UInt64
    var visits: [String: StoryVisit]
    var lastFix: PhoneFix?
    var tripwire: Tripwire?
  }

  /// What the watch knows now.
  public var snapshot: Snapshot {
    Snapshot(
      engine: engine.snapshot, policy: policy.state, fingerprint: fingerprint, visits: visits,
      lastFix: lastFix, tripwire: tripwire)
  }

  /// Makes a watch that continues from a snapshot.
  ///
  /// The stories and the rules may be others. Then the engine begins anew at the last fix: a story that is new
  /// or was moved takes its side from there, silently, and one that is gone is forgotten. What has alerted stays
  /// known, by the stories' ids, and so do visits.
  public init(stories: PlaceIndex, options: Options = Options(), snapshot: Snapshot) {
    self.init(stories: stories, options: options)
    policy = AlertPolicy(options: options.alerts, state: snapshot.policy)
    visits = snapshot.visits.filter { stories.place(withID: $0.key) != nil }
    tripwire = snapshot.tripwire
    if snapshot.fingerprint == fingerprint,
      let engine = Engine(options: options.monitoring, snapshot: snapshot.engine)
    {
      self.engine = engine
      lastFix = snapshot.lastFix
    } else if let fix = snapshot.lastFix {
      beginAnew(at: fix)
    }
  }

  /// Follows other stories from the next fix on, as ``init(stories:options:snapshot:)`` does.
  public mutating func replaceStories(_ stories: PlaceIndex) {
    self = StoryWatch(stories: stories, options: options, snapshot: snapshot)
  }

  /// Adds what another watch of the same stories has seen since: its alerts, its visits and where it was last.
  mutating func merge(_ later: Snapshot) {
    guard let fix = later.lastFix else { return }
    policy = AlertPolicy(options: options.alerts, state: policy.state.merging(later.policy))
    visits.merge(later.visits) { _, later in later }
    tripwire = later.tripwire
    if later.fingerprint == fingerprint,
      let engine = Engine(options: options.monitoring, snapshot: later.engine)
    {
      self.engine = engine
      lastFix = fix
    }
  }

  private mutating func beginAnew(at fix: PhoneFix) {
    for event in advance(to: fix, startsSegment: false) {
      if case .refresh(let refresh) = event { note(refresh) }
    }
    for id in visits.keys { visits[id]?.isInsideByPath = false }
    for monitored in engine.monitoredRegions where monitored.isInside {
      guard let story = stories.place(forKey: monitored.region.key) else { continue }
      visits[story.id]?.isInsideByPath = true
    }
    lastFix = fix
  }

  /// - Complexity: O(n) in the number of stories.
  static func fingerprint(of stories: PlaceIndex, _ rule: MonitoringOptions) -> UInt64 {
    var hash = Fingerprint()
    hash.combine("\(rule)")
    for story in stories.places {
      hash.combine(story.id)
      hash.combine(story.coordinate.latitudeDegrees.bitPattern)
      hash.combine(story.coordinate.longitudeDegrees.bitPattern)
      hash.combine(story.radiusMeters.bitPattern)
    }
    return hash.value
  }
}

/// A hash that is the same in every run (FNV-1a, 64 bits).
private struct Fingerprint {
  var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    // No text contains this byte, so that two texts differ from one.
    combine(UInt8(0xFF))
  }

  mutating func combine(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      combine(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
