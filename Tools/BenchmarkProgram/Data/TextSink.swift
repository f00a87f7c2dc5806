import Glibc

/// Bytes on their way into a file that is being made.
struct TextSink: ~Copyable {
  private var bytes: [UInt8] = []
  private let descriptor: Int32
  private let path: String

  /// Creates the file, or empties it.
  init(path: String) throws(BenchmarkFailure) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchmarkFailure("\(path) cannot be written") }
    bytes.reserveCapacity(1 << 20)
  }

  deinit { close(descriptor) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ text: StaticString) {
    // The literal lives as long as the program.
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  mutating func append(_ number: Int) { append(number, digits: 1) }

  /// Appends a number with zeros in front up to some digits.
  mutating func append(_ number: Int, digits: Int) { bytes.append(number, digits: digits) }

  /// Appends `number` divided by 10 to the power of `decimals`.
  mutating func append(_ number: Int, decimals: Int) { bytes.append(number, decimals: decimals) }

  /// Writes out what there is, once it is much.
  mutating func flushIfFull() throws(BenchmarkFailure) {
    if bytes.count > 1 << 20 { try flush() }
  }

  /// Writes out what there is.
  mutating func flush() throws(BenchmarkFailure) {
    var written = 0
    while written < bytes.count {
      let descriptor = descriptor
      let done = unsafe bytes.withUnsafeBytes { all in
        // `written` is below the count, which the loop saw to.
        unsafe Glibc.write(
          descriptor, all.baseAddress.map { unsafe $0 + written }, all.count - written)
      }
      guard done > 0 else { throw BenchmarkFailure("\(path) cannot be written") }
      written += done
    }
    bytes.removeAll(keepingCapacity: true)
  }
}

extension [UInt8] {
  /// Appends a number with zeros in front up to some digits.
  mutating func append(_ number: Int, digits: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let first = count
    var written = 0
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      written += 1
    } while rest > 0 || written < digits
    self[first...].reverse()
  }

  /// Appends `number` divided by 10 to the power of `decimals`.
  mutating func append(_ number: Int, decimals: Int) {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    if number < 0 { append(UInt8(ascii: "-")) }
    append(Int(number.magnitude) / scale, digits: 1)
    append(UInt8(ascii: "."))
    append(Int(number.magnitude) % scale, digits: decimals)
  }
}
