import FencepostHTTP

/// A source of fixes, as users write it.
package enum LiveAddress: Equatable, Sendable {
  /// Standard input, `-`.
  case standardInput
  /// A device, a named pipe or a file.
  case device(path: String)
  /// A gpsd, and the device to watch if it has several.
  case gpsd(host: String, port: String, device: String?)
  /// A server that sends data as soon as a client connects.
  case tcp(host: String, port: String)
  /// Datagrams to a port of this machine; an empty host means all of its addresses.
  case udp(host: String, port: String)
  /// Fixes from other parts of this program; users cannot write it.
  case intake(FixIntake)

  /// Parses `-`, a path, `gpsd://HOST[:PORT][/DEVICE]`, `tcp://HOST:PORT` or `udp://[HOST]:PORT`,
  /// with IPv6 addresses in brackets; nil for any other text.
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

  /// Whether a text is `HOST:PORT`, an address without its scheme.
  package static func isHostAndPort(_ text: String) -> Bool {
    guard !text.contains("/"), let (host, port) = hostAndPort(Substring(text)) else { return false }
    return !host.isEmpty && port != nil
  }

  /// Splits `HOST`, `HOST:PORT` or `[HOST]:PORT`, with a port from 1 to 65,535; nil for any other text.
  static func hostAndPort(_ text: Substring) -> (host: String, port: String?)? {
    guard let (host, port) = HTTPAddress.split(text), port != 0 else { return nil }
    return (host, port.map { "\($0)" })
  }
}

extension String {
  /// The text after a prefix; nil without that prefix.
  func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}

extension LiveAddress {
  /// How long what comes may wait to be saved while nobody is owed anything, in milliseconds.
  ///
  /// Standard input may be fed on with the next byte after a kill, and who posts is answered when
  /// it is saved. Others have gone on meanwhile, and nothing can be read again; saving every second
  /// would wear out a memory card.
  var saveDelayMilliseconds: Int64 {
    switch self {
    case .standardInput, .intake: 0
    case .device, .gpsd, .tcp, .udp: 10_000
    }
  }
}
