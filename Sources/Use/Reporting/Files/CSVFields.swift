/// CSV fields after the first one of a row.
///
/// Each has a comma before it, and is empty if the value is missing or not finite. The writer
/// appends the first field of a row itself, and the line end.
extension OutputBuffer {
  /// Appends texts, quoted where needed.
  mutating func fields(_ texts: String?...) {
    for text in texts {
      append(UInt8(ascii: ","))
      if let text { append(csv: text) }
    }
  }

  /// Appends whole numbers.
  mutating func fields(_ numbers: Int?...) {
    for number in numbers {
      append(UInt8(ascii: ","))
      if let number { append(decimal: number) }
    }
  }

  /// Appends numbers rounded to so many decimals.
  mutating func fields(_ numbers: Double?..., decimals: Int) {
    for number in numbers {
      append(UInt8(ascii: ","))
      if let number, number.isFinite { append(number, decimals: decimals) }
    }
  }

  /// Appends `true` or `false`.
  mutating func fields(_ flags: Bool?...) {
    for flag in flags { fields(flag.map { $0 ? "true" : "false" }) }
  }

  /// Appends instants in milliseconds since 1970 as ISO 8601 text in UTC.
  mutating func fields(instants: Int64?...) {
    for milliseconds in instants {
      append(UInt8(ascii: ","))
      if let milliseconds { append(instant: milliseconds) }
    }
  }

  /// Text such as `checksum=2;late=1`, sorted by name.
  mutating func field(counts: [String: Int]?) {
    fields(
      counts?.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";"))
  }
}
