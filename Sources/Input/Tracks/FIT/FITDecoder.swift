package import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes FIT, the binary format of Garmin, Wahoo, Coros, Suunto, Hammerhead and others.
///
/// A `record` message with a position is a fix; one without is rejected as `void`, since it only
/// holds other sensor data. A segment begins when the timer restarts after a pause and when a
/// session ends. If several files are concatenated, each is a track. Compressed timestamps and
/// developer fields are supported. Errors give byte offsets.
///
/// A message without a definition ends the decoding, because its length is unknown. A wrong
/// checksum is thrown at the end of its file, after all fixes.
package struct FITDecoder: FixDecoder, Sendable {
  /// What comes next in a file.
  private enum Stage {
    case header
    case messages
    case checksum
  }

  /// Garmin's epoch, 1989-12-31T00:00:00Z, in seconds since 1970.
  private static var epochSeconds: Int64 { 631_065_600 }
  /// Smaller timestamps count seconds since power-on.
  private static var leastTimestamp: UInt32 { 0x1000_0000 }
  /// What devices write for an unknown latitude or longitude.
  private static var invalidPosition: UInt32 { 0x7FFF_FFFF }

  /// What is read next; a source may hold several files.
  private var stage = Stage.header
  /// The bytes not decoded yet, and before them those up to `position`.
  private var pending: [UInt8] = []
  private var position = 0
  /// The offset of the first pending byte in the source.
  private var baseOffset = 0
  /// The message bytes still to come; nil if the header does not state the length.
  private var remaining: Int?
  private var checksum = FITChecksum()
  /// Whether the last bytes of a file without a length belong to a message.
  private var isWithoutChecksum = false
  /// The layout of messages by local number, 0 to 15; nil until it is defined.
  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  /// The last time, in seconds since Garmin's epoch or since power-on.
  private var timestamp: UInt32?
  private var assembler = PathAssembler()
  /// A wrong checksum, which is thrown once everything was decoded.
  private var fault: DecodeError?
  private var headerNotices: [String] = []
  /// Midnight of the start date, in milliseconds since 1970.
  private let startMilliseconds: Int64?
  /// The first timestamp that counts from power-on.
  private var firstRelative: UInt32?

  /// Warnings about headers, and about times that count from power-on.
  package var notices: [String] {
    guard firstRelative != nil, startMilliseconds == nil else { return headerNotices }
    return headerNotices + [
      "the device did not know the date, so the fixes have no times; set it with --date"
    ]
  }

  /// Creates a decoder; `startDay` dates files without a date, in days since 1970, from midnight.
  package init(startDay: Int32? = nil) {
    startMilliseconds = startDay.map { Int64($0) * 86_400_000 }
  }

  /// Whether the bytes begin like a FIT file; nil if more are needed.
  static func isFIT(_ bytes: Span<UInt8>) -> Bool? {
    guard let first = bytes.count > 0 ? bytes[0] : nil, first == 12 || first == 14 else {
      return false
    }
    guard bytes.count >= 12 else { return nil }
    return bytes.extracting(8..<12).equals(".FIT")
  }

  /// Decodes the messages that the next bytes complete.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    if position > 0 {
      pending.removeFirst(position)
      baseOffset += position
      position = 0
    }
    pending.append(contentsOf: bytes)
    while try step(into: &batch) {}
  }

  /// Ends the source; throws if it ends too early or a checksum is wrong.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    if stage == .messages, remaining == nil, pending.count - position > 2 {
      isWithoutChecksum = true
      while try step(into: &batch) {}
    }
    let rest = pending.count - position
    switch stage {
    case .header where rest == 0: break
    case .messages where remaining == nil && rest == (isWithoutChecksum ? 0 : 2):
      headerNotices.append("its header has no length; the recording was probably cut off")
    default: throw fault ?? error("the FIT file ends too early", at: pending.count)
    }
    if let fault { throw fault }
  }

  /// Reads a header, message or checksum; false if more bytes are needed.
  private mutating func step(into batch: inout FixBatch) throws(DecodeError) -> Bool {
    // Moved out of `self`, so that the bytes can be borrowed while the state changes.
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    defer { swap(&bytes, &pending) }
    let rest = bytes.span.extracting(position..<bytes.count)
    switch stage {
    case .header: return try readHeader(rest)
    case .messages where remaining == 0:
      stage = .checksum
      return true
    case .messages: return try readMessage(rest, into: &batch)
    case .checksum: return readChecksum(rest)
    }
  }

  /// Goes on behind bytes, which count in the checksum.
  private mutating func advance(_ bytes: Span<UInt8>) {
    checksum.add(bytes)
    position += bytes.count
  }

  /// An error at an index of the pending bytes, or where decoding stands.
  private func error(_ sentence: String, at index: Int? = nil) -> DecodeError {
    DecodeError(sentence, byteOffset: baseOffset + (index ?? position))
  }

  // MARK: Header and checksum

  /// Reads a header of 12 or 14 bytes, which begins a track.
  private mutating func readHeader(_ bytes: Span<UInt8>) throws(DecodeError) -> Bool {
    guard !bytes.isEmpty else { return false }
    guard let isFIT = Self.isFIT(bytes) else { return false }
    guard isFIT else { throw fault ?? error("the data after the FIT file is not another FIT file") }
    let size = Int(bytes[0])
    guard bytes.count >= size else { return false }
    var header = FITChecksum()
    header.add(bytes.extracting(first: 12))
    // Zero means that the header has no checksum.
    let stated = size == 14 ? UInt16(bytes[12]) | UInt16(bytes[13]) << 8 : 0
    if stated != 0, stated != header.value {
      headerNotices.append(
        "the checksum of the header at byte \(baseOffset + position) does not match")
    }
    checksum = FITChecksum()
    let length = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
    remaining = length > 0 ? length : nil
    advance(bytes.extracting(first: size))
    definitions = [FITDefinition?](repeating: nil, count: 16)
    timestamp = nil
    assembler.beginTrack()
    stage = .messages
    return true
  }

  /// Compares the checksum with the bytes; a difference is thrown at the end.
  private mutating func readChecksum(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 2 else { return false }
    let stated = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    if stated != checksum.value, fault == nil {
      let (was, should) = (String(stated, radix: 16), String(checksum.value, radix: 16))
      fault = error("the FIT file is damaged: its checksum is \(was), but its bytes give \(should)")
    }
    position += 2
    stage = .header
    return true
  }

  // MARK: Messages

  /// Reads a definition or a data message; false if more bytes are needed.
  private mutating func readMessage(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) -> Bool {
    // If the length is unknown, the last two bytes may be the checksum until the file ends.
    let available =
      remaining.map { min($0, bytes.count) } ?? max(0, bytes.count - (isWithoutChecksum ? 0 : 2))
    guard available > 0 else { return false }
    let header = bytes[0]
    let count: Int?
    if header & 0xC0 == 0x40 {
      count = FITDefinition.byteCount(
        bytes.extracting(first: available), hasDeveloperFields: header & 0x20 != 0)
    } else {
      count = 1 + (try definition(header).byteCount)
    }
    if let remaining, count.map({ $0 > remaining }) ?? (remaining <= available) {
      throw fault ?? error("a FIT message extends beyond the end stated in the header")
    }
    guard let count, count <= available else { return false }
    let message = bytes.extracting(first: count)
    if header & 0xC0 == 0x40 {
      definitions[Int(header & 0x0F)] = FITDefinition(
        message, hasDeveloperFields: header & 0x20 != 0)
    } else {
      try take(message.extracting(1..<count), try definition(header), header, into: &batch)
    }
    advance(message)
    remaining = remaining.map { $0 - count }
    return true
  }

  /// The layout of a data message by the local number in its header byte.
  private func definition(_ header: UInt8) throws(DecodeError) -> FITDefinition {
    let number = header & 0x80 != 0 ? header >> 5 & 0x03 : header & 0x0F
    guard let definition = definitions[Int(number)] else {
      throw fault ?? error("a FIT message of local type \(number) has no definition")
    }
    return definition
  }

  /// Reads what a data message says about time, position or segments.
  private mutating func take(
    _ bytes: Span<UInt8>, _ definition: FITDefinition, _ header: UInt8, into batch: inout FixBatch
  ) throws(DecodeError) {
    if header & 0x80 != 0 {
      // Advances to the next time whose low five bits equal those of the header.
      timestamp = timestamp.map { $0 &+ (UInt32(header & 0x1F) &- $0) & 0x1F }
    } else if let time = definition.value(definition.timestamp, width: 4, bytes), time != .max {
      timestamp = time
    }
    switch definition.message {
    case .record: try takeRecord(bytes, definition, into: &batch)
    case .event:
      // Event 0 is the timer; type 0 is its start.
      let event = definition.value(definition.event, width: 1, bytes)
      let type = definition.value(definition.eventType, width: 1, bytes)
      if event == 0, type == 0 { assembler.beginSegment() }
    case .session: assembler.beginSegment()
    case nil: break
    }
  }

  /// Makes a fix of a record; `void` if the device had no position.
  private mutating func takeRecord(
    _ bytes: Span<UInt8>, _ definition: FITDefinition, into batch: inout FixBatch
  ) throws(DecodeError) {
    let offset = baseOffset + position
    guard let latitude = definition.value(definition.latitude, width: 4, bytes),
      let longitude = definition.value(definition.longitude, width: 4, bytes),
      latitude != Self.invalidPosition, longitude != Self.invalidPosition
    else { return batch.reject(.void, byteOffset: offset, detail: "the record has no position") }
    var fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: Self.degrees(latitude), longitudeDegrees: Self.degrees(longitude)))
    guard fix.coordinate.isValid else { return batch.reject(.coordinate, byteOffset: offset) }
    fix.timeMilliseconds = time()
    setMotion(&fix, bytes, definition)
    try assembler.add(fix, rank: 0, SourcePosition(byteOffset: offset), into: &batch)
  }

  /// The current timestamp in milliseconds since 1970; nil if it has no date.
  private mutating func time() -> Int64? {
    guard let timestamp else { return nil }
    guard timestamp < Self.leastTimestamp else {
      return (Self.epochSeconds + Int64(timestamp)) * 1000
    }
    let first = firstRelative ?? timestamp
    firstRelative = first
    return startMilliseconds.map { $0 + (Int64(timestamp) - Int64(first)) * 1000 }
  }

  /// 2³¹ semicircles are 180°.
  private static func degrees(_ semicircles: UInt32) -> Double {
    Double(Int32(bitPattern: semicircles)) * (180 / 2_147_483_648)
  }

  /// Sets the speed, stored in mm/s, and the accuracy, stored in m; both may be missing.
  private func setMotion(_ fix: inout Fix, _ bytes: Span<UInt8>, _ definition: FITDefinition) {
    if let speed = definition.value(definition.enhancedSpeed, width: 4, bytes), speed != .max {
      fix.setSpeed(Double(speed) / 1000)
    } else if let speed = definition.value(definition.speed, width: 2, bytes), speed != 0xFFFF {
      fix.setSpeed(Double(speed) / 1000)
    }
    if let accuracy = definition.value(definition.accuracy, width: 1, bytes), accuracy != 0xFF {
      fix.setAccuracy(Double(accuracy))
    }
  }
}

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

  /// The kind of message; nil for one that a fix does not need.
  let message: Message?
  /// The byte order of numbers, which each device chooses.
  let isBigEndian: Bool
  /// The bytes of a data message after its header, including developer fields.
  private(set) var byteCount = 0
  /// The places of the fields that are used; their numbers are those of the FIT profile.
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

/// The checksum of FIT files: CRC-16 with the reversed polynomial 0xA001, starting at 0.
///
/// Garmin's "FIT Protocol" has it as a table of 16 entries, one for each half of a byte; the result
/// is the same.
struct FITChecksum: Sendable, Equatable {
  /// The checksum of the bytes so far.
  private(set) var value: UInt16 = 0

  /// The effect of each byte, so that no bit has to be looked at.
  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
  }

  mutating func add(_ bytes: Span<UInt8>) {
    let table = Self.table
    var crc = value
    for index in bytes.indices { crc = crc >> 8 ^ table[Int((crc ^ UInt16(bytes[index])) & 0xFF)] }
    value = crc
  }
}
