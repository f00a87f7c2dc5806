import FencepostGeodesy
public import FencepostMonitoring

extension StoryWatch {
  /// The state of a watch, for saving it between events.
  ///
  /// It can be saved as JSON. A watch with other stories or rules can continue from it.
  public struct Snapshot: Codable, Equatable, Sendable {
    /// The state of the engine.
    public internal(set) var engine: Engine.Snapshot
    /// The alert policy's memory.
    public internal(set) var policy: AlertPolicy.State
    /// Identifies the stories and the rule to which the engine's state belongs.
    var fingerprint: UInt64
    /// The visits that are not over, by story id.
    package var visits: [String: StoryVisit]
    /// The last accepted fix; nil before the first.
    package var lastFix: PhoneFix?
    /// The circle around the phone whose exit triggers a lookup; nil if no exit does.
    package var tripwire: Tripwire?
  }

  /// The current state.
  public var snapshot: Snapshot {
    Snapshot(
      engine: run.engine.snapshot, policy: run.memory, fingerprint: fingerprint, visits: visits,
      lastFix: lastFix, tripwire: tripwire)
  }

  /// Creates a watch that continues from a snapshot.
  ///
  /// Stories and rules may have changed. If so, the engine restarts at the last fix. New and moved
  /// stories begin silently inside or outside, and removed ones are forgotten. Past alerts and
  /// visits are kept by story id.
  public init(
    stories: PlaceIndex, options: StoryWatchOptions = StoryWatchOptions(), snapshot: Snapshot
  ) {
    self.init(stories: stories, options: options)
    run.memory = snapshot.policy
    visits = snapshot.visits.filter { stories.place(withID: $0.key) != nil }
    tripwire = snapshot.tripwire
    if snapshot.fingerprint == fingerprint,
      let run = PathRun(
        options.monitoring, options.alerts, memory: snapshot.policy, continuing: snapshot.engine)
    {
      self.run = run
      lastFix = snapshot.lastFix
    } else if let fix = snapshot.lastFix {
      beginAnew(at: fix)
    }
  }

  /// Replaces the stories, as ``init(stories:options:snapshot:)`` does.
  public mutating func replaceStories(_ stories: PlaceIndex) {
    self = StoryWatch(stories: stories, options: options, snapshot: snapshot)
  }

  /// Adds the alerts, visits and position of a later snapshot of the same stories.
  package mutating func merge(_ later: Snapshot) {
    guard let fix = later.lastFix else { return }
    run.memory = run.memory.merging(later.policy)
    visits.merge(later.visits) { _, later in later }
    tripwire = later.tripwire
    if later.fingerprint == fingerprint,
      let run = PathRun(
        options.monitoring, options.alerts, memory: run.memory, continuing: later.engine)
    {
      self.run = run
      lastFix = fix
    }
  }

  private mutating func beginAnew(at fix: PhoneFix) {
    advance(to: fix, startsSegment: false)
    for event in run.events {
      if case .refresh(let refresh) = event { note(refresh) }
    }
    for id in visits.keys { visits[id]?.isInsideByPath = false }
    for monitored in run.engine.monitoredRegions where monitored.isInside {
      guard let story = stories.place(forKey: monitored.region.key) else { continue }
      visits[story.id]?.isInsideByPath = true
    }
    lastFix = fix
  }

  static func fingerprint(of stories: PlaceIndex, _ rule: MonitoringOptions) -> UInt64 {
    var hash = StableHash()
    // This byte never occurs in UTF-8, so it separates texts.
    func combine(_ text: String) { hash.combine(Array(text.utf8) + [0xFF]) }
    func combine(_ number: Double) {
      hash.combine((0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) })
    }
    // The names of types and members are in it: renaming one lets every app begin anew.
    combine("\(rule)")
    for story in stories.places {
      combine(story.id)
      combine(story.coordinate.latitudeDegrees)
      combine(story.coordinate.longitudeDegrees)
      combine(story.radiusMeters)
    }
    return hash.value
  }
}
