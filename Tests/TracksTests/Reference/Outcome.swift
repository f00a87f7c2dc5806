import FencepostTracks
import FencepostTime
import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// The whole outcome of decoding some bytes, comparable bit by bit.
struct Outcome: Equatable, CustomStringConvertible {
  var fixes: [Fix] = []
  var rejections: [Rejection] = []
  var error: DecodeError?

  mutating func take(_ batch: FixBatch) {
    fixes += batch.fixes
    rejections += batch.rejections
  }

  func count(_ reason: Rejection.Reason) -> Int {
    rejections.count { $0.reason == reason }
  }

  /// The times as ISO 8601; `-` without one.
  var times: [String] {
    fixes.map { $0.timeMilliseconds.map { ISO8601.string(milliseconds: $0) } ?? "-" }
  }

  static func == (a: Outcome, b: Outcome) -> Bool {
    a.rejections == b.rejections && a.error == b.error
      && a.fixes.count == b.fixes.count && zip(a.fixes, b.fixes).allSatisfy { isSame($0, $1) }
  }

  static func isSame(_ a: Fix, _ b: Fix) -> Bool {
    a.coordinate.latitudeDegrees.bitPattern == b.coordinate.latitudeDegrees.bitPattern
      && a.coordinate.longitudeDegrees.bitPattern == b.coordinate.longitudeDegrees.bitPattern
      && a.rawTimeMilliseconds == b.rawTimeMilliseconds && a.trackIndex == b.trackIndex
      && a.segmentIndex == b.segmentIndex && isSame(a.accuracyMeters, b.accuracyMeters)
      && isSame(a.speedMetersPerSecond, b.speedMetersPerSecond)
      && isSame(a.courseDegrees, b.courseDegrees) && a.line == b.line
  }

  private static func isSame(_ a: Float, _ b: Float) -> Bool { a == b || (a.isNaN && b.isNaN) }

  var description: String {
    let positions = zip(times, fixes).map { time, fix in
      "\(time) \(fix.coordinate.latitudeDegrees) \(fix.coordinate.longitudeDegrees)"
        + " line \(fix.line)"
    }
    return (positions + rejections.map { "\($0)" } + [error.map { "\($0)" } ?? "no error"])
      .joined(separator: "\n")
  }

  /// The lines in which two outcomes differ.
  static func difference(_ a: Outcome, _ b: Outcome) -> String {
    let (a, b) = (
      a.description.split(separator: "\n"), b.description.split(separator: "\n")
    )
    return b.difference(from: a).map { "\($0)" }.joined(separator: "\n")
  }
}
