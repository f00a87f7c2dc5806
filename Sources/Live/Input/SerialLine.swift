import Glibc

/// A serial line in raw mode, and the search for its speed.
///
/// A speed is right when two sentences with a right checksum have come; what came with them is kept.
/// The search also begins anew when a receiver that talked sense has talked nonsense for long.
struct SerialLine {
  /// The order of the search, in bits a second: the default of most receivers first, then that of the
  /// NMEA standard, of newer receivers, and what receivers are set to for fast reports.
  private static var candidates: [Int] { [9600, 4800, 38_400, 115_200, 57_600, 19_200] }
  /// Receivers report every second, slow ones every two.
  private static var probeMilliseconds: Int64 { 2500 }
  private static var rightCount: Int { 2 }
  /// So many bytes without a right checksum are nonsense.
  private static var nonsenseBytes: Int { 4096 }

  private let descriptor: Int32
  private let baud: BaudRate
  private var candidate = 0
  private var probeEndMilliseconds: Int64 = 0
  private var kept: [UInt8] = []
  private var check = ChecksumCounter()
  private var bytesSinceRight = 0

  /// Whether the descriptor is a terminal line at all; a pipe or a file has no speed.
  let isLine: Bool
  /// Whether the speed is not known yet.
  private(set) var isProbing: Bool
  /// Whether every speed was tried since the line was opened, and none was right.
  private(set) var hasTriedAll = false

  /// Sets the line to raw mode.
  init(_ descriptor: Int32, baud: BaudRate, now: Int64) {
    self.descriptor = descriptor
    self.baud = baud
    isLine = isatty(descriptor) == 1
    isProbing = isLine && baud == .auto
    guard isLine else { return }
    setSpeed(rate)
    probeEndMilliseconds = now + Self.probeMilliseconds
  }

  /// The speed of the line in bits a second; nil if the device is not a serial line.
  var speed: Int? { isLine ? rate : nil }

  private var rate: Int {
    switch baud {
    case .auto: Self.candidates[candidate]
    case .bitsPerSecond(let rate): rate
    }
  }

  /// When to call ``tick(now:)``.
  var dueMilliseconds: Int64? { isProbing ? probeEndMilliseconds : nil }

  /// Takes what was read.
  ///
  /// - Returns: What is to be decoded: nothing during the search, and all that came at the right speed
  ///   at its end.
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

  /// Time has passed: goes on to the next speed where nothing sensible has come at this one.
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
    // The settings are ours in every call, and of the size the system expects.
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return }
    unsafe cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
    settings.c_cflag &= ~tcflag_t(CRTSCTS)
    unsafe cfsetispeed(&settings, code)
    unsafe cfsetospeed(&settings, code)
    // A line that refuses a speed brings no checksum, and the search goes on.
    _ = unsafe tcsetattr(descriptor, TCSANOW, &settings)
  }
}

/// Counts the sentences whose checksum is right.
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
      // Nothing but printable ASCII stands in a sentence.
      if 0x20..<0x7F ~= byte { folded ^= byte } else { phase = .between }
    case .digits:
      digits.append(byte)
      guard digits.count == 2 else { break }
      if UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == folded { rightCount += 1 }
      phase = .between
    }
  }
}
