/// CSV fields after the first one of a row.
///
/// Each appends a comma and the field, which is empty if the value is missing or not finite.
extension OutputBuffer {
  mutating func field(_ text: String?) {
    append(UInt8(ascii: ","))
    if let text { append(csv: text) }
  }

  mutating func field(_ number: Int?) {
    append(UInt8(ascii: ","))
    if let number { append(decimal: number) }
  }

  mutating func fields(_ numbers: [Int]) {
    for number in numbers { field(number) }
  }

  mutating func field(_ flag: Bool?) { field(flag.map { $0 ? "true" : "false" }) }

  mutating func field(_ number: Double?, decimals: Int) {
    append(UInt8(ascii: ","))
    if let number, number.isFinite { append(number, decimals: decimals) }
  }

  mutating func field(instant milliseconds: Int64?) {
    append(UInt8(ascii: ","))
    if let milliseconds { append(instant: milliseconds) }
  }

  /// Text such as `checksum=2;late=1`, sorted by name.
  mutating func field(counts: [String: Int]?) {
    field(
      counts?.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";"))
  }
}
