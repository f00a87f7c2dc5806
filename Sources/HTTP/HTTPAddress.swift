import Glibc
import NIOCore
import NIOPosix

/// An address to listen on, as users write it: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`,
/// `0.0.0.0:8080` or `:8080`.
package struct HTTPAddress: Equatable, Sendable {
  /// The host without brackets; empty for all addresses of this machine.
  package var host: String
  /// The port; 0 for any free one.
  package var port: UInt16

  /// Parses an address; nil if malformed or without a port.
  package init?(_ text: String) {
    guard let (host, port) = Self.hostAndPort(text), let port else { return nil }
    self.host = host
    self.port = port
  }

  /// Whether only this machine can reach the address.
  package var isLoopback: Bool { Self.isLoopback(host) }

  /// The address as part of a URL.
  package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether only this machine can reach a host.
  ///
  /// False for names other than `localhost`, which a name server may resolve to any address.
  package static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name == "localhost." || name == "::1" { return true }
    return name.hasPrefix("127.") && isNumeric(name)
  }

  /// Whether a host is a numeric address, not a name.
  package static func isNumeric(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Splits a host of plain letters and its port; nil for any other text.
  static func hostAndPort(_ text: String) -> (host: String, port: UInt16?)? {
    guard let parts = split(text) else { return nil }
    let isPlain = parts.host.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "._-:%".contains($0))
    }
    return isPlain ? parts : nil
  }

  /// Splits `HOST`, `HOST:PORT` or `[HOST]:PORT`; nil for any other text.
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
}

/// Why a server cannot listen.
package struct ListeningError: Error, CustomStringConvertible, Sendable {
  /// The address as a user would write it.
  package var address: String
  /// The reason, as a sentence that begins in lower case.
  package var reason: String
  /// Whether this machine lacks the address, as opposed to a port that is taken or forbidden.
  package var isAddressWrong: Bool

  /// The error as one sentence.
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
    // The text is zero-terminated and copied at once.
    default: unsafe sentence(String(cString: strerror(code)))
    }
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension HTTPAddress {
  /// The socket addresses to try, in order; throws if the name cannot be resolved.
  func candidates() throws -> [SocketAddress] {
    let port = Int(port)
    switch host.lowercased() {
    case "":
      // An IPv6 socket accepts both families, but not every machine has IPv6.
      return try ["::", "0.0.0.0"].map { try SocketAddress(ipAddress: $0, port: port) }
    case "localhost", "localhost.":
      return try ["127.0.0.1", "::1"].map { try SocketAddress(ipAddress: $0, port: port) }
    default:
      return [try SocketAddress.makeAddressResolvingHost(host, port: port)]
    }
  }
}
