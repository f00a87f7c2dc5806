/// Reads the comma-separated fields of one framed NMEA sentence, from left to right.
///
/// Safe to use on a sentence that `NMEADecoder` framed: the byte at `end` is no digit and no comma
/// and at least ``slackBytes`` bytes from `end` on are readable, so that a scan that only goes past
/// digits and commas stops there, and a read of eight bytes anywhere in the sentence is allowed.
@safe
struct NMEAFieldReader {
  /// How many bytes behind the end of a sentence must be readable.
  static var slackBytes: Int { 16 }

  /// What a number field held.
  enum Number {
    static var absent: Float { .nan }
    static var unreadable: Float { -.infinity }
  }

  /// What a time or date field held when it held no time or date.
  static var none: Int32 { -1 }

  var address: UnsafeRawPointer
  private let end: UnsafeRawPointer

  @inline(__always)
  init(from address: UnsafeRawPointer, to end: UnsafeRawPointer) {
    // Every `unsafe` of this type compares the two addresses, or reads at most eight bytes at one that
    // no scan moves beyond `end` by more than eight: the slack is behind it. The sentence stays where
    // it is while the decoder that framed it has it read.
    unsafe self.address = address
    unsafe self.end = end
  }

  /// Bytes of the sentence not read yet.
  @inline(__always)
  var remainingCount: Int { unsafe end - address }

  /// The first eight bytes not read yet.
  @inline(__always)
  var head: EightBytes { word(0) }

  /// Goes behind the next `count` bytes, which the sentence must have.
  @inline(__always)
  mutating func skipBytes(_ count: Int) { advance(count) }

  /// The byte to be read next; the terminator when all are read.
  @inline(__always)
  var next: UInt8 { unsafe address.load(as: UInt8.self) }

  @inline(__always)
  func byte(_ offset: Int) -> UInt8 {
    unsafe address.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  func word(_ offset: Int) -> EightBytes { unsafe EightBytes(at: address + offset) }

  @inline(__always)
  mutating func advance(_ count: Int) { unsafe address += count }

  /// Goes behind the comma that stands here; false, without a step, when none does.
  @inline(__always)
  mutating func skipComma() -> Bool {
    guard next == UInt8(ascii: ",") else { return false }
    advance(1)
    return true
  }

  /// Goes behind the next comma; false, at the end, when there is none.
  mutating func skipField() -> Bool {
    while unsafe address < end {
      if skipComma() { return true }
      advance(1)
    }
    return false
  }

  /// Whether the whole sentence is read.
  @inline(__always)
  var isAtEnd: Bool { remainingCount <= 0 }

  /// Whether an address stands here as the standard forms it: letters and digits, then a comma.
  var startsWithAddress: Bool {
    let letters: ClosedRange<UInt8> = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard remainingCount >= 6, letters.contains(next) else { return false }
    for offset in 1..<min(remainingCount, 9) {
      let byte = byte(offset)
      if byte == UInt8(ascii: ",") { return offset >= 4 }
      guard letters.contains(byte) || digit(offset) != nil else { return false }
    }
    return false
  }

  /// Goes behind the next `count` commas; false when there are fewer.
  mutating func skipFields(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard skipField() else { return false }
    }
    return true
  }

  /// Whether a field ends here.
  @inline(__always)
  var isAtFieldEnd: Bool { unsafe address >= end || next == UInt8(ascii: ",") }

  /// Commas between here and the end of the sentence.
  var remainingCommaCount: Int {
    var count = 0
    for offset in 0..<remainingCount where byte(offset) == UInt8(ascii: ",") { count += 1 }
    return count
  }

  /// The value of the digit `offset` bytes on, nil when none stands there.
  @inline(__always)
  func digit(_ offset: Int) -> UInt8? {
    let value = byte(offset) &- 0x30
    return value < 10 ? value : nil
  }
}
