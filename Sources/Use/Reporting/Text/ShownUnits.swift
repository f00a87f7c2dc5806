/// The units of lengths and speeds in what people read.
///
/// Records such as NDJSON and CSV are always in meters. A command sets ``current`` from its
/// options, for everything that it writes to people.
package enum ShownUnits: String, CaseIterable, Sendable {
  /// Meters, kilometers and kilometers per hour.
  case metric
  /// Feet, miles and miles per hour.
  case imperial

  /// The unit of a way, and its length in meters.
  var long: (name: String, meters: Double) { self == .metric ? ("km", 1000) : ("mi", 1609.344) }

  /// The unit of a circle's size.
  var short: (name: String, meters: Double) { self == .metric ? ("m", 1) : ("ft", 0.3048) }

  /// The unit of a speed, and its meters per second.
  var speed: (name: String, metersPerSecond: Double) {
    self == .metric ? ("km/h", 1 / 3.6) : ("mph", 0.44704)
  }

  /// A rate per kilometer as a rate per unit of a way.
  func rate(perKilometer rate: Double) -> Double { rate * long.meters / 1000 }
}
