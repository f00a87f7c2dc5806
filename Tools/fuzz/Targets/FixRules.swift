import FencepostTracks
import FencepostFixes
import FencepostGeodesy

/// What holds of all that any decoder makes of any bytes.
enum FixRules {
  static func check(_ outcome: Outcome, of bytes: [UInt8]) throws(Finding) {
    for fix in outcome.fixes { try check(fix, lines: bytes.mostLines) }
    for rejection in outcome.rejections {
      try check(line: rejection.line, byteOffset: rejection.byteOffset, of: bytes)
    }
    if let error = outcome.error {
      try check(line: error.line, byteOffset: error.byteOffset, of: bytes)
      try demand(!error.sentence.isEmpty, "an error says nothing")
    }
  }

  static func check(_ fix: Fix, lines: Int) throws(Finding) {
    try demand(fix.coordinate.isValid, "a fix lies at \(fix.coordinate)")
    let (accuracy, speed) = (fix.accuracyMeters, fix.speedMetersPerSecond)
    try demand(accuracy.isNaN || accuracy >= 0, "an accuracy is \(accuracy) m")
    try demand(speed.isNaN || speed >= 0, "a speed is \(speed) m/s")
    let course = fix.courseDegrees
    try demand(course.isNaN || 0..<360 ~= course, "a course is \(course)°")
    try demand(fix.trackIndex >= 0 && fix.segmentIndex >= 0, "an index is below zero")
    try demand(0...lines ~= Int(fix.line), "a fix is of line \(fix.line) of \(lines)")
  }

  static func check(line: Int?, byteOffset: Int?, of bytes: [UInt8]) throws(Finding) {
    if let line {
      try demand(1...bytes.mostLines ~= line, "a fault is in line \(line) of \(bytes.mostLines)")
    }
    if let byteOffset {
      try demand(
        0...bytes.count ~= byteOffset, "a fault is at byte \(byteOffset) of \(bytes.count)")
    }
  }
}
