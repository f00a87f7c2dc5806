import FencepostFixes
import FencepostGeodesy
public import FencepostMonitoring
public import FencepostNotifications

extension TrackSession {
  /// The state of a session between two fixes, in a form that can be saved.
  public struct Snapshot: Codable, Sendable {
    /// The engine's state.
    public internal(set) var engine: Engine.Snapshot
    /// The notification policy's state.
    public internal(set) var policy: AlertPolicy.State
    var account: Account
    var lastFix: LastFix?
    var everMonitored: [Int64]
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

  /// The state now.
  public var snapshot: Snapshot {
    Snapshot(
      engine: engine.snapshot, policy: policy.policy.state,
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
      everMonitored: everMonitored.sorted)
  }

  /// Restores a session; nil if the snapshot contradicts itself, as a damaged one may.
  ///
  /// - Parameters:
  ///   - name: The track's name in every event.
  ///   - device: The device within the stream, if the stream carries several.
  ///   - source: Finds the places.
  ///   - options: The rules, the same as the original's.
  ///   - snapshot: The state to restore.
  public init?(
    name: String, device: String? = nil, source: any PlaceSource, options: Options,
    snapshot: Snapshot
  ) {
    guard let engine = Engine(options: options.monitoring, snapshot: snapshot.engine) else {
      return nil
    }
    self.init(name: name, device: device, source: source, options: options)
    self.engine = engine
    policy = EntryPolicy(options: options.alerts, state: snapshot.policy)
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
    lastFix = snapshot.lastFix.map {
      Fix(
        coordinate: Coordinate(latitudeDegrees: $0.latitude, longitudeDegrees: $0.longitude),
        timeMilliseconds: $0.timeMilliseconds, segmentIndex: $0.segmentIndex)
    }
    everMonitored = PlaceKeySet(snapshot.everMonitored)
  }

  /// Makes a session that remembers only past alerts, for changed rules.
  package init(
    name: String, device: String?, source: any PlaceSource, options: Options,
    policy: AlertPolicy.State
  ) {
    self.init(name: name, device: device, source: source, options: options)
    self.policy = EntryPolicy(options: options.alerts, state: policy)
  }

  /// Forgets which places have been monitored but those that are, because the others were those of another store.
  package mutating func forgetEverMonitored() {
    everMonitored = PlaceKeySet(monitoredRegions.map(\.region.key))
  }

  /// The monitored regions, ascending by key, and whether the device is inside each.
  public var monitoredRegions: [(region: Region, isInside: Bool)] { engine.monitoredRegions }

  /// Renews the monitored set at the last fix, as after an edit of the store.
  ///
  /// - Parameter emit: Receives the refresh, if a fix has been taken.
  public mutating func renew(emit: (Event) -> Void) {
    guard let lastFix else { return }
    var request = engine.renew(into: &found)
    while let asked = request {
      request = engine.resume(with: source.answer(asked), into: &found)
    }
    report(at: lastFix, emit: emit)
    found.removeAll(keepingCapacity: true)
  }
}
