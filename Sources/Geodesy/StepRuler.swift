/// Measures the distances between successive fixes.
public struct StepRuler: Sendable {
  /// Makes a ruler.
  public init() {}

  /// The geodesic distance of two successive fixes in metres.
  public mutating func stepMeters(from a: Coordinate, to b: Coordinate) -> Double {
    Geodesic.distanceMeters(a, b)
  }
}
