/// A distance in meters that may be infinite, saved as `infinite` because JSON cannot express it.
package struct UnboundedMeters: Equatable, Sendable {
  /// The distance in meters; may be infinite.
  package let value: Double

  /// Creates a distance.
  package init(_ value: Double) { self.value = value }
}
