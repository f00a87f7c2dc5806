/// Numbers with units, as people write them: `500m`, `50km/h`, `1h30min`.
///
/// Options and columns of tables accept them. The decimal sign is always a point.
package enum Quantity {
  /// Removes a number, 0 or more, and its unit from the start of a text.
  ///
  /// - Returns: Nil without a number; signs and exponents are not allowed.
  package static func split(_ text: inout Substring) -> (number: Double, unit: Substring)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard digits.contains(where: { $0.isNumber }), let value = Double(digits), value.isFinite else {
      return nil
    }
    text = text.dropFirst(digits.count)
    let unit = text.prefix { !($0.isASCII && $0.isNumber) }
    text = text.dropFirst(unit.count)
    let trimmed = unit.drop { $0 == " " }
    return (value, trimmed.dropLast(trimmed.reversed().prefix { $0 == " " }.count))
  }

  /// One number times the factor of its unit; nil for other text and unknown units.
  package static func parse(_ text: String, factor: (Substring) -> Double?) -> Double? {
    var rest = Substring(text)
    guard let (number, unit) = split(&rest), rest.isEmpty, let factor = factor(unit) else {
      return nil
    }
    return number * factor
  }

  /// A number without `.0`.
  package static func shortest(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A speed in m/s, which needs no unit: `30`, `30m/s`, `50km/h`; nil for other text.
  package static func metersPerSecond(_ text: String) -> Double? {
    let factors = [
      "": 1, "m/s": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "mph": 0.44704, "kn": 1852.0 / 3600,
    ]
    return parse(text) { factors[String($0)] }
  }
}

extension StringProtocol {
  /// The text without white space around it.
  package var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}
