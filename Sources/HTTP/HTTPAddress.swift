import NIOCore

/// An address to listen on, as users write it: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`,
/// `0.0.0.0:8080` or `:8080`.
public struct HTTPAddress: Equatable, Sendable {
  /// The host without brackets; empty for all addresses of this machine.
  public var host: String
  /// The port; 0 for any free one.
  public var port: UInt16

  /// Parses an address; nil if malformed or without a port.
  public init?(_ text: String) {
    guard let (host, port) = Self.hostAndPort(text), let port else { return nil }
    self.host = host
    self.port = port
  }

  /// Whether only this machine can reach the address.
  public var isLoopback: Bool { Self.isLoopback(host) }

  /// The address as part of a URL.
  public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether only this machine can reach a host.
  ///
  /// False for names other than `localhost`, which a name server may resolve to any address.
  public static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name == "localhost." || name == "::1" { return true }
    return name.hasPrefix("127.") && isNumeric(name)
  }

  /// Whether a host is a numeric address, not a name.
  public static func isNumeric(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Splits `HOST`, `HOST:PORT` or `[HOST]:PORT`; nil for any other text.
  static func hostAndPort(_ text: String) -> (host: String, port: UInt16?)? {
    var host = text[...]
    var rest = text[text.endIndex...]
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      rest = text[colon...]
    }
    let isPlain = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "%"):
        true
      default: false
      }
    }
    guard isPlain else { return nil }
    if rest.isEmpty { return (String(host), nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let port = UInt16(digits)
    else { return nil }
    return (String(host), port)
  }
}
