/// A distance in meters that may be infinite, saved as `infinite` because JSON cannot express it.
package struct UnboundedMeters: Equatable, Sendable {
  package let value: Double

  package init(_ value: Double) { self.value = value }
}
