import ArgumentParser
import Formats

/// A length of time on the command line: `30s`, `10min`, `2h`, `7d`, `1h30min`; without a unit
/// it is seconds.
struct DurationArgument: ExpressibleByArgument, Equatable {
  /// The length, 0 or more.
  var milliseconds: Int64

  /// Makes a length of so many seconds.
  static func seconds(_ count: Int64) -> DurationArgument {
    DurationArgument(milliseconds: count * 1000)
  }

  /// Makes a length of milliseconds.
  init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Reads one or more numbers, each with its unit.
  init?(argument: String) {
    var rest = Substring(argument)
    var total = 0.0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard let (number, unit) = Quantity.split(&rest),
        let factor = Self.millisecondsPerUnit(unit),
        // Without a unit only alone: `1h30` may mean minutes to one and seconds to another.
        !unit.isEmpty || number.text.count == argument.count
      else { return nil }
      total += number.value * factor
    }
    guard total <= 1e15 else { return nil }
    milliseconds = Int64(total.rounded())
  }

  /// As the user would write it, in the largest units that leave no rest.
  var defaultValueDescription: String {
    var rest = milliseconds
    var text = ""
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000)] {
      let count = rest / Int64(size)
      if count > 0 { text += "\(count)\(unit)" }
      rest -= count * Int64(size)
    }
    if rest > 0 { text += "\(rest)ms" }
    return text.isEmpty ? "0s" : text
  }

  private static func millisecondsPerUnit(_ unit: Substring) -> Double? {
    switch unit {
    case "ms": 1
    case "", "s", "sec": 1000
    case "m", "min": 60_000
    case "h": 3_600_000
    case "d": 86_400_000
    case "w": 604_800_000
    default: nil
    }
  }
}

/// A number and its unit at the beginning of a text.
enum Quantity {
  /// A decimal number, 0 or more, and how it was written.
  struct Number {
    var value: Double
    var text: Substring
  }

  /// Takes a number and the letters after it off the text.
  ///
  /// - Returns: nil where there is no number; a sign and an exponent are none.
  static func split(_ text: inout Substring) -> (Number, Substring)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard digits.contains(where: \.isNumber), let value = Double(digits), value.isFinite else {
      return nil
    }
    text = text.dropFirst(digits.count)
    let unit = text.prefix { !($0.isASCII && $0.isNumber) }
    text = text.dropFirst(unit.count)
    return (Number(value: value, text: digits), unit)
  }

  /// Reads a text that is one number with or without a unit.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - factor: what a unit is worth, nil for an unknown one.
  /// - Returns: the number times its unit, nil for any other text.
  static func parse(_ text: String, factor: (Substring) -> Double?) -> Double? {
    var rest = Substring(text)
    guard let (number, unit) = split(&rest), rest.isEmpty, let factor = factor(unit) else {
      return nil
    }
    return number.value * factor
  }
}
