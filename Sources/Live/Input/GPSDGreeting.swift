/// Checks by its first bytes whether a server is gpsd.
///
/// gpsd greets each client with an object `{"class":"VERSION",…}`. Other servers send something
/// else or wait for a request.
package struct GPSDGreeting {
  package enum Verdict: Equatable {
    case open
    case gpsd([UInt8])
    case foreign(String)
  }

  private static let opening = Array(#"{"class":"#.utf8)
  private static var timeoutMilliseconds: Int64 { 10_000 }
  private static var quotedBytes: Int { 40 }

  private var bytes: [UInt8] = []
  /// The time at which a server that has sent nothing is taken for something other than gpsd.
  package let dueMilliseconds: Int64

  /// Starts to check a new connection at a time in milliseconds of a monotonic clock.
  package init(now: Int64) { dueMilliseconds = now + Self.timeoutMilliseconds }

  package mutating func take(_ more: [UInt8]) -> Verdict {
    bytes += more
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if start.starts(with: Self.opening) { return .gpsd(bytes) }
    if Self.opening.starts(with: start) { return .open }
    let line = start.prefix { 0x20..<0x7F ~= $0 }.prefix(Self.quotedBytes)
    guard !line.isEmpty else { return .foreign("not gpsd") }
    return .foreign("not gpsd: it says “\(String(decoding: line, as: UTF8.self))”")
  }

  package var silenceSentence: String {
    "not gpsd: no greeting within \(Self.timeoutMilliseconds / 1000) s"
  }
}
