import Fencepost
import FencepostGeodesy
import FencepostMonitoring

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
