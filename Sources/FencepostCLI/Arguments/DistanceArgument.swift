import ArgumentParser

/// A distance on the command line: `500`, `500m`, `0.5km`; without a unit it is metres.
struct DistanceArgument: ExpressibleByArgument, Equatable {
  /// The distance in metres, 0 or more.
  var meters: Double

  /// Makes a distance of metres.
  init(meters: Double) {
    self.meters = meters
  }

  /// Reads a number with or without a unit.
  init?(argument: String) {
    let meters = Quantity.parse(argument) { unit in
      switch unit {
      case "", "m": 1
      case "km": 1000
      default: nil
      }
    }
    // Half the Earth's circumference: farther away is nothing.
    guard let meters, meters <= 21_000_000 else { return nil }
    self.meters = meters
  }

  /// As the user would write it.
  var defaultValueDescription: String { "\(shortest(meters))m" }
}

/// A speed on the command line: `30`, `30m/s`, `50km/h`; without a unit it is metres a second.
struct SpeedArgument: ExpressibleByArgument, Equatable {
  /// The speed in metres a second, 0 or more.
  var metersPerSecond: Double

  /// Makes a speed of metres a second.
  init(metersPerSecond: Double) {
    self.metersPerSecond = metersPerSecond
  }

  /// Reads a number with or without a unit.
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

  /// As the user would write it.
  var defaultValueDescription: String { "\(shortest(metersPerSecond))m/s" }
}

/// How many times faster than it was recorded a track is replayed: `1x`, `10x`, `0.5x`, `max`.
enum ReplaySpeed: ExpressibleByArgument, Equatable {
  /// As fast as possible.
  case maximum
  /// So many times faster, above 0.
  case times(Double)

  /// Reads a number with or without `x`, or `max`.
  init?(argument: String) {
    if argument == "max" {
      self = .maximum
      return
    }
    let times = Quantity.parse(argument) { $0.isEmpty || $0 == "x" || $0 == "×" ? 1 : nil }
    guard let times, times > 0 else { return nil }
    self = .times(times)
  }

  /// As the user would write it.
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
