import FencepostGeodesy

/// A path near one story, as far as it is the same for every phone.
///
/// Simulations of several phones, or of one with other values, share what it has measured.
package final class StoryPassage {
  /// The story that the path passes.
  package let story: PhoneStory
  let path: PhonePath
  let center: SIMD3<Double>
  /// Unit vectors along the ground.
  let east: SIMD3<Double>
  let north: SIMD3<Double>
  private var measured: [Double: [ClosedRange<Double>]] = [:]

  /// Creates a passage; the path is measured only when a simulation needs it.
  package init(_ story: PhoneStory, on path: PhonePath) {
    self.story = story
    self.path = path
    center = Position(story.coordinate).vector
    let up = center / center.length
    let axis = abs(up.z) < 0.9 ? SIMD3(0, 0, 1) : SIMD3(1.0, 0, 0)
    let across = axis.cross(up)
    east = across / across.length
    north = up.cross(east)
  }

  /// The times within a distance of the center, sorted; empty for a negative distance.
  func spans(within meters: Double) -> [ClosedRange<Double>] {
    if let known = measured[meters] { return known }
    let spans = meters >= 0 ? path.spans(within: meters, of: center) : []
    measured[meters] = spans
    return spans
  }
}

extension SIMD3<Double> {
  fileprivate func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
