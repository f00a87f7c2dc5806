import FencepostFormats

/// The layout of data messages with one local number, from a definition message.
///
/// From Garmin's "Flexible and Interoperable Data Transfer (FIT) Protocol", sections "Definition
/// Message" and "Developer Data". Fields that a fix does not need are skipped by size.
struct FITDefinition: Sendable {
  /// The messages used, by their global numbers in the FIT profile.
  enum Message: UInt16 {
    case session = 18
    case record = 20
    case event = 21
  }

  /// A field's place in a data message; size 0 means absent.
  struct Field: Sendable {
    var offset = 0
    var size = 0
  }

  /// The bytes from the header through the field count.
  static var leadBytes: Int { 6 }

  let message: Message?
  let isBigEndian: Bool
  /// The bytes of a data message after its header, including developer fields.
  private(set) var byteCount = 0
  private(set) var timestamp = Field()
  private(set) var latitude = Field()
  private(set) var longitude = Field()
  private(set) var speed = Field()
  private(set) var enhancedSpeed = Field()
  private(set) var accuracy = Field()
  private(set) var event = Field()
  private(set) var eventType = Field()

  /// Parses a complete definition message, from its header byte.
  init(_ bytes: Span<UInt8>, hasDeveloperFields: Bool) {
    isBigEndian = bytes[2] & 1 == 1
    let (low, high) = isBigEndian ? (bytes[4], bytes[3]) : (bytes[3], bytes[4])
    message = Message(rawValue: UInt16(high) << 8 | UInt16(low))
    let fieldCount = Int(bytes[5])
    for index in 0..<fieldCount {
      let start = Self.leadBytes + 3 * index
      add(number: bytes[start], size: Int(bytes[start + 1]))
    }
    guard hasDeveloperFields else { return }
    let developer = Self.leadBytes + 3 * fieldCount
    for index in 0..<Int(bytes[developer]) {
      byteCount += Int(bytes[developer + 1 + 3 * index + 1])
    }
  }

  /// The size of a definition message in bytes; nil if more bytes are needed.
  static func byteCount(_ bytes: Span<UInt8>, hasDeveloperFields: Bool) -> Int? {
    guard bytes.count >= leadBytes else { return nil }
    let fields = leadBytes + 3 * Int(bytes[5])
    guard hasDeveloperFields else { return fields }
    return bytes.count > fields ? fields + 1 + 3 * Int(bytes[fields]) : nil
  }

  private mutating func add(number: UInt8, size: Int) {
    let field = Field(offset: byteCount, size: size)
    byteCount += size
    switch (message, number) {
    case (_, 253): timestamp = field
    case (.record, 0): latitude = field
    case (.record, 1): longitude = field
    case (.record, 6): speed = field
    case (.record, 73): enhancedSpeed = field
    case (.record, 31): accuracy = field
    case (.event, 0): event = field
    case (.event, 1): eventType = field
    default: break
    }
  }

  /// Reads an unsigned value of 1, 2 or 4 bytes; nil if the field is absent or shorter.
  func value(_ field: Field, width: Int, _ bytes: Span<UInt8>) -> UInt32? {
    guard field.size >= width else { return nil }
    var value: UInt32 = 0
    for index in 0..<width {
      let shift = UInt32(8 * (isBigEndian ? width - 1 - index : index))
      value |= UInt32(bytes[field.offset + index]) << shift
    }
    return value
  }
}
