#if STAND_INS || canImport(CoreLocation) && !os(watchOS) && !os(tvOS) && !os(visionOS)
import FencepostGeodesy
public import FencepostNotifications
import Foundation

#if STAND_INS
import CoreLocationStandIn
#else
import CoreLocation
#endif

/// A phone that monitors regions with `CLMonitor` and gets its fixes from ``CoreLocationPhone``.
///
/// The monitor keeps its conditions and their last states between launches. Call ``start()`` soon
/// after each launch, or the system stops watching once an event is waiting. Conditions of other
/// monitors are invisible; if the app has any, lower `StoryAlertsOptions.regionLimit`.
@available(iOS 17, macOS 14, *)
@available(iOSApplicationExtension, unavailable)
@MainActor
public final class ConditionPhone: LocationPhone {
  /// Receives every event.
  public var onEvent: ((LocationEvent) -> Void)?

  private let fixes: CoreLocationPhone
  private let name: String
  private let now: @Sendable () -> Int64
  private let unlocked: @MainActor @Sendable () async -> Void
  private var monitor: CLMonitor?
  private var held: RegionStates?
  /// The last call of the monitor; each call waits for the one before.
  private var lastCall: Task<Void, Never>?
  private var listening: Task<Void, Never>?

  /// Creates a phone that delivers nothing yet.
  ///
  /// - Parameters:
  ///   - fixes: Delivers the fixes.
  ///   - name: The monitor's name, in letters and digits. Nothing else may open this monitor.
  ///   - now: Returns the time in milliseconds since 1970.
  ///   - unlocked: Waits for the phone's first unlocking, before which a monitor loses its
  ///     conditions; nil to wait for it.
  public init(
    fixes: CoreLocationPhone, name: String = "fencepost",
    now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds },
    unlocked: (@MainActor @Sendable () async -> Void)? = nil
  ) {
    self.fixes = fixes
    self.name = name
    self.now = now
    self.unlocked = unlocked ?? { await FirstUnlock.passed() }
  }

  /// What the user allows.
  public var permission: LocationPermission { fixes.permission }
  /// What this phone cannot do.
  public var missingServices: [PhoneProblem] { fixes.missingServices }
  /// The largest radius of a region in meters.
  public var greatestRadiusMeters: Double { fixes.greatestRadiusMeters }
  /// The system's last known fix.
  public var latestFix: PhoneFix? { fixes.latestFix }

  /// The conditions, and the regions that the app monitors in other ways.
  public var regions: [PhoneRegion]? {
    held.map { $0.regions + (fixes.regions ?? []) }
  }

  /// Starts delivering events.
  public func start() {
    fixes.onEvent = { [weak self] in self?.onEvent?($0) }
    fixes.start()
    guard listening == nil else { return }
    listening = Task { [weak self, name, unlocked] in
      await unlocked()
      if Task.isCancelled { return }
      let monitor = await Self.monitor(named: name)
      await self?.open(monitor)
      do {
        if Task.isCancelled { return }
        for try await event in await monitor.events { self?.take(event) }
        if Task.isCancelled { return }
        self?.onEvent?(.locationFailed(reason: "the monitor \(name) has ended"))
      } catch {
        self?.onEvent?(.locationFailed(reason: error.localizedDescription))
      }
    }
  }

  /// Stops delivering fixes; regions stay monitored.
  public func stop() {
    listening?.cancel()
    listening = nil
    monitor = nil
    held = nil
    fixes.stop()
  }

  /// Asks for one fix, unless updates are continuous.
  public func requestFix() { fixes.requestFix() }

  /// Monitors a region, replacing one with the same identifier.
  public func monitor(_ region: PhoneRegion) {
    guard let center = region.center else { return }
    held?.add(region)
    call { monitor in
      let condition = CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(center), radius: region.radiusMeters)
      await monitor.add(condition, identifier: region.identifier, assuming: .unknown)
    }
  }

  /// Stops monitoring a region.
  public func stopMonitoring(identifier: String) {
    guard held?.remove(identifier) == true else { return }
    call { await $0.remove(identifier) }
  }

  /// Asks whether the phone is inside a region.
  public func askSide(identifier: String) {
    guard let isInside = held?.isInside(identifier) else { return }
    onEvent?(.found(identifier: identifier, isInside: isInside, timeMilliseconds: now()))
  }

  // MARK: The monitor

  /// The monitors of this process: Core Location aborts if an app opens two of one name.
  private static var monitors: [String: Task<CLMonitor, Never>] = [:]

  private static func monitor(named name: String) async -> CLMonitor {
    let opening = monitors[name] ?? Task { await CLMonitor(name) }
    monitors[name] = opening
    return await opening.value
  }

  /// Closes all monitors, as the end of the process does.
  package static func closeMonitors() { monitors = [:] }

  private func open(_ monitor: CLMonitor) async {
    var found = RegionStates()
    for identifier in await monitor.identifiers {
      guard let record = await monitor.record(for: identifier),
        let circle = record.condition as? CLMonitor.CircularGeographicCondition
      else { continue }
      let region = PhoneRegion(
        identifier: identifier, center: Coordinate(circle.center), radiusMeters: circle.radius)
      found.add(
        region, RegionStates.State(record.lastEvent.state),
        atMilliseconds: record.lastEvent.date.millisecondsSince1970)
    }
    held = found
    self.monitor = monitor
    onEvent?(.regionsKnown)
  }

  private func call(_ body: @escaping @MainActor @Sendable (CLMonitor) async -> Void) {
    guard let monitor else { return }
    lastCall = Task { [lastCall] in
      await lastCall?.value
      await body(monitor)
    }
  }

  private func take(_ event: CLMonitor.Event) {
    let change = held?.record(
      RegionStates.State(event.state), of: event.identifier,
      atMilliseconds: event.date.millisecondsSince1970)
    if let change { onEvent?(change) }
  }
}

@available(iOS 17, macOS 14, *)
extension RegionStates.State {
  fileprivate init(_ state: CLMonitor.Event.State) {
    switch state {
    case .satisfied: self = .inside
    case .unsatisfied: self = .outside
    case .unmonitored: self = .unmonitored
    default: self = .unknown
    }
  }
}
#endif
