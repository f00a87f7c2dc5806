import FencepostGeodesy

/// A point on a grid of 0.000001°, which a GPX file and an NMEA sentence can both say exactly.
///
/// A millionth of a degree is 0.00006 minutes, so that five decimals of a minute hold it.
struct GridPoint: Equatable {
  var latitudeMicrodegrees: Int
  var longitudeMicrodegrees: Int

  var coordinate: Coordinate {
    Coordinate(
      latitudeDegrees: Double(latitudeMicrodegrees) / 1_000_000,
      longitudeDegrees: Double(longitudeMicrodegrees) / 1_000_000)
  }

  /// The grid point nearest to a coordinate; longitudes are brought to −180 … 180.
  init(latitudeDegrees: Double, longitudeDegrees: Double) {
    latitudeMicrodegrees = Int((latitudeDegrees * 1_000_000).rounded())
    var longitude = Int((longitudeDegrees * 1_000_000).rounded())
    if longitude > 180_000_000 { longitude -= 360_000_000 }
    if longitude < -180_000_000 { longitude += 360_000_000 }
    longitudeMicrodegrees = longitude
  }
}
