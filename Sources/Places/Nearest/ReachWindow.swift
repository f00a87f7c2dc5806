/// A rectangle of longitudes and latitudes that everything near enough lies in.
///
/// A box outside of it is certainly too far, which four comparisons at once tell; one that overlaps
/// it may be so nevertheless.
struct ReachWindow {
  /// As the sides of ``ReachBox`` that they bound: -west, -south, east, north.
  private let lanes: SIMD4<Float>

  /// Everything on Earth.
  static let all = ReachWindow(
    west: -.infinity, east: .infinity, south: -.infinity, north: .infinity)

  /// Makes a window of its sides in degrees, which are rounded outwards.
  init(west: Double, east: Double, south: Double, north: Double) {
    lanes = SIMD4(
      Float(-west).nextUp, Float(-south).nextUp, Float(east).nextUp, Float(north).nextUp)
  }

  /// Whether anything in the box can be near enough.
  @inline(__always)
  func overlaps(_ sides: ReachBox.Sides) -> Bool { sides.areWithin(lanes) }
}
