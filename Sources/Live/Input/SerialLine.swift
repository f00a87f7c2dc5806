import Glibc

/// A serial line in raw mode, and the search for its speed.
///
/// A speed is right once two sentences with a valid checksum have come; the bytes until then are kept.
/// The search starts over when valid checksums cease for long.
struct SerialLine {
  /// The order of the search, in bits per second: most receivers' default, the NMEA standard's, newer
  /// receivers', then common settings for fast reports.
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
  /// Whether the speed is still unknown.
  private(set) var isProbing: Bool
  /// Whether every speed was tried in vain since the line was opened.
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

  /// Locks a line against other programs that lock what they read, as long as the descriptor is open.
  ///
  /// The lock goes with the process, however that ends. A device that is not a line needs none.
  ///
  /// - Returns: False if another program holds the lock.
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

  /// When to call ``tick(now:)``.
  var dueMilliseconds: Int64? { isProbing ? probeEndMilliseconds : nil }

  /// Takes bytes from the line.
  ///
  /// - Returns: The bytes to decode: none during the search, and at its end all that came at the right
  ///   speed.
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

/// Counts sentences with a valid checksum.
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
