#if Command
import FoundationEssentials
import Glibc

/// A serial line in raw mode, and the search for its speed.
///
/// A speed is right after two sentences with a valid checksum; the bytes until then are kept. The
/// search starts over when no valid checksum comes for too long.
struct SerialLine {
  /// Speeds to try, in bits per second, from most to least likely.
  private static var candidates: [Int] { [9600, 4800, 38_400, 115_200, 57_600, 19_200] }
  /// Receivers report every one or two seconds.
  private static var probeMilliseconds: Int64 { 2500 }
  private static var rightCount: Int { 2 }
  /// The search starts over after this many bytes without a valid checksum.
  private static var nonsenseBytes: Int { 4096 }

  private let descriptor: Int32
  private let baud: BaudRate
  private var candidate = 0
  private var probeEndMilliseconds: Int64 = 0
  private var kept: [UInt8] = []
  private var check = ChecksumCounter()
  private var bytesSinceRight = 0

  /// Whether the descriptor is a serial line; pipes and files have no speed.
  let isLine: Bool
  private(set) var isProbing: Bool
  /// Whether every speed has failed since the line was opened.
  private(set) var hasTriedAll = false

  init(_ descriptor: Int32, baud: BaudRate, now: Int64) {
    self.descriptor = descriptor
    self.baud = baud
    isLine = isatty(descriptor) == 1
    isProbing = isLine && baud == .auto
    guard isLine else { return }
    setSpeed(rate)
    probeEndMilliseconds = now + Self.probeMilliseconds
  }

  /// Locks a line against other programs that lock what they read, until the process ends.
  ///
  /// Returns false if another program has locked it. A device that is not a serial line needs none.
  static func lock(_ descriptor: Int32) -> Bool {
    guard isatty(descriptor) == 1 else { return true }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  static func isReserved(_ descriptor: Int32) -> Bool {
    var isReserved: Int32 = 0
    // TIOCGEXCL of Linux, `_IOR('T', 0x40, int)`, writes an `Int32` into a local `Int32`.
    return unsafe ioctl(descriptor, 0x8004_5440, &isReserved) == 0 && isReserved != 0
  }

  var speed: Int? { isLine ? rate : nil }

  private var rate: Int {
    switch baud {
    case .auto: Self.candidates[candidate]
    case .bitsPerSecond(let rate): rate
    }
  }

  var dueMilliseconds: Int64? { isProbing ? probeEndMilliseconds : nil }

  /// Returns the bytes to decode: none during the search, at its end all at the right speed.
  mutating func take(_ bytes: [UInt8], now: Int64) -> [UInt8] {
    guard isLine, baud == .auto else { return bytes }
    let before = check.rightCount
    check.take(bytes)
    bytesSinceRight = check.rightCount > before ? 0 : bytesSinceRight + bytes.count
    if isProbing {
      kept += bytes
      guard check.rightCount >= Self.rightCount else {
        tick(now: now)
        return []
      }
      isProbing = false
      defer { kept = [] }
      return kept
    }
    if bytesSinceRight > Self.nonsenseBytes { restart(now) }
    return bytes
  }

  mutating func tick(now: Int64) {
    guard isProbing, now >= probeEndMilliseconds else { return }
    candidate = (candidate + 1) % Self.candidates.count
    if candidate == 0 { hasTriedAll = true }
    restart(now)
  }

  private mutating func restart(_ now: Int64) {
    isProbing = true
    kept = []
    check = ChecksumCounter()
    bytesSinceRight = 0
    probeEndMilliseconds = now + Self.probeMilliseconds
    setSpeed(rate)
    tcflush(descriptor, TCIFLUSH)
  }

  private func setSpeed(_ rate: Int) {
    guard let code = BaudRate.code(ofBitsPerSecond: rate) else { return }
    var settings = termios()
    // `settings` is a local variable of the size that the system expects.
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return }
    unsafe cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    settings.c_cflag &= ~tcflag_t(CRTSCTS)
    unsafe cfsetispeed(&settings, code)
    unsafe cfsetospeed(&settings, code)
    // If the line refuses a speed, no checksum matches and the search continues.
    _ = unsafe tcsetattr(descriptor, TCSANOW, &settings)
  }
}

/// Counts NMEA 0183 sentences whose checksum is right, to recognize the speed of a line.
///
/// At a wrong speed the bytes are noise, in which a right checksum is rare.
struct ChecksumCounter {
  private(set) var rightCount = 0
  private var folded: UInt8 = 0
  private var digits: [UInt8] = []
  private var phase = Phase.between

  /// Where the next byte stands: outside a sentence, between `$` and `*`, or in the checksum.
  private enum Phase { case between, text, digits }

  /// Follows the next bytes, which may begin and end anywhere.
  mutating func take(_ bytes: [UInt8]) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    if byte == UInt8(ascii: "$") {
      phase = .text
      folded = 0
      return
    }
    switch phase {
    case .between: break
    case .text where byte == UInt8(ascii: "*"):
      phase = .digits
      digits = []
    case .text:
      // A sentence is printable ASCII.
      if 0x20..<0x7F ~= byte { folded ^= byte } else { phase = .between }
    case .digits:
      digits.append(byte)
      guard digits.count == 2 else { break }
      if UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == folded { rightCount += 1 }
      phase = .between
    }
  }
}

/// The speed of a serial line, known or to be found.
///
/// Most receivers use 4,800 or 9,600 bits per second, and few say so on the outside, so by default
/// the usual speeds are tried in turn.
package enum BaudRate: Hashable, Sendable, CustomStringConvertible {
  /// Search for the speed at which checksums match.
  case auto
  /// A known speed, one of ``standardRates``.
  case bitsPerSecond(Int)

  /// Parses `auto` or one of ``standardRates``; nil for anything else.
  package init?(_ text: String) {
    if text == "auto" {
      self = .auto
    } else if let rate = Int(text), Self.codes[rate] != nil {
      self = .bitsPerSecond(rate)
    } else {
      return nil
    }
  }

  /// The kernel's speeds in bits per second, ascending from 50 to 4,000,000.
  package static var standardRates: [Int] { codes.keys.sorted() }

  /// The text that ``init(_:)`` parses.
  package var description: String {
    switch self {
    case .auto: "auto"
    case .bitsPerSecond(let rate): "\(rate)"
    }
  }

  static func code(ofBitsPerSecond rate: Int) -> speed_t? { codes[rate].map { speed_t($0) } }

  private static let codes: [Int: Int32] = [
    50: B50, 75: B75, 110: B110, 134: B134, 150: B150, 200: B200, 300: B300, 600: B600,
    1200: B1200, 1800: B1800, 2400: B2400, 4800: B4800, 9600: B9600, 19_200: B19200,
    38_400: B38400, 57_600: B57600, 115_200: B115200, 230_400: B230400, 460_800: B460800,
    500_000: B500000, 576_000: B576000, 921_600: B921600, 1_000_000: B1000000,
    1_152_000: B1152000, 1_500_000: B1500000, 2_000_000: B2000000, 2_500_000: B2500000,
    3_000_000: B3000000, 3_500_000: B3500000, 4_000_000: B4000000,
  ]
}

/// Finds out whether gpsd reads a device, since each byte goes to only one of its readers.
///
/// A session then tells the user to follow gpsd instead.
enum OtherReader {
  private static let processes = URL(fileURLWithPath: "/proc")

  /// Whether a gpsd on this machine has a device open, as far as the system shows.
  ///
  /// Only the superuser sees other users' open files, so this also checks gpsd's arguments.
  static func isGPSD(on path: String) -> Bool {
    let device = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return names(in: processes).contains { name in
      let process = processes.appendingPathComponent(name)
      guard Int(name) != nil, text(process, "comm") == "gpsd\n" else { return false }
      let folder = process.appendingPathComponent("fd")
      let openFiles = names(in: folder).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(
          atPath: folder.appendingPathComponent($0).path)
      }
      let words = text(process, "cmdline").split(separator: "\0")
      return openFiles.contains(device) || words.contains { $0 == path || $0 == device }
    }
  }

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  private static func text(_ process: URL, _ name: String) -> String {
    let path = process.appendingPathComponent(name).path
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
#endif
