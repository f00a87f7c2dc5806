import Glibc

/// Tells systemd how this service is doing (sd_notify(3)).
///
/// Thread-safe.
package final class ServiceManager: Sendable {
  private let socket: UnixDatagram
  /// How often to call ``ping()``, in milliseconds; nil without a watchdog.
  let pingMilliseconds: Int64?

  /// Connects to the manager that the variables name; nil if none started this program as a service.
  package init?(environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], let socket = UnixDatagram(path: path) else {
      return nil
    }
    self.socket = socket
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let microseconds = isOurs ? environment["WATCHDOG_USEC"].flatMap { Int64($0) } : nil
    // Half of the limit, as systemd recommends.
    pingMilliseconds = microseconds.flatMap { $0 > 0 ? max(1, $0 / 2000) : nil }
  }

  func ready() { socket.send("READY=1") }
  func ping() { socket.send("WATCHDOG=1") }
  func stopping() { socket.send("STOPPING=1") }
  /// Call ``ready()`` after the reload.
  func reloading() {
    socket.send("RELOADING=1\nMONOTONIC_USEC=\(SystemTime.monotonicMilliseconds * 1000)")
  }
  /// Shows a sentence in `systemctl status`.
  func say(_ sentence: String) {
    socket.send("STATUS=" + sentence.replacing("\n", with: " "))
  }
}
