import FencepostAnalysis
import FencepostGeodesy

/// Formats numbers for people.
///
/// Reports over many tracks group digits and round distances. Lines about one track show both in
/// full. Distances and speeds follow ``ShownUnits``. NDJSON and CSV do not use it: their numbers
/// are for programs.
package enum ReportNumber {
  /// A rounded number without trailing zeros, such as `500` or `0.25`.
  package static func text(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    let text = fixed(value, decimals: max(1, decimals))
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A rounded number with at least one decimal, such as `500.0`; `null` if not finite.
  static func fixed(_ value: Double, decimals: Int) -> String {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append(value, decimals: decimals)
    return buffer.text
  }

  /// A share in percent with one decimal; only an exact 0 or 1 becomes `0.0 %` or `100.0 %`.
  package static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return "–" }
    var tenths = Int((share * 1000).rounded())
    if share < 1 { tenths = min(tenths, 999) }
    if share > 0 { tenths = max(tenths, 1) }
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// The share of simulated phones in percent, with a decimal only if the trials are enough for it.
  ///
  /// Only an exact 0 or 1 becomes `0 %` or `100 %`. 1,000 trials or fewer cannot tell tenths of a
  /// percent apart.
  package static func phones(_ share: Double?, of trials: Int) -> String {
    guard trials <= 1000, let share, share.isFinite else { return percent(share) }
    if share > 0, share < 0.01 { return "<1 %" }
    if share < 1, share > 0.99 { return ">99 %" }
    return "\(Int((share * 100).rounded())) %"
  }

  /// A mean number of alerts, such as `26.0`.
  package static func mean(_ alerts: Double) -> String { fixed(alerts, decimals: 1) }

  /// A count with a thin space between thousands, such as `144 563`, or with plain digits.
  package static func count(_ value: Int, isGrouped: Bool = true) -> String {
    isGrouped ? value.grouped : "\(value)"
  }

  /// A share with its 95 % interval, such as `77.0 % (95 % interval 70.1 % to 82.8 %)`.
  package static func percent(_ share: Double?, _ interval: ClosedRange<Double>?) -> String {
    interval.map { "\(percent(share)) (\(Self.interval($0)))" } ?? percent(share)
  }

  /// An interval of a share, such as `95 % interval 70.1 % to 82.8 %`.
  package static func interval(_ range: ClosedRange<Double>) -> String {
    "95 % interval \(percent(range.lowerBound)) to \(percent(range.upperBound))"
  }

  /// An interval of a share of simulated phones, such as `95 % interval 70 % to 83 %`.
  package static func interval(_ range: ClosedRange<Double>, of trials: Int) -> String {
    "95 % interval \(phones(range.lowerBound, of: trials)) to \(phones(range.upperBound, of: trials))"
  }

  /// Two counts, such as `42 before, 55 after`.
  static func change(_ before: Int, _ after: Int) -> String {
    "\(count(before)) before, \(count(after)) after"
  }

  /// A count and its noun, such as `3 stories`.
  package static func counted(
    _ value: Int, _ noun: String, _ plural: String? = nil, isGrouped: Bool = true
  ) -> String {
    "\(count(value, isGrouped: isGrouped)) \(value == 1 ? noun : plural ?? Self.plural(noun))"
  }

  /// The plural of a noun, such as `stories`, `fixes` or `days`.
  private static func plural(_ noun: String) -> String {
    if noun.hasSuffix("ry") { return noun.dropLast() + "ies" }
    return noun.hasSuffix("x") || noun.hasSuffix("ch") ? noun + "es" : noun + "s"
  }

  /// The first five names of a list, and how many more NDJSON has.
  static func names(_ names: [String]) -> String {
    let more = names.count - 5
    return names.prefix(5).joined(separator: ", ")
      + (more > 0 ? " and \(more) more (--format ndjson names all)" : "")
  }

  /// Counts by name, greatest first, such as `late 3 599, void 12`.
  package static func list(_ counts: [String: Int], isGrouped: Bool = true) -> String {
    counts.list { count($0, isGrouped: isGrouped) }
  }

  /// A rounded distance: `4.5 m`, from 10 m on `812 m`, from 10 km on `12.3 km`.
  ///
  /// In imperial units: `6.5 ft`, from 10 ft on `328 ft`, from 1000 ft on `0.25 mi`.
  package static func distance(_ meters: Double) -> String {
    guard meters.isFinite else { return "–" }
    if ShownUnits.current == .imperial { return imperial(meters) }
    if meters.rounded() < 10 { return "\(text(meters, decimals: 1)) m" }
    if meters < 10_000 { return "\(Int(meters.rounded())) m" }
    return "\(text(meters / 1000, decimals: 1)) km"
  }

  /// A latitude and a longitude in degrees, such as `39.9489,-75.15`.
  static func position(_ coordinate: Coordinate, decimals: Int) -> String {
    [coordinate.latitudeDegrees, coordinate.longitudeDegrees]
      .map { text($0, decimals: decimals) }.joined(separator: ",")
  }

  /// A distance in whole kilometers or miles, such as `8 870 km`.
  package static func longDistance(_ meters: Double) -> String {
    let unit = ShownUnits.current.long
    return "\(count(Int((meters / unit.meters).rounded()))) \(unit.name)"
  }

  /// A distance in full: `100.0 m`, from 10 km on `12.35 km`; empty if not finite.
  static func fullDistance(_ meters: Double) -> String {
    guard meters.isFinite else { return "" }
    if ShownUnits.current == .imperial { return imperial(meters) }
    if meters < 10_000 { return "\(fixed(meters, decimals: 1)) m" }
    return "\(fixed(meters / 1000, decimals: meters < 1_000_000 ? 2 : 1)) km"
  }

  /// A distance in feet, from 1000 ft on in miles.
  private static func imperial(_ meters: Double) -> String {
    let feet = meters / ShownUnits.imperial.short.meters
    if feet.rounded() < 10 { return "\(text(feet, decimals: 1)) ft" }
    if feet < 1000 { return "\(Int(feet.rounded())) ft" }
    let miles = meters / ShownUnits.imperial.long.meters
    return "\(text(miles, decimals: miles < 100 ? 2 : 1)) mi"
  }

  /// A distance in meters or feet, however long.
  static func shortDistance(_ meters: Double, decimals: Int) -> String {
    let unit = ShownUnits.current.short
    return "\(text(meters / unit.meters, decimals: decimals)) \(unit.name)"
  }

  /// A duration with about two digits.
  ///
  /// Seconds below 100 s, minutes below 100 min, then hours.
  static func duration(seconds: Double) -> String {
    let size = abs(seconds)
    if size < 100 { return "\(Int(seconds.rounded())) s" }
    if size < 600 { return "\(text(seconds / 60, decimals: 1)) min" }
    if size < 6000 { return "\(Int((seconds / 60).rounded())) min" }
    return "\(text(seconds / 3600, decimals: 1)) h"
  }

  /// A speed: `4.2 m/s`, or `9.4 mph`.
  static func speed(_ metersPerSecond: Double) -> String {
    ShownUnits.current == .metric
      ? "\(text(metersPerSecond, decimals: 1)) m/s"
      : "\(text(metersPerSecond / ShownUnits.imperial.speed.metersPerSecond, decimals: 1)) mph"
  }
}
