package import FencepostFixes
import FencepostTime

extension Fix {
  /// Rounds a time in milliseconds since 1970-01-01T00:00:00Z, as `EpochTime` does.
  static func timeMilliseconds(of number: Double) -> Int64? {
    EpochTime.milliseconds(rounding: number)
  }

  /// Converts a time since 1970-01-01T00:00:00Z, as `EpochTime` does.
  package static func timeMilliseconds(sinceEpoch number: Double) -> Int64? {
    EpochTime.milliseconds(inAnyUnit: number)
  }
}
