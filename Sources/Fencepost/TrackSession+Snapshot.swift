import FencepostFixes
import FencepostGeodesy
public import FencepostMonitoring
public import FencepostNotifications

extension TrackSession {
  /// The state of a session between two fixes, in a form that can be saved.
  ///
  /// Places are named by their ids, so that others may be added, removed or renumbered before it is restored.
  public struct Snapshot: Codable, Sendable {
    /// The engine's state.
    public internal(set) var engine: Engine.Snapshot
    /// The notification policy's state.
    public internal(set) var policy: AlertPolicy.State
    var account: Account
    var lastFix: LastFix?
    var everMonitored: [Int64]
    /// The ids of the same places, in order; nil if keys alone were saved.
    var everMonitoredIDs: [String?]?
    /// Nil if misses are not looked for, or if an older version saved it.
    var misses: MissWatch.Snapshot?
  }

  /// The parts of a summary that grow with the path.
  struct Account: Codable, Sendable {
    var segments: Int
    var firstMilliseconds: Int64?
    var lastMilliseconds: Int64?
    var refreshes: Int
    var enters: Int
    var exits: Int
    var alerts: Int
    var suppressed: [String: Int]
    /// Nil if none are looked for, or if an older version saved it.
    var dwells: Int?
  }

  /// The parts of the last fix that the next one is compared with.
  struct LastFix: Codable, Sendable {
    var latitude: Double
    var longitude: Double
    var timeMilliseconds: Int64?
    var segmentIndex: Int32
  }

  /// The state now; save it to continue after a restart.
  ///
  /// - Throws: The source's error, if it cannot say what a place is.
  public func snapshot() throws -> Snapshot {
    var snapshot = keyedSnapshot
    snapshot.engine = try snapshot.engine.named(by: follower.source)
    snapshot.everMonitoredIDs = try snapshot.everMonitored.map {
      try follower.source.place(forKey: $0)?.id
    }
    // These name places by key; what was missed so far stays counted.
    snapshot.misses?.forgetPlaces()
    return snapshot
  }

  /// The state now, which names places by their keys alone; for a source whose keys never change.
  package var keyedSnapshot: Snapshot {
    Snapshot(
      engine: follower.engine.snapshot, policy: follower.policy.state,
      account: Account(
        segments: summary.segments, firstMilliseconds: summary.firstMilliseconds,
        lastMilliseconds: summary.lastMilliseconds, refreshes: summary.refreshes,
        enters: summary.enters, exits: summary.exits, alerts: summary.alerts,
        suppressed: summary.suppressed, dwells: summary.dwells),
      lastFix: lastFix.map {
        LastFix(
          latitude: $0.coordinate.latitudeDegrees, longitude: $0.coordinate.longitudeDegrees,
          timeMilliseconds: $0.timeMilliseconds, segmentIndex: $0.segmentIndex)
      },
      everMonitored: everMonitored.sorted(), misses: missWatch?.snapshot ?? savedMisses)
  }

  /// Restores a session, which continues as the original would have.
  ///
  /// Places may have been added, removed or renumbered since. A place that is gone is forgotten. One that is new,
  /// moved or resized counts from the next refresh on; ``renew(emit:)`` refreshes at once.
  ///
  /// - Parameters:
  ///   - name: The track's name in every event.
  ///   - device: The device within the stream, if the stream carries several.
  ///   - source: Finds the places.
  ///   - options: The rules, the same as the original's.
  ///   - snapshot: The state to restore.
  /// - Throws: `SnapshotError`, and the source's error.
  public init(
    name: String, device: String? = nil, source: any PlaceSource, options: Options,
    snapshot: Snapshot
  ) throws {
    var keyed = snapshot
    keyed.engine = try snapshot.engine.keyed(by: source)
    if let ids = snapshot.everMonitoredIDs {
      keyed.everMonitored = try zip(ids, snapshot.everMonitored)
        .compactMap { try source.key(of: $0, formerly: $1) }
    }
    guard
      let session = TrackSession(
        name: name, device: device, source: source, options: options, keyed: keyed)
    else { throw SnapshotError.damaged }
    self = session
  }

  /// Restores a session whose places have the same keys; nil if the snapshot contradicts itself.
  package init?(
    name: String, device: String? = nil, source: any PlaceSource, options: Options,
    keyed snapshot: Snapshot
  ) {
    guard let engine = Engine(options: options.monitoring, snapshot: snapshot.engine) else {
      return nil
    }
    self.init(name: name, device: device, source: source, options: options)
    follower = Follower(engine, options.alerts, source: source, memory: snapshot.policy)
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
    batch = PathBatch(
      after: snapshot.lastFix.map {
        Fix(
          coordinate: Coordinate(latitudeDegrees: $0.latitude, longitudeDegrees: $0.longitude),
          timeMilliseconds: $0.timeMilliseconds, segmentIndex: $0.segmentIndex)
      })
    everMonitored = Set(snapshot.everMonitored)
    savedMisses = snapshot.misses
  }

  /// Makes a session that remembers only past alerts, for changed rules.
  package init(
    name: String, device: String?, source: any PlaceSource, options: Options,
    policy: AlertPolicy.State
  ) {
    self.init(name: name, device: device, source: source, options: options)
    follower = Follower(options.monitoring, options.alerts, source: source, memory: policy)
  }

  /// Forgets which places have been monitored but those that are, because the others were those of another store.
  package mutating func forgetEverMonitored() {
    everMonitored = Set(monitoredRegions.map(\.region.key))
  }

  /// The monitored regions, ascending by key, and whether the device is inside each.
  public var monitoredRegions: [(region: Region, isInside: Bool)] {
    follower.engine.monitoredRegions
  }

  /// Renews the monitored set at the last fix, as after an edit of the store.
  ///
  /// - Parameter emit: Receives the refresh, if a fix has been taken.
  public mutating func renew(emit: (Event) -> Void) {
    guard let lastFix else { return }
    follower.renew()
    missWatch?.renew()
    report(speed: Double(lastFix.speedMetersPerSecond), emit: emit)
  }
}
