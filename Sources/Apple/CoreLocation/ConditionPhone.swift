#if canImport(CoreLocation) && !os(watchOS) && !os(tvOS) && !os(visionOS)
  import CoreLocation
  import FencepostGeodesy
  import Foundation

  /// A phone whose regions are the conditions of a `CLMonitor`; its fixes are those of a ``CoreLocationPhone``.
  ///
  /// The monitor keeps its conditions, and what it last said of each, between launches. It must be opened soon
  /// after each launch, or its conditions are not watched any more once an event waits. Conditions of other
  /// monitors are not visible to it: if the app has any, lower ``StoryAlerts/Options/regionLimit``.
  @available(iOS 17, macOS 14, *)
  @MainActor
  public final class ConditionPhone: LocationPhone {
    /// Receives every event.
    public var onEvent: ((LocationEvent) -> Void)?

    private let fixes: CoreLocationPhone
    private let name: String
    private let now: @Sendable () -> Int64
    private let unlocked: @MainActor @Sendable () async -> Void
    private var monitor: CLMonitor?
    private var held: [String: Condition]?
    /// Calls of the monitor, one after the other.
    private var lastCall: Task<Void, Never>?
    private var listening: Task<Void, Never>?

    /// A condition, and whether the phone is inside; nil while it has not said.
    private struct Condition {
      var region: PhoneRegion
      var isInside: Bool?
    }

    /// Makes a phone that delivers nothing yet.
    ///
    /// - Parameters:
    ///   - fixes: Delivers the fixes.
    ///   - name: The monitor's name, letters and digits; another program part must not open it too.
    ///   - now: The time in milliseconds since 1970.
    ///   - unlocked: Returns once the phone has been unlocked: before, a monitor loses its conditions.
    public init(
      fixes: CoreLocationPhone, name: String = "fencepost",
      now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds },
      unlocked: @escaping @MainActor @Sendable () async -> Void = {
        await ProtectedData.available()
      }
    ) {
      self.fixes = fixes
      self.name = name
      self.now = now
      self.unlocked = unlocked
    }

    /// What the user allows.
    public var permission: LocationPermission { fixes.permission }
    /// What this phone cannot do.
    public var missingServices: [PhoneProblem] { fixes.missingServices }
    /// The greatest radius that a region may have, in metres.
    public var greatestRadiusMeters: Double { fixes.greatestRadiusMeters }
    /// The last fix that the system has.
    public var latestFix: PhoneFix? { fixes.latestFix }

    /// The conditions, and the regions that the app monitors otherwise.
    public var regions: [PhoneRegion]? {
      held.map { Array($0.values.map(\.region)) + (fixes.regions ?? []) }
    }

    /// Begins to deliver events.
    public func start() {
      fixes.onEvent = { [weak self] in self?.onEvent?($0) }
      fixes.start()
      guard listening == nil else { return }
      listening = Task { [weak self, name, unlocked] in
        await unlocked()
        if Task.isCancelled { return }
        let monitor = await CLMonitor(name)
        await self?.open(monitor)
        do {
          for try await event in await monitor.events { self?.take(event) }
          self?.onEvent?(.locationFailed(reason: "the monitor \(name) has ended"))
        } catch {
          self?.onEvent?(.locationFailed(reason: error.localizedDescription))
        }
      }
    }

    /// Stops delivering fixes; regions stay.
    public func stop() {
      listening?.cancel()
      listening = nil
      monitor = nil
      held = nil
      fixes.stop()
    }

    /// Asks for one fix; while updates are continuous, the next one is near.
    public func requestFix() { fixes.requestFix() }

    /// Monitors a region, in place of one with the same identifier.
    public func monitor(_ region: PhoneRegion) {
      guard let center = region.center else { return }
      held?[region.identifier] = Condition(region: region)
      call { monitor in
        let condition = CLMonitor.CircularGeographicCondition(
          center: CLLocationCoordinate2D(center), radius: region.radiusMeters)
        await monitor.add(condition, identifier: region.identifier, assuming: .unknown)
      }
    }

    /// Stops monitoring a region.
    public func stopMonitoring(identifier: String) {
      guard held?.removeValue(forKey: identifier) != nil else { return }
      call { await $0.remove(identifier) }
    }

    /// Asks on which side of a region the phone is.
    public func askSide(identifier: String) {
      guard let isInside = held?[identifier]?.isInside else { return }
      onEvent?(.found(identifier: identifier, isInside: isInside, timeMilliseconds: now()))
    }

    // MARK: The monitor

    private func open(_ monitor: CLMonitor) async {
      var found: [String: Condition] = [:]
      for identifier in await monitor.identifiers {
        guard let record = await monitor.record(for: identifier),
          let circle = record.condition as? CLMonitor.CircularGeographicCondition
        else { continue }
        let region = PhoneRegion(
          identifier: identifier, center: Coordinate(circle.center), radiusMeters: circle.radius)
        found[identifier] = Condition(
          region: region, isInside: Self.isInside(record.lastEvent.state))
      }
      held = found
      self.monitor = monitor
      onEvent?(.regionsKnown)
    }

    private func call(_ body: @escaping @Sendable (CLMonitor) async -> Void) {
      guard let monitor else { return }
      lastCall = Task { [lastCall] in
        await lastCall?.value
        await body(monitor)
      }
    }

    private func take(_ event: CLMonitor.Event) {
      let identifier = event.identifier
      guard let condition = held?[identifier] else { return }
      guard let isInside = Self.isInside(event.state) else {
        if event.state == .unmonitored {
          held?[identifier] = nil
          onEvent?(
            .regionFailed(identifier: identifier, reason: "the system has stopped monitoring it"))
        }
        return
      }
      held?[identifier]?.isInside = isInside
      let time = event.date.millisecondsSince1970
      switch (condition.isInside, isInside) {
      case (false, true): onEvent?(.entered(identifier: identifier, timeMilliseconds: time))
      case (true, false): onEvent?(.left(identifier: identifier, timeMilliseconds: time))
      case (nil, _), (true, true), (false, false):
        onEvent?(.found(identifier: identifier, isInside: isInside, timeMilliseconds: time))
      }
    }

    private static func isInside(_ state: CLMonitor.Event.State) -> Bool? {
      switch state {
      case .satisfied: true
      case .unsatisfied: false
      default: nil
      }
    }
  }
#endif
