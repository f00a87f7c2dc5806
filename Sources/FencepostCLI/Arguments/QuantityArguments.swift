import ArgumentParser
import FencepostFormats
import FencepostPlaces

/// A distance on the command line: `500`, `500m`, `0.5 km`, `100 ft`; without a unit it is meters.
struct DistanceArgument: ExpressibleByArgument, Equatable {
  /// The distance in metres, 0 or more.
  var meters: Double

  init(meters: Double) { self.meters = meters }

  /// Parses a number with an optional unit.
  init?(argument: String) {
    let meters = Quantity.parse(argument) { $0.isEmpty ? 1 : LengthUnit.meters($0) }
    // More than half the Earth's circumference.
    guard let meters, meters <= 21_000_000 else { return nil }
    self.meters = meters
  }

  var defaultValueDescription: String { "\(shortest(meters))m" }
}

/// A speed on the command line: `30`, `30m/s`, `50km/h`; without a unit it is metres per second.
struct SpeedArgument: ExpressibleByArgument, Equatable {
  /// The speed in metres per second, 0 or more.
  var metersPerSecond: Double

  init(metersPerSecond: Double) { self.metersPerSecond = metersPerSecond }

  /// Parses a number with an optional unit.
  init?(argument: String) {
    let speed = Quantity.parse(argument) { unit in
      switch unit {
      case "", "m/s": 1
      case "km/h", "kmh": 1 / 3.6
      default: nil
      }
    }
    guard let speed else { return nil }
    metersPerSecond = speed
  }

  var defaultValueDescription: String { "\(shortest(metersPerSecond))m/s" }
}

/// The speed of a replay relative to the track's clock: `1x`, `10x`, `0.5x`, `max`.
enum ReplaySpeed: ExpressibleByArgument, Equatable {
  /// As fast as possible.
  case maximum
  /// A factor above 0.
  case times(Double)

  /// Parses a number with an optional `x`, or `max`.
  init?(argument: String) {
    if argument == "max" {
      self = .maximum
      return
    }
    let times = Quantity.parse(argument) { $0.isEmpty || $0 == "x" || $0 == "×" ? 1 : nil }
    guard let times, times > 0 else { return nil }
    self = .times(times)
  }

  var defaultValueDescription: String {
    switch self {
    case .maximum: "max"
    case .times(let times): "\(shortest(times))x"
    }
  }
}

/// A number without `.0`.
private func shortest(_ value: Double) -> String {
  let text = value.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A length of time on the command line: `30s`, `10min`, `2h`, `7d`, `1h30min`; without a unit
/// it is seconds.
struct DurationArgument: ExpressibleByArgument, Equatable {
  /// The length, 0 or more.
  var milliseconds: Int64

  /// Makes a length in seconds.
  static func seconds(_ count: Int64) -> DurationArgument {
    DurationArgument(milliseconds: count * 1000)
  }

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Parses one or more numbers, each with its unit.
  init?(argument: String) {
    var rest = Substring(argument)
    var total = 0.0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard let (number, unit) = Quantity.split(&rest),
        let factor = Self.millisecondsPerUnit(unit),
        // No unit only for a single number: `1h30` is ambiguous.
        !unit.isEmpty || number.text.count == argument.count
      else { return nil }
      total += number.value * factor
    }
    guard total <= 1e15 else { return nil }
    milliseconds = Int64(total.rounded())
  }

  /// As the user would write it, in the largest possible units.
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

/// Parses numbers with units.
enum Quantity {
  /// A decimal number, 0 or more, with its text.
  struct Number {
    var value: Double
    var text: Substring
  }

  /// Takes a number and its unit off the front of a text.
  ///
  /// - Returns: Nil without a number; signs and exponents are not allowed.
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

  /// Parses one number with an optional unit.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - factor: Returns a unit's factor, nil for an unknown unit.
  /// - Returns: The number times its factor, nil for any other text.
  static func parse(_ text: String, factor: (Substring) -> Double?) -> Double? {
    var rest = Substring(text)
    guard let (number, unit) = split(&rest), rest.isEmpty, let factor = factor(unit) else {
      return nil
    }
    return number.value * factor
  }
}
