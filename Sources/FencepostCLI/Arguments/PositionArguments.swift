import ArgumentParser
import FencepostGeodesy
import FencepostPlaces

/// A position on the command line: `LAT,LON` in decimal degrees, such as `39.9496,-75.1503`.
struct CoordinateArgument: ExpressibleByArgument, Equatable {
  /// The position, always valid.
  var coordinate: Coordinate

  /// Parses two numbers separated by a comma and optional spaces.
  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else { return nil }
    coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard coordinate.isValid else { return nil }
  }

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

/// A box on the command line: `WEST,SOUTH,EAST,NORTH` in decimal degrees, as GeoJSON orders them.
struct BoxArgument: ExpressibleByArgument, Equatable {
  /// The box.
  var box: CoordinateBox

  /// Parses four comma-separated numbers.
  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    guard let first = CoordinateArgument(argument: "\(parts[1]),\(parts[0])"),
      let second = CoordinateArgument(argument: "\(parts[3]),\(parts[2])"),
      first.coordinate.latitudeDegrees <= second.coordinate.latitudeDegrees
    else { return nil }
    box = CoordinateBox(
      westDegrees: first.coordinate.longitudeDegrees,
      southDegrees: first.coordinate.latitudeDegrees,
      eastDegrees: second.coordinate.longitudeDegrees,
      northDegrees: second.coordinate.latitudeDegrees)
  }
}
