import ArgumentParser
import Geodesy

/// A position on the command line: `LAT,LON` in decimal degrees, such as `39.9496,-75.1503`.
struct CoordinateArgument: ExpressibleByArgument, Equatable {
  /// The position, a valid one.
  var coordinate: Coordinate

  /// Reads two numbers with a comma, and perhaps spaces, between them.
  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else { return nil }
    coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard coordinate.isValid else { return nil }
  }

  private static func degrees(_ text: Substring) -> Double? {
    // `Double` would also read hexadecimals, `nan` and `inf`.
    let trimmed = text.drop { $0 == " " }
    let number = trimmed.prefix { $0 != " " }
    guard trimmed.dropFirst(number.count).allSatisfy({ $0 == " " }),
      number.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return Double(number)
  }
}
