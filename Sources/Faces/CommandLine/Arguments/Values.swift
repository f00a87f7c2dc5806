#if Command
public import ArgumentParser
import FencepostFormats
public import FencepostGeodesy
public import FencepostNotifications
import FencepostPlaces

/// Throws the parser's error for wrong usage unless a demand is met; the exit status is then 64.
func require(_ isMet: Bool, _ demand: String) throws {
  if !isMet { throw ValidationError(demand) }
}

extension ArgumentHelp {
  /// The help of an option: the name of its value, one sentence, and what else there is to know.
  static func value(_ name: String, _ abstract: String, _ discussion: String = "") -> ArgumentHelp {
    ArgumentHelp(abstract, discussion: discussion, valueName: name)
  }
}

// An option is its value's name, what it does, and what else there is to know.

extension Option where Value: ExpressibleByArgument {
  init(
    wrappedValue: Value, name: NameSpecification = .long, _ value: String, _ abstract: String,
    _ discussion: String = "", completion: CompletionKind? = nil
  ) {
    let help = ArgumentHelp.value(value, abstract, discussion)
    self.init(wrappedValue: wrappedValue, name: name, help: help, completion: completion)
  }

  init(_ value: String, _ abstract: String, completion: CompletionKind? = nil) {
    self.init(help: .value(value, abstract), completion: completion)
  }
}

extension Option {
  init<T: ExpressibleByArgument>(
    name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next, _ value: String,
    _ abstract: String, _ discussion: String = "", completion: CompletionKind? = nil
  ) where Value == T? {
    let help = ArgumentHelp.value(value, abstract, discussion)
    self.init(name: name, parsing: parsing, help: help, completion: completion)
  }

  init<T: ExpressibleByArgument>(
    wrappedValue: [T], name: NameSpecification = .long, _ value: String, _ abstract: String,
    _ discussion: String = "", completion: CompletionKind? = nil
  ) where Value == [T] {
    let help = ArgumentHelp.value(value, abstract, discussion)
    self.init(wrappedValue: wrappedValue, name: name, help: help, completion: completion)
  }
}

extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable<String> {
  /// The words for the cases.
  ///
  /// The parser's own version uses key paths, for which Swift searches all types of the program
  /// once for each enumeration: 6 % of what a replay of ten fixes takes.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}

// MARK: - Wrappers

/// A value on the command line, or the word `none`.
///
/// Options that set a limit have it, so that the user can ask for no limit.
struct OrNone<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  /// The value; nil for the word `none`.
  let value: Value?

  static func some(_ value: Value) -> OrNone { OrNone(value: value) }

  init(value: Value?) { self.value = value }

  init?(argument: String) {
    value = Value(argument: argument)
    if value == nil, argument != "none" { return nil }
  }

  var defaultValueDescription: String { value?.defaultValueDescription ?? "none" }

  static var allValueStrings: [String] {
    Value.allValueStrings.isEmpty ? [] : Value.allValueStrings + ["none"]
  }
}

extension OrNone: Equatable where Value: Equatable {}

/// Comma-separated values on the command line, at least one: `10,20,50`.
struct ListArgument<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  let values: [Value]

  init(_ values: [Value]) { self.values = values }

  /// Parses a list; empty items are errors.
  init?(argument: String) {
    let items = argument.split(separator: ",", omittingEmptySubsequences: false)
    values = items.compactMap { Value(argument: String($0.drop { $0 == " " })) }
    if values.count < items.count { return nil }
  }

  var defaultValueDescription: String {
    values.map(\.defaultValueDescription).joined(separator: ",")
  }
}

// MARK: - Quantities

/// A distance on the command line, in meters without a unit: `500`, `500m`, `0.5 km`, `100 ft`.
struct DistanceArgument: ExpressibleByArgument, Equatable {
  /// From 0 to 21,000,000 m, more than half the Earth's circumference.
  let meters: Double

  init(meters: Double) { self.meters = meters }

  init?(argument: String) {
    let meters = Quantity.parse(argument) { $0.isEmpty ? 1 : LengthUnit.meters($0) }
    guard let meters, meters <= 21_000_000 else { return nil }
    self.meters = meters
  }

  var defaultValueDescription: String { "\(Quantity.shortest(meters))m" }
}

/// A range of distances on the command line: `50..300`, `50m..0.3km`.
///
/// Both ends belong to the range. They are above 0 and at most 20,000,000 m.
struct RangeArgument: ExpressibleByArgument, Equatable {
  let meters: ClosedRange<Double>

  init(meters: ClosedRange<Double>) { self.meters = meters }

  init?(argument: String) {
    guard let dots = argument.firstRange(of: ".."),
      let least = DistanceArgument(argument: String(argument[..<dots.lowerBound])),
      let greatest = DistanceArgument(argument: String(argument[dots.upperBound...])),
      least.meters > 0, least.meters <= greatest.meters, greatest.meters <= 20_000_000
    else { return nil }
    meters = least.meters...greatest.meters
  }

  var defaultValueDescription: String {
    DistanceArgument(meters: meters.lowerBound).defaultValueDescription + ".."
      + DistanceArgument(meters: meters.upperBound).defaultValueDescription
  }
}

/// A speed on the command line, in m/s without a unit: `30`, `30m/s`, `50km/h`, `20mph`.
struct SpeedArgument: ExpressibleByArgument, Equatable {
  let metersPerSecond: Double

  init(metersPerSecond: Double) { self.metersPerSecond = metersPerSecond }

  init?(argument: String) {
    guard let speed = Quantity.metersPerSecond(argument) else { return nil }
    metersPerSecond = speed
  }

  var defaultValueDescription: String { "\(Quantity.shortest(metersPerSecond))m/s" }
}

/// The speed of a replay relative to the track's clock: `1x`, `10x`, `0.5x`, `max`.
struct ReplaySpeed: ExpressibleByArgument, Equatable {
  /// A factor above 0; nil for as fast as possible.
  let times: Double?

  static let maximum = ReplaySpeed(times: nil)

  init(times: Double?) { self.times = times }

  init?(argument: String) {
    times = Quantity.parse(argument) { ["", "x", "×"].contains($0) ? 1 : nil }
    if times ?? 0 <= 0, argument != "max" { return nil }
  }

  var defaultValueDescription: String { times.map { "\(Quantity.shortest($0))x" } ?? "max" }
}

/// A duration on the command line, in seconds without a unit: `90s`, `10min`, `7d`, `1h30m`.
struct DurationArgument: ExpressibleByArgument, Equatable {
  let milliseconds: Int64

  static func seconds(_ count: Int64) -> DurationArgument {
    DurationArgument(milliseconds: count * 1000)
  }

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Parses one or more numbers, each with its unit.
  init?(argument: String) {
    let factors = [
      "ms": 1.0, "": 1000, "s": 1000, "sec": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000,
      "d": 86_400_000, "w": 604_800_000,
    ]
    var rest = Substring(argument)
    var total = 0.0
    repeat {
      // Only a single number may lack its unit, because `1h30` is ambiguous.
      let isWhole = rest.count == argument.count
      guard let (number, unit) = Quantity.split(&rest), let factor = factors[String(unit)],
        !unit.isEmpty || (isWhole && rest.isEmpty)
      else { return nil }
      total += number * factor
    } while !rest.isEmpty
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
}

/// A share on the command line, such as `0.3`, of notifications or runs.
struct ShareArgument: ExpressibleByArgument, Sendable {
  /// From 0 to 1.
  let share: Double

  init(_ share: Double) { self.share = share }

  init?(argument: String) {
    guard let share = DecimalNumber.double(parsing: argument), (0...1).contains(share) else {
      return nil
    }
    self.share = share
  }

  var defaultValueDescription: String { "\(share)" }
}

// MARK: - Positions

extension Coordinate: ExpressibleByArgument {
  /// Parses `LAT,LON` in decimal degrees, such as `39.9496,-75.1503`.
  public init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else { return nil }
    self.init(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard isValid else { return nil }
  }

  /// Reads a decimal number with blanks around it; nil for any other text.
  private static func degrees(_ text: Substring) -> Double? {
    // `Double` also accepts hexadecimals, `nan` and `inf`.
    let trimmed = text.drop { $0 == " " }
    let number = trimmed.prefix { $0 != " " }
    guard trimmed.dropFirst(number.count).allSatisfy({ $0 == " " }),
      number.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return Double(number)
  }
}

extension CoordinateBox: ExpressibleByArgument {
  /// Parses `WEST,SOUTH,EAST,NORTH` in decimal degrees, as in GeoJSON.
  public init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4, let first = Coordinate(argument: "\(parts[1]),\(parts[0])"),
      let second = Coordinate(argument: "\(parts[3]),\(parts[2])"),
      first.latitudeDegrees <= second.latitudeDegrees
    else { return nil }
    self.init(
      westDegrees: first.longitudeDegrees, southDegrees: first.latitudeDegrees,
      eastDegrees: second.longitudeDegrees, northDegrees: second.latitudeDegrees)
  }
}

// MARK: - Times

/// A daily time span on the command line: `22:00-07:00`.
///
/// It may go past midnight. Its ends are different, as a span of a whole day is not meant.
struct TimeSpanArgument: ExpressibleByArgument {
  let start: TimeOfDay
  let end: TimeOfDay

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = TimeOfDay(String(parts[0])),
      let end = TimeOfDay(String(parts[1])), start != end
    else { return nil }
    (self.start, self.end) = (start, end)
  }
}

extension Cooldown: ExpressibleByArgument {
  /// Parses a duration, rounded up to seconds, or one of the words.
  public init?(argument: String) {
    switch argument {
    case "none": self = .none
    case "forever": self = .forever
    default:
      guard let duration = DurationArgument(argument: argument) else { return nil }
      self = .seconds((duration.milliseconds + 999) / 1000)
    }
  }

  /// The cooldown as the user would write it.
  public var defaultValueDescription: String {
    switch self {
    case .none: "none"
    case .forever: "forever"
    case .seconds(let seconds): DurationArgument.seconds(seconds).defaultValueDescription
    }
  }

  /// The words `none` and `forever`.
  public static var allValueStrings: [String] { ["none", "forever"] }
}
#endif
