import ArgumentParser
import Geodesy
import Places

/// A box on the command line: `WEST,SOUTH,EAST,NORTH` in decimal degrees, as GeoJSON orders them.
struct BoxArgument: ExpressibleByArgument, Equatable {
  /// The box.
  var box: CoordinateBox

  /// Reads four numbers with commas between them.
  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    // Each corner is read as a position is.
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
