import Foundation
import Glibc

/// A serial line in raw mode, and the search for its speed.
///
/// A speed is right once two sentences with a valid checksum have come; the bytes until then are
/// kept. The search starts over when valid checksums cease for long.
struct SerialLine {
  /// The order of the search, in bits per second: most receivers' default, the NMEA standard's,
  /// newer receivers', then common settings for fast reports.
  private static var candidates: [Int] { [9600, 4800, 38_400, 115_200, 57_600, 19_200] }
  /// Receivers report every one or two seconds.
  private static var probeMilliseconds: Int64 { 2500 }
  private static var rightCount: Int { 2 }
  /// After so many bytes without a valid checksum the search starts over.
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
  /// Whether every speed was tried in vain since the line was opened.
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
  /// False if another has locked it. A device that is not a line needs no lock.
  static func lock(_ descriptor: Int32) -> Bool {
    guard isatty(descriptor) == 1 else { return true }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Whether a program has reserved a terminal for itself.
  static func isReserved(_ descriptor: Int32) -> Bool {
    var isReserved: Int32 = 0
    // The system writes an `Int32` into ours.
    return unsafe ioctl(descriptor, askReserved, &isReserved) == 0 && isReserved != 0
  }

  /// Linux's request TIOCGEXCL: `_IOR('T', 0x40, int)`.
  private static var askReserved: UInt { 0x8004_5440 }

  /// The line's speed in bits per second; nil if the device is not a serial line.
  var speed: Int? { isLine ? rate : nil }

  private var rate: Int {
    switch baud {
    case .auto: Self.candidates[candidate]
    case .bitsPerSecond(let rate): rate
    }
  }

  var dueMilliseconds: Int64? { isProbing ? probeEndMilliseconds : nil }

  /// Takes bytes from the line; returns those to decode: none during the search, and at its end all
  /// that came at the right speed.
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

  /// Tries the next speed if the time for this one is over.
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
    // The settings are ours and of the size the system expects.
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

struct ChecksumCounter {
  private(set) var rightCount = 0
  private var folded: UInt8 = 0
  private var digits: [UInt8] = []
  private var phase = Phase.between

  private enum Phase { case between, text, digits }

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

/// The speed of a serial line.
package enum BaudRate: Hashable, Sendable, CustomStringConvertible {
  /// The speed at which checksums match.
  case auto
  /// Bits per second, one of ``standardRates``.
  case bitsPerSecond(Int)

  /// Parses `auto` or one of the ``standardRates``; nil for any other text.
  package init?(_ text: String) {
    if text == "auto" {
      self = .auto
    } else if let rate = Int(text), Self.codes[rate] != nil {
      self = .bitsPerSecond(rate)
    } else {
      return nil
    }
  }

  /// The kernel's speeds in bits per second, ascending: 50 to 4,000,000.
  package static var standardRates: [Int] { codes.keys.sorted() }

  /// The speed as users write it.
  package var description: String {
    switch self {
    case .auto: "auto"
    case .bitsPerSecond(let rate): "\(rate)"
    }
  }

  /// The kernel's code of a speed, nil if not standard.
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

/// Finds out whether gpsd reads a device, which hands each byte to only one of its readers.
enum OtherReader {
  private static let processes = URL(fileURLWithPath: "/proc")

  /// Whether a gpsd on this machine has a device open, as far as the system shows.
  ///
  /// The open files of other users' programs are hidden from all but the superuser; the device may
  /// still be among the words that gpsd was started with.
  static func isGPSD(on path: String) -> Bool {
    let device = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return gpsds.contains { process in
      openFiles(of: process).contains(device)
        || words(of: process).contains { $0 == path || $0 == device }
    }
  }

  /// The folders of all gpsds that run.
  private static var gpsds: [URL] {
    names(in: processes).filter { Int($0) != nil }.map { processes.appendingPathComponent($0) }
      .filter { text($0, "comm") == "gpsd\n" }
  }

  private static func openFiles(of process: URL) -> [String] {
    let folder = process.appendingPathComponent("fd")
    return names(in: folder).compactMap {
      // A file that was closed meanwhile is open no more.
      try? FileManager.default.destinationOfSymbolicLink(
        atPath: folder.appendingPathComponent($0).path)
    }
  }

  private static func words(of process: URL) -> [String] {
    text(process, "cmdline").split(separator: "\0").map(String.init)
  }

  /// What a folder holds; nothing if it is hidden from this user, or gone.
  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  /// A file's text; empty if it is gone.
  private static func text(_ process: URL, _ name: String) -> String {
    let path = process.appendingPathComponent(name).path
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
