import Formats

/// A row as SQLite stores it: a header with the type of each column, and the values.
///
/// The columns are named first and filled afterwards, in the same order.
struct RecordBuffer {
  /// The types, as numbers of variable length.
  private var types: [UInt8] = []
  private var values: [UInt8] = []

  /// Begins another row.
  mutating func removeAll() {
    types.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// How many bytes the record has.
  var byteCount: Int { headerBytes + values.count }

  // Its own length, of one byte or two, is part of the header.
  private var headerBytes: Int { types.count + (types.count < 127 ? 1 : 2) }

  mutating func appendNull() {
    types.append(0)
  }

  mutating func append(_ value: Int64) {
    switch value {
    case 0, 1: types.append(UInt8(8 + value))
    case -0x80..<0x80: append(value, type: 1, bytes: 1)
    case -0x8000..<0x8000: append(value, type: 2, bytes: 2)
    case -0x80_0000..<0x80_0000: append(value, type: 3, bytes: 3)
    case -0x8000_0000..<0x8000_0000: append(value, type: 4, bytes: 4)
    case -0x8000_0000_0000..<0x8000_0000_0000: append(value, type: 5, bytes: 6)
    default: append(value, type: 6, bytes: 8)
    }
  }

  private mutating func append(_ value: Int64, type: UInt8, bytes: Int) {
    types.append(type)
    for index in (0..<bytes).reversed() {
      values.append(UInt8(truncatingIfNeeded: value >> Int64(8 * index)))
    }
  }

  mutating func append(_ value: Double) {
    append(Int64(bitPattern: value.bitPattern), type: 7, bytes: 8)
  }

  mutating func append(text: Span<UInt8>) {
    RecordBuffer.appendVarint(UInt64(13 + 2 * text.count), to: &types)
    values.append(contentsOf: text)
  }

  mutating func append(blob: Span<UInt8>) {
    RecordBuffer.appendVarint(UInt64(12 + 2 * blob.count), to: &types)
    values.append(contentsOf: blob)
  }

  /// Writes the record behind other bytes.
  func write(to bytes: inout [UInt8]) {
    RecordBuffer.appendVarint(UInt64(headerBytes), to: &bytes)
    bytes.append(contentsOf: types.span)
    bytes.append(contentsOf: values.span)
  }

  /// Appends a number of up to 64 bits in groups of 7 bits, the greatest first; a ninth byte has 8.
  static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
    if value < 0x80 {
      bytes.append(UInt8(value))
      return
    }
    if value >= 1 << 56 {
      for group in (1...8).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(7 * group + 1)) | 0x80)
      }
      bytes.append(UInt8(truncatingIfNeeded: value))
      return
    }
    let groups = (63 - value.leadingZeroBitCount) / 7
    for group in (1...groups).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(7 * group)) | 0x80)
    }
    bytes.append(UInt8(value & 0x7F))
  }
}
