import FencepostFixes
import FencepostGeodesy

extension PathAssembler {
  /// Adds a position of a document, or rejects it where it is none.
  ///
  /// - Parameters:
  ///   - fix: The fix; its coordinate may be invalid.
  ///   - hasTimeFault: Whether it states a time that is none; it is then kept without.
  ///   - rank: The rank of its kind.
  ///   - continues: As ``add(_:rank:continues:_:into:)``.
  ///   - position: Where it ends.
  ///   - batch: Receives it or its rejection.
  /// - Throws: As ``add(_:rank:continues:_:into:)``.
  mutating func add(
    _ fix: Fix, hasTimeFault: Bool, rank: Int, continues: Bool = false,
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard fix.coordinate.isValid else {
      return try reject(position.rejection(.coordinate), rank: rank, into: &batch)
    }
    if hasTimeFault {
      let fault = position.rejection(.time, "the time is none; the fix is kept without it")
      try reject(fault, rank: rank, into: &batch)
    }
    try add(fix, rank: rank, continues: continues, position, into: &batch)
  }
}

extension Fix {
  /// Sets the accuracy in metres, unless it is negative or not a number.
  mutating func setAccuracy(_ meters: Double) {
    if meters.isFinite, meters >= 0 { accuracyMeters = Float(meters) }
  }

  /// Sets the speed in metres a second, unless it is negative or not a number.
  mutating func setSpeed(_ metersPerSecond: Double) {
    if metersPerSecond.isFinite, metersPerSecond >= 0 {
      speedMetersPerSecond = Float(metersPerSecond)
    }
  }

  /// Sets the course in degrees, unless it is out of range; 360 becomes 0.
  mutating func setCourse(_ degrees: Double) {
    guard 0...360 ~= degrees else { return }
    courseDegrees = degrees == 360 ? 0 : Float(degrees)
    if courseDegrees == 360 { courseDegrees = 0 }
  }
}
