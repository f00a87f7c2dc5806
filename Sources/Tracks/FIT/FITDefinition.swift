import FencepostFormats

/// What a definition message says of the data messages that follow with its local number.
///
/// After Garmin's "Flexible and Interoperable Data Transfer (FIT) Protocol", sections "Definition Message" and "Developer
/// Data". Only the fields that make a fix are kept; all others are skipped by their size.
struct FITDefinition: Sendable {
  /// The messages that matter, by their global numbers in the FIT profile.
  enum Message: UInt16 {
    case session = 18
    case record = 20
    case event = 21
  }

  /// Where a field is in a data message; absent with size 0.
  struct Field: Sendable {
    var offset = 0
    var size = 0
  }

  /// The size of the fixed part of a definition message, from its header to the number of fields.
  static var leadBytes: Int { 6 }

  let message: Message?
  let isBigEndian: Bool
  /// How many bytes a data message has after its header, with developer fields.
  private(set) var byteCount = 0
  private(set) var timestamp = Field()
  private(set) var latitude = Field()
  private(set) var longitude = Field()
  private(set) var speed = Field()
  private(set) var enhancedSpeed = Field()
  private(set) var accuracy = Field()
  private(set) var event = Field()
  private(set) var eventType = Field()

  /// Reads a whole definition message.
  ///
  /// - Parameters:
  ///   - bytes: The message from its header on.
  ///   - hasDeveloperFields: Whether the header says that developer fields follow.
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

  /// How many bytes a definition message has, nil if more are needed to tell.
  static func byteCount(_ bytes: Span<UInt8>, hasDeveloperFields: Bool) -> Int? {
    guard bytes.count >= leadBytes else { return nil }
    let fields = leadBytes + 3 * Int(bytes[5])
    guard hasDeveloperFields else { return fields }
    return bytes.count > fields ? fields + 1 + 3 * Int(bytes[fields]) : nil
  }

  /// Notes a field by its number in the FIT profile.
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

  /// A value of a data message; nil if the field is absent or shorter.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - width: The bytes of the value: 1, 2 or 4.
  ///   - bytes: The data message after its header.
  /// - Returns: The value as an unsigned integer.
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
