/// Fixes refused in a row because an earlier one had a later time, as after a clock ran ahead.
package struct RefusedRun: Sendable, Equatable {
  package let count: Int
  /// The time of the first fix in milliseconds since 1970.
  package let firstMilliseconds: Int64
  /// The believed time that they are older than, in milliseconds since 1970.
  package let blockingMilliseconds: Int64
}
