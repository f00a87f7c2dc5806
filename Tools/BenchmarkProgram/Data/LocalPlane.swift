/// Metres east and north of an origin, good enough to lay out a town.
///
/// Only arithmetic that IEEE 754 fixes to the last bit is in here, so that the data is the same on
/// every machine; the mathematical library's sine is not.
struct LocalPlane {
  static let metersPerDegree = 111_195.0

  let latitudeDegrees: Double
  let longitudeDegrees: Double
  private let metersPerDegreeOfLongitude: Double

  init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
    metersPerDegreeOfLongitude =
      Self.metersPerDegree * Self.cosine(degrees: latitudeDegrees)
  }

  func point(eastMeters: Double, northMeters: Double) -> GridPoint {
    GridPoint(
      latitudeDegrees: latitudeDegrees + northMeters / Self.metersPerDegree,
      longitudeDegrees: longitudeDegrees + eastMeters / metersPerDegreeOfLongitude)
  }

  /// The cosine of −90 … 90 degrees to 1e-9, by its power series.
  static func cosine(degrees: Double) -> Double {
    let square = degrees * degrees * (Double.pi / 180) * (Double.pi / 180)
    var term = 1.0
    var sum = 1.0
    for index in 1...9 {
      let order = Double(2 * index)
      term = -term * square / (order * (order - 1))
      sum += term
    }
    return sum
  }
}
