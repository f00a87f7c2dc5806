#if Command
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
  func say(_ sentence: String) { socket.send("STATUS=" + sentence.replacing("\n", with: " ")) }
}

/// A socket that sends datagrams to another one of this machine.
///
/// systemd and similar managers listen there for the state of a service. Going out of scope closes
/// the socket. Thread-safe.
package final class UnixDatagram: Sendable {
  private let descriptor: Int32
  private let path: [UInt8]

  /// Creates a socket; `@` at the start of the path stands for Linux' abstract names.
  ///
  /// - Returns: Nil if the path is too long or no descriptors are left.
  package init?(path: String) {
    var bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      return nil
    }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    self.path = bytes
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Sends a datagram and returns whether the system took it; never waits.
  @discardableResult
  package func send(_ text: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The path is shorter than the field, which stays within the address.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let length = socklen_t(offset + path.count)
    let bytes = Array(text.utf8)
    // The system reads the bytes and an address of that length before the call returns.
    let count = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe sendto(
          descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), $0,
          length)
      }
    }
    return count == bytes.count
  }
}
#endif
