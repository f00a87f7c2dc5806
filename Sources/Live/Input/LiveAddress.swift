import FencepostHTTP

/// A source of fixes, as users write it.
package enum LiveAddress: Equatable, Sendable {
  case standardInput
  case device(path: String)
  /// A gpsd server, and the device to watch if it has several.
  case gpsd(host: String, port: String, device: String?)
  case tcp(host: String, port: String)
  /// Datagrams to a port of this machine; an empty host means all of its addresses.
  case udp(host: String, port: String)
  /// Fixes from other parts of this program, which users cannot select.
  case intake(FixIntake)

  /// Parses `-`, a path, `gpsd://HOST[:PORT][/DEVICE]`, `tcp://HOST:PORT` or `udp://[HOST]:PORT`.
  package init?(_ text: String) {
    if text == "-" {
      self = .standardInput
    } else if let rest = text.after("gpsd://") {
      let slash = rest.firstIndex(of: "/")
      let device = slash.map { String(rest[$0...]) }
      guard let (host, port) = Self.hostAndPort(rest[..<(slash ?? rest.endIndex)]) else {
        return nil
      }
      self = .gpsd(
        host: host.isEmpty ? "localhost" : host, port: port ?? "2947",
        device: device == "/" ? nil : device)
    } else if let rest = text.after("tcp://") {
      guard let (host, port) = Self.hostAndPort(rest), let port, !host.isEmpty else { return nil }
      self = .tcp(host: host, port: port)
    } else if let rest = text.after("udp://") {
      guard let (host, port) = Self.hostAndPort(rest), let port else { return nil }
      self = .udp(host: host, port: port)
    } else if !text.isEmpty, !text.contains("://") {
      self = .device(path: text)
    } else {
      return nil
    }
  }

  package static func isHostAndPort(_ text: String) -> Bool {
    guard !text.contains("/"), let (host, port) = hostAndPort(Substring(text)) else { return false }
    return !host.isEmpty && port != nil
  }

  /// Splits `HOST`, `HOST:PORT` or `[HOST]:PORT` with a port from 1 to 65,535, or returns nil.
  static func hostAndPort(_ text: Substring) -> (host: String, port: String?)? {
    guard let (host, port) = HTTPAddress.split(text), port != 0 else { return nil }
    return (host, port.map { "\($0)" })
  }
}

extension String {
  func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}

extension LiveAddress {
  /// How long input may wait to be saved while no delivery is owed, in milliseconds.
  ///
  /// Standard input and posts are saved at once: after a kill, a pipe continues with its next byte,
  /// and clients that post wait for the save. No other source can be read again, and saving every
  /// second would wear out a memory card.
  var saveDelayMilliseconds: Int64 {
    switch self {
    case .standardInput, .intake: 0
    case .device, .gpsd, .tcp, .udp: 10_000
    }
  }
}
