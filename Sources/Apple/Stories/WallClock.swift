import Foundation

/// The system's clock.
public enum WallClock {
  /// The current time in milliseconds since 1970-01-01T00:00:00Z.
  public static var nowMilliseconds: Int64 { Date().millisecondsSince1970 }
}

extension Date {
  var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
