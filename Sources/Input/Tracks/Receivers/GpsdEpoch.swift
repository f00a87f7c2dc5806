import FencepostFixes
import FencepostGeodesy

/// Combines the TPV reports that gpsd sends of one receiver and time into one fix.
///
/// gpsd repeats a report as values come in, so reports with the same time make one fix with the
/// latest values. Without times, successive reports of one position make one fix. A report with
/// mode 0 or 1, or without a position, is rejected as `void`, once per time. The accuracy is `eph`,
/// or else combines `epx` and `epy`.
///
/// A fix with an unreadable time is kept without it and reported as `time`.
struct GpsdEpoch: Sendable {
  private var isOpen = false
  private var isVoid = false
  /// Whether the fix was appended before the epoch ended.
  private(set) var isHandedOn = false
  /// The reports in the current epoch, and the most in recent ones.
  private var reportCount = 0
  private var usualCounts = (current: 0, former: 0)
  private var epochCount = 0
  private var fix = Fix.unplaced

  /// Whether the epoch has a position.
  var holdsPosition: Bool { isOpen && !fix.coordinate.latitudeDegrees.isNaN }

  /// Appends the current epoch's fix early, for live sources that pause between epochs.
  ///
  /// Later reports of that epoch do not change the fix. Unless `isForced`, waits for as many
  /// reports as recent epochs had.
  mutating func flush(isForced: Bool, into batch: inout FixBatch) {
    let usual = max(usualCounts.current, usualCounts.former)
    guard holdsPosition, !isHandedOn,
      isForced || (usual > 0 && reportCount >= usual)
    else { return }
    batch.append(fix)
    isHandedOn = true
  }

  /// Adds a report; one of another time closes the epoch.
  mutating func add(_ report: JSONFix, line: Int, into batch: inout FixBatch) {
    if report.hasTimeFault {
      batch.reject(.time, line: line, detail: "invalid time; the fix is kept without a time")
    }
    if !belongs(report) {
      // A report without a time or position does not end the current epoch.
      if report.hasNoFix, report.fix.timeMilliseconds == nil {
        return batch.reject(.void, line: line)
      }
      close(into: &batch)
      (isOpen, isVoid, isHandedOn, reportCount) = (true, report.hasNoFix, false, 0)
      fix = Fix.unplaced
      fix.rawTimeMilliseconds = report.fix.rawTimeMilliseconds
    }
    reportCount += 1
    fix.line = Int32(clamping: line)
    guard !report.hasNoFix else { return }
    guard report.coordinate.isValid else { return batch.reject(.coordinate, line: line) }
    isVoid = false
    fix.coordinate = report.coordinate
    fix.setAccuracy(Double(report.fix.accuracyMeters))
    fix.setSpeed(Double(report.fix.speedMetersPerSecond))
    fix.setCourse(Double(report.fix.courseDegrees))
  }

  /// Whether a report belongs to the current epoch; without times, if it repeats the position.
  private func belongs(_ report: JSONFix) -> Bool {
    guard isOpen, report.fix.rawTimeMilliseconds == fix.rawTimeMilliseconds else { return false }
    return report.fix.timeMilliseconds != nil
      || (!report.hasNoFix && report.coordinate == fix.coordinate)
  }

  /// Ends the epoch and appends its fix.
  mutating func close(into batch: inout FixBatch) {
    guard isOpen else { return }
    isOpen = false
    if !fix.coordinate.latitudeDegrees.isNaN {
      usualCounts.current = max(usualCounts.current, reportCount)
      epochCount += 1
      if epochCount >= 16 {
        (usualCounts, epochCount) = ((current: 0, former: usualCounts.current), 0)
      }
      if !isHandedOn { batch.append(fix) }
      isHandedOn = false
    } else if isVoid {
      batch.reject(.void, line: Int(fix.line))
    }
  }
}

extension JSONFix {
  /// Whether a report has no fix, or none yet.
  fileprivate var hasNoFix: Bool { isVoid || !hasPosition }
}
