/// Where fixes come from, as users write it.
public enum LiveAddress: Equatable, Sendable {
  /// Standard input, `-`.
  case standardInput
  /// A device, a named pipe or a file.
  case device(path: String)
  /// A gpsd, and the device of it that is watched where it has several.
  case gpsd(host: String, port: String, device: String?)
  /// A server that talks as soon as somebody connects.
  case tcp(host: String, port: String)
  /// Datagrams that come to a port of this machine; an empty host is all of its addresses.
  case udp(host: String, port: String)
  /// What other parts of this program put in; never written by users.
  case intake(FixIntake)

  /// Reads `-`, a path, `gpsd://HOST[:PORT][/DEVICE]`, `tcp://HOST:PORT` or `udp://[HOST]:PORT`; hosts of
  /// IPv6 stand in brackets.
  ///
  /// Nil where it is none of these.
  public init?(_ text: String) {
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

  /// Whether a text reads as `HOST:PORT`, as users write who forget to say what kind of server it is.
  public static func isHostAndPort(_ text: String) -> Bool {
    guard !text.contains("/"), let (host, port) = hostAndPort(Substring(text)) else { return false }
    return !host.isEmpty && port != nil
  }

  private static func hostAndPort(_ text: Substring) -> (host: String, port: String?)? {
    var rest = text
    var host = ""
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = String(rest[..<end])
      rest = rest[end...]
    }
    if rest.isEmpty { return (host, nil) }
    let port = rest.dropFirst()
    guard rest.first == ":", let number = Int(port), 1...65_535 ~= number else { return nil }
    return (host, String(number))
  }
}

extension String {
  /// What follows a prefix, nil where it does not begin so.
  fileprivate func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
