/// Which devices have fixes that wait to be put in order, and when that has lasted long enough.
///
/// Without a newer fix nothing moves a device's time, so that what waits is handed on after the window's length on
/// the caller's clock.
struct WaitingDevices {
  /// When each device's last fix came, in milliseconds of a monotonic clock.
  private var arrivals: [String: Int64] = [:]
  /// A time before which no device is idle for long enough; nil if none waits.
  private(set) var dueMilliseconds: Int64?

  /// Notes how many fixes of a device wait after one has come.
  ///
  /// - Parameters:
  ///   - name: The device.
  ///   - count: How many of its fixes wait.
  ///   - window: The window's length in milliseconds.
  ///   - now: The time.
  mutating func note(_ name: String, count: Int, window: Int64, now: Int64) {
    guard count > 0 else {
      arrivals[name] = nil
      if arrivals.isEmpty { dueMilliseconds = nil }
      return
    }
    arrivals[name] = now
    dueMilliseconds = min(dueMilliseconds ?? .max, now + window)
  }

  /// Takes the devices that have been idle for the window's length, sorted by name.
  mutating func takeIdle(window: Int64, now: Int64) -> [String] {
    guard let due = dueMilliseconds, due <= now else { return [] }
    let idle = arrivals.filter { $0.value + window <= now }.keys.sorted()
    for name in idle { arrivals[name] = nil }
    dueMilliseconds = arrivals.values.min().map { $0 + window }
    return idle
  }

  /// Takes all devices, sorted by name.
  mutating func takeAll() -> [String] {
    defer { self = WaitingDevices() }
    return arrivals.keys.sorted()
  }
}
