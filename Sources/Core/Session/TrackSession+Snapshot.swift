import FencepostFixes
import FencepostGeodesy
public import FencepostMonitoring
public import FencepostNotifications

extension TrackSession {
  /// The state of a session between two fixes, for saving; it refers to places by id.
  ///
  /// It can be saved as JSON. A session with the same options continues from it.
  public struct Snapshot: Codable, Sendable {
    /// The state of the engine.
    public internal(set) var engine: Engine.Snapshot
    /// The state of the alert policy.
    public internal(set) var policy: AlertPolicy.State
    var account: Account
    var lastFix: LastFix?
    /// The keys of all places that were ever watched, ascending.
    var everMonitored: [Int64]
    /// The ids for ``everMonitored``, in the same order; nil if only keys were saved.
    var everMonitoredIDs: [String?]?
    /// Nil if misses are not counted or an older version saved the session.
    var misses: MissCounter.Snapshot?
  }

  /// The parts of a summary that grow along the path.
  struct Account: Codable, Sendable {
    var segments: Int
    var firstMilliseconds: Int64?
    var lastMilliseconds: Int64?
    var refreshes: Int
    var enters: Int
    var exits: Int
    var alerts: Int
    var suppressed: [String: Int]
    /// Nil if dwells are not counted or an older version saved the session.
    var dwells: Int?
    /// Nil if an older version saved the session.
    var breaks: BreakCounts?
  }

  /// What the path needs of the last fix to go on from it.
  struct LastFix: Codable, Sendable {
    var latitude: Double
    var longitude: Double
    var timeMilliseconds: Int64?
    var segmentIndex: Int32

    init(_ fix: Fix) {
      latitude = fix.coordinate.latitudeDegrees
      longitude = fix.coordinate.longitudeDegrees
      timeMilliseconds = fix.timeMilliseconds
      segmentIndex = fix.segmentIndex
    }

    var fix: Fix {
      Fix(
        coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
        timeMilliseconds: timeMilliseconds, segmentIndex: segmentIndex)
    }
  }

  /// Returns the current state; save it to continue after a restart.
  ///
  /// - Throws: The error of the source, if it cannot look up a place.
  public func snapshot() throws -> Snapshot {
    var snapshot = keyedSnapshot
    snapshot.engine = try snapshot.engine.named(by: source)
    snapshot.everMonitoredIDs = try snapshot.everMonitored.map {
      try source.place(forKey: $0)?.id
    }
    // Misses refer to places by key; only their counts are saved.
    snapshot.misses?.unnoticed = []
    snapshot.misses?.engine = nil
    return snapshot
  }

  /// The current state with places by key only, for sources whose keys never change.
  package var keyedSnapshot: Snapshot {
    Snapshot(
      engine: run.engine.snapshot, policy: run.memory,
      account: Account(
        segments: summary.segments, firstMilliseconds: summary.firstMilliseconds,
        lastMilliseconds: summary.lastMilliseconds, refreshes: summary.refreshes,
        enters: summary.enters, exits: summary.exits, alerts: summary.alerts,
        suppressed: summary.suppressed, dwells: summary.dwells, breaks: breaks),
      lastFix: lastFix.map(LastFix.init),
      everMonitored: everMonitored.sorted(), misses: missCounter?.snapshot ?? savedMisses)
  }

  /// Restores a session, which continues as the original would have.
  ///
  /// Places may have been added, removed or renumbered since. Removed places are forgotten. New,
  /// moved or resized places count from the next lookup; ``refresh(emit:)`` makes one at once. The
  /// options must be those of the original session.
  ///
  /// - Throws: `SnapshotError`, or the error of the source.
  public init(
    name: String, device: String? = nil, source: any PlaceSource, options: TrackSessionOptions,
    snapshot: Snapshot
  ) throws {
    guard
      let session = TrackSession(
        name: name, device: device, source: source, options: options,
        keyed: try snapshot.keyed(by: source))
    else { try SnapshotError.damaged.raise() }
    self = session
  }

  /// Restores a session whose place keys are unchanged; nil if the snapshot is inconsistent.
  package init?(
    name: String, device: String? = nil, source: any PlaceSource, options: TrackSessionOptions,
    keyed snapshot: Snapshot
  ) {
    guard
      let run = PathRun(
        options.monitoring, options.alerts, alertsOn: options.alertsOn, memory: snapshot.policy,
        continuing: snapshot.engine)
    else { return nil }
    self.init(name: name, device: device, source: source, options: options)
    self.run = run
    let account = snapshot.account
    summary.segments = account.segments
    summary.firstMilliseconds = account.firstMilliseconds
    summary.lastMilliseconds = account.lastMilliseconds
    summary.refreshes = account.refreshes
    summary.enters = account.enters
    summary.exits = account.exits
    summary.alerts = account.alerts
    summary.suppressed = account.suppressed
    if summary.dwells != nil { summary.dwells = account.dwells ?? 0 }
    earlierBreaks = account.breaks ?? BreakCounts()
    batch = PathBatch(after: snapshot.lastFix?.fix)
    everMonitored = Set(snapshot.everMonitored)
    savedMisses = snapshot.misses
  }

  /// Creates a session with new rules that remembers only past alerts.
  package init(
    name: String, device: String?, source: any PlaceSource, options: TrackSessionOptions,
    policy: AlertPolicy.State
  ) {
    self.init(name: name, device: device, source: source, options: options)
    run.memory = policy
  }

  /// Keeps only the places watched now; the others came from a different store.
  package mutating func forgetEverMonitored() {
    everMonitored = Set(monitoredRegions.map { $0.region.key })
  }
}

extension TrackSession.Snapshot {
  /// The same state with the current keys of its places.
  ///
  /// - Throws: `SnapshotError`, or the error of the source.
  package func keyed(by source: any PlaceSource) throws -> Self {
    var keyed = self
    keyed.engine = try engine.keyed(by: source)
    if let ids = everMonitoredIDs {
      keyed.everMonitored = try zip(ids, everMonitored)
        .compactMap { try source.key(of: $0, formerly: $1) }
    }
    return keyed
  }
}
