/// Checks by its first bytes whether a server is a gpsd.
///
/// A gpsd greets each client with an object `{"class":"VERSION",…}`. Other servers send something
/// else or wait for a request.
package struct GPSDGreeting {
  /// The verdict on the first bytes.
  package enum Verdict: Equatable {
    /// Too few bytes so far.
    case open
    /// A gpsd, with all bytes so far.
    case gpsd([UInt8])
    /// Another server, described by the end of a sentence.
    case foreign(String)
  }

  private static let opening = Array(#"{"class":"#.utf8)
  private static var timeoutMilliseconds: Int64 { 10_000 }
  /// How many bytes of another server's output are quoted to the user.
  private static var quotedBytes: Int { 40 }

  private var bytes: [UInt8] = []
  /// When a silent server counts as another server.
  package let dueMilliseconds: Int64

  /// Begins with a new connection.
  ///
  /// - Parameter now: The time in milliseconds of a monotonic clock.
  package init(now: Int64) { dueMilliseconds = now + Self.timeoutMilliseconds }

  /// Takes the next bytes.
  package mutating func take(_ more: [UInt8]) -> Verdict {
    bytes += more
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if start.starts(with: Self.opening) { return .gpsd(bytes) }
    if Self.opening.starts(with: start) { return .open }
    let line = start.prefix { 0x20..<0x7F ~= $0 }.prefix(Self.quotedBytes)
    guard !line.isEmpty else { return .foreign("not gpsd") }
    return .foreign("not gpsd: it says ‘\(String(decoding: line, as: UTF8.self))’")
  }

  /// What is wrong with a silent server.
  package var silenceSentence: String {
    "not gpsd: no greeting within \(Self.timeoutMilliseconds / 1000) s"
  }
}
