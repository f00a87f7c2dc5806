#if Command
import Glibc
import NIOCore
import NIOPosix

/// A listening address as users write it.
///
/// Examples: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `0.0.0.0:8080`, `:8080`.
package struct HTTPAddress: Equatable, Sendable {
  /// The host without brackets; empty for all addresses of this machine.
  package var host: String
  /// The port, or 0 to use any free port.
  package var port: UInt16

  /// Parses an address, or returns nil if it is malformed or has no port.
  package init?(_ text: String) {
    guard let (host, port) = Self.hostAndPort(text), let port else { return nil }
    self.host = host
    self.port = port
  }

  /// Whether only this machine can reach the address, so that no token is needed.
  package var isLoopback: Bool { Self.isLoopback(host) }

  /// The address as in a URL, with an IPv6 host in brackets.
  package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether `host` can be reached from this machine only.
  ///
  /// Any name other than `localhost` counts as reachable, since DNS can resolve it to any address.
  package static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name == "localhost." || name == "::1" { return true }
    return name.hasPrefix("127.") && isNumeric(name)
  }

  /// Whether `host` is a numeric address, not a name.
  package static func isNumeric(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Splits `HOST:PORT` if the host has no special characters, or returns nil.
  static func hostAndPort(_ text: String) -> (host: String, port: UInt16?)? {
    guard let parts = split(text) else { return nil }
    let isPlain = parts.host.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "._-:%".contains($0))
    }
    return isPlain ? parts : nil
  }

  /// Splits `HOST`, `HOST:PORT` or `[HOST]:PORT`, or returns nil for any other text.
  package static func split(_ text: some StringProtocol) -> (host: String, port: UInt16?)? {
    var host = Substring(text)
    var rest = host[host.endIndex...]
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      rest = host[host.index(after: end)...]
      host = host[..<end].dropFirst()
    } else if let colon = host.firstIndex(of: ":") {
      rest = host[colon...]
      host = host[..<colon]
    }
    if rest.isEmpty { return (String(host), nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let port = UInt16(digits)
    else { return nil }
    return (String(host), port)
  }

  /// The socket addresses to try, in order; throws if the name cannot be resolved.
  func candidates() throws -> [SocketAddress] {
    let port = Int(port)
    switch host.lowercased() {
    case "":
      // An IPv6 socket accepts both families, but some machines have no IPv6.
      return try ["::", "0.0.0.0"].map { try SocketAddress(ipAddress: $0, port: port) }
    case "localhost", "localhost.":
      return try ["127.0.0.1", "::1"].map { try SocketAddress(ipAddress: $0, port: port) }
    default:
      return [try SocketAddress.makeAddressResolvingHost(host, port: port)]
    }
  }

  /// The first listening socket that systemd started this program with (sd_listen_fds(3)).
  ///
  /// - Returns: The socket and its address; nil without an Internet socket.
  package static func handedOver(
    _ environment: [String: String]
  ) -> (descriptor: Int32, address: HTTPAddress)? {
    let first: Int32 = 3
    guard environment["LISTEN_PID"] == "\(getpid())", let text = environment["LISTEN_FDS"],
      let count = Int(text), count > 0
    else { return nil }
    _ = fcntl(first, F_SETFD, FD_CLOEXEC)
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // The storage has room for every kind of address, whose family decides how it is read.
    let address: SocketAddress? = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      let code = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(first, $0, &length)
      }
      guard code == 0 else { return nil }
      switch Int32(unsafe pointer.pointee.ss_family) {
      case AF_INET:
        return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          unsafe SocketAddress($0.pointee)
        }
      case AF_INET6:
        return unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          unsafe SocketAddress($0.pointee)
        }
      default: return nil
      }
    }
    guard let host = address?.ipAddress, let port = address?.port,
      var found = HTTPAddress("0.0.0.0:\(port)")
    else { return nil }
    found.host = host
    return (first, found)
  }
}

/// Why a server cannot listen at an address.
///
/// A command prints it before the session begins.
package struct ListeningError: Error, CustomStringConvertible, Sendable {
  /// The address as the user wrote it.
  package var address: String
  /// The reason, as a sentence in lower case.
  package var reason: String
  /// Whether this machine lacks the address, as opposed to a port that is taken or forbidden.
  package var isAddressWrong: Bool

  /// The error as one sentence without a period.
  package var description: String { "cannot listen on \(address): \(reason)" }

  init(_ address: HTTPAddress, _ error: any Error) {
    self.address = address.text
    isAddressWrong = false
    switch error {
    case let error as SocketAddressError.UnknownHost:
      reason = Self.sentence(error.errorDescription)
      isAddressWrong = true
    case let error as IOError:
      reason = Self.sentence(forCode: error.errnoCode)
      isAddressWrong = error.errnoCode == EADDRNOTAVAIL
    default:
      reason = Self.sentence(String(describing: error))
    }
  }

  private static func sentence(forCode code: Int32) -> String {
    switch code {
    case EADDRINUSE: "another program is using that port"
    case EACCES: "that port is reserved; choose one above 1023"
    case EADDRNOTAVAIL: "this machine has no such address"
    // The C string ends with a zero and is copied at once.
    default: unsafe sentence(String(cString: strerror(code)))
    }
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }
}
#endif
