import FencepostFormats

/// A radius as people write it: `100`, `1,5 km`, `300ft`.
///
/// A lone point or comma is read as the decimal mark, but is ambiguous before three digits.
struct RadiusText {
  /// The number with a decimal point, and the unit with any space before it.
  private let number: String
  private let unit: String
  /// The radius in meters, if the mark is decimal.
  let meters: Double
  /// Whether the number has no unit and means meters.
  private let isInMeters: Bool
  /// The point or comma in the number, if any.
  let mark: UInt8?

  /// Parses text without surrounding spaces; nil if it is not a number or the unit is unknown.
  init?(_ text: Span<UInt8>, bareUnitMeters: Double = 1) {
    guard text.count > 0, text.count <= 64 else { return nil }
    var digits: [UInt8] = []
    var mark: UInt8?
    while digits.count < text.count {
      let byte = text[digits.count]
      if Self.isMark(byte) {
        guard mark == nil else { return nil }
        mark = byte
        digits.append(UInt8(ascii: "."))
      } else if byte &- 0x30 <= 9 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        digits.append(byte)
      } else {
        break
      }
    }
    unit = String(utf8: text.extracting(digits.count..<text.count))
    guard let factor = unit.isEmpty ? bareUnitMeters : LengthUnit.meters(unit),
      let value = DecimalNumber.double(parsing: digits.span)
    else { return nil }
    number = String(utf8: digits.span)
    meters = value * factor
    self.mark = mark
    isInMeters = unit.isEmpty && bareUnitMeters == 1
  }

  static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
  }

  /// Whether the mark may divide thousands, as in `1.500`.
  var isAmbiguous: Bool {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    return parts[1].utf8.count == 3 && 1...3 ~= parts[0].utf8.count
      && ("1"..."9").contains(parts[0].prefix(1))
  }

  /// Both readings of an ambiguous number, as people would write them.
  var readings: (grouped: String, decimal: String) {
    let decimal = number.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()
    return (number.filter { $0 != "." } + unit, String(decimal) + unit)
  }

  /// Explains the doubt and how to resolve it, as a sentence without a period.
  func doubt(about text: String) -> String {
    let (grouped, decimal) = readings
    let meters = isInMeters ? " m" : ""
    return "the radius “\(text)” may be \(grouped)\(meters) or \(decimal)\(meters);"
      + " write \(grouped) or \(decimal)"
  }
}
