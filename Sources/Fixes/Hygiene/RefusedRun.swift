/// Fixes refused in a row because of a time that came before them, as behind a clock that ran ahead.
package struct RefusedRun: Sendable, Equatable {
  /// How many fixes there are, at least 1.
  package let count: Int
  /// The time of the first in milliseconds since 1970.
  package let firstMilliseconds: Int64
  /// The believed time that they are older than, in milliseconds since 1970.
  package let blockingMilliseconds: Int64
}
