/// Checks that a server is a gpsd by the first bytes it sends.
///
/// A gpsd greets each client with an object `{"class":"VERSION",…}`. Other servers send something else,
/// or wait for a request.
package struct GPSDGreeting {
  /// What the first words say.
  package enum Verdict: Equatable {
    /// Too few of them have come.
    case open
    /// A gpsd; all that it said so far.
    case gpsd([UInt8])
    /// Something else, as the end of a sentence that begins with the server's name.
    case foreign(String)
  }

  private static let opening = Array(#"{"class":"#.utf8)
  private static var patienceMilliseconds: Int64 { 10_000 }
  /// So many bytes of what else a server says are repeated to the user.
  private static var quotedBytes: Int { 40 }

  private var bytes: [UInt8] = []
  /// When a server that has not greeted is taken for something else.
  package let dueMilliseconds: Int64

  /// Begins with a new connection.
  ///
  /// - Parameter now: The time in milliseconds of a clock that never goes back.
  package init(now: Int64) { dueMilliseconds = now + Self.patienceMilliseconds }

  /// Takes what came next.
  package mutating func take(_ more: [UInt8]) -> Verdict {
    bytes += more
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if start.starts(with: Self.opening) { return .gpsd(bytes) }
    if Self.opening.starts(with: start) { return .open }
    let line = start.prefix { 0x20..<0x7F ~= $0 }.prefix(Self.quotedBytes)
    guard !line.isEmpty else { return .foreign("no gpsd") }
    return .foreign("no gpsd: it says ‘\(String(decoding: line, as: UTF8.self))’")
  }

  /// What is wrong with a server that says nothing.
  package var silenceSentence: String {
    "no gpsd: no greeting came within \(Self.patienceMilliseconds / 1000) s"
  }
}
