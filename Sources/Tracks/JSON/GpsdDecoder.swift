package import FencepostFixes
import FencepostTime
package import FencepostFormats
import FencepostGeodesy

/// Decodes gpsd's JSON reports, one per line, from `gpspipe -w` or port 2947.
///
/// Only TPV reports contain fixes. gpsd repeats a report as values come in, so reports with the
/// same time make one fix with the latest values. Without times, successive reports of one position
/// make one fix. A report with mode 0 or 1, or without a position, is rejected as `void`, once per
/// time. The accuracy is `eph`, or else combines `epx` and `epy`.
///
/// A fix with an unreadable time is kept without it and reported as `time`.
package struct GpsdDecoder: LineDecoder, Sendable {
  private struct Report {
    static let names: [StaticString] = [
      "class", "mode", "time", "lat", "lon", "eph", "epx", "epy", "speed", "track",
    ]

    var isTPV = false
    var mode = 3.0
    var timeMilliseconds = Fix.noTime
    var hasTimeFault = false
    var latitudeDegrees = Double.nan
    var longitudeDegrees = Double.nan
    var hasLatitude = false
    var hasLongitude = false
    var accuracyMeters = Double.nan
    var eastErrorMeters = Double.nan
    var northErrorMeters = Double.nan
    var speedMetersPerSecond = Double.nan
    var courseDegrees = Double.nan

    mutating func take(_ index: Int, _ value: JSONLineReader.Value, _ text: Span<UInt8>) {
      let number = value.number
      switch index {
      case 0: if value.isString { isTPV = text.equals("TPV") }
      case 1: mode = number
      case 2: takeTime(value, text)
      case 3: (latitudeDegrees, hasLatitude) = (number, true)
      case 4: (longitudeDegrees, hasLongitude) = (number, true)
      case 5: accuracyMeters = number
      case 6: eastErrorMeters = number
      case 7: northErrorMeters = number
      case 8: speedMetersPerSecond = number
      default: courseDegrees = number
      }
    }

    private mutating func takeTime(_ value: JSONLineReader.Value, _ text: Span<UInt8>) {
      let milliseconds: Int64? =
        switch value {
        case .string: ISO8601.milliseconds(parsing: text)
        // Until 2010, gpsd sent seconds since 1970.
        case .number(let seconds): EpochTime.milliseconds(rounding: seconds * 1000)
        case .other: nil
        }
      if let milliseconds { timeMilliseconds = milliseconds } else { hasTimeFault = true }
    }

    var isVoid: Bool { !(mode >= 2) || !hasLatitude || !hasLongitude }

    var coordinate: Coordinate {
      Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
    }
  }

  package var scanner = LineScanner()
  private var reader = JSONLineReader()
  private var isOpen = false
  private var isVoid = false
  package private(set) var isEpochHandedOn = false
  /// The reports in the current epoch, and the most in recent ones.
  private var reportCount = 0
  private var usualCounts = (current: 0, former: 0)
  private var epochCount = 0
  private var fix = Fix(coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))

  package init() {}

  /// Appends the current epoch's fix early, for live sources that pause between epochs.
  ///
  /// Later reports of that epoch do not change the fix. Unless `isForced`, waits for as many
  /// reports as recent epochs had.
  package mutating func flush(isForced: Bool = false, into batch: inout FixBatch) {
    let usual = max(usualCounts.current, usualCounts.former)
    guard isOpen, !isEpochHandedOn, !fix.coordinate.latitudeDegrees.isNaN,
      isForced || (usual > 0 && reportCount >= usual)
    else { return }
    batch.append(fix)
    isEpochHandedOn = true
  }

  package mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    var report = Report()
    let isRead = reader.read(line, position, names: Report.names, into: &batch) {
      report.take($0, $1, $2)
    }
    guard isRead, report.isTPV else { return }
    let line = position.number
    if report.hasTimeFault {
      batch.reject(.time, line: line, detail: "invalid time; the fix is kept without a time")
    }
    if !belongs(report) {
      // A report without a time or position does not end the current epoch.
      if report.isVoid, report.timeMilliseconds == Fix.noTime {
        return batch.reject(.void, line: line)
      }
      close(into: &batch)
      (isOpen, isVoid, isEpochHandedOn, reportCount) = (true, report.isVoid, false, 0)
      fix = Fix.unplaced
      fix.rawTimeMilliseconds = report.timeMilliseconds
    }
    reportCount += 1
    fix.line = Int32(clamping: line)
    guard !report.isVoid else { return }
    guard report.coordinate.isValid else { return batch.reject(.coordinate, line: line) }
    isVoid = false
    fix.coordinate = report.coordinate
    let errors =
      report.eastErrorMeters * report.eastErrorMeters
      + report.northErrorMeters * report.northErrorMeters
    fix.setAccuracy(report.accuracyMeters.isNaN ? errors.squareRoot() : report.accuracyMeters)
    fix.setSpeed(report.speedMetersPerSecond)
    if 0..<360 ~= report.courseDegrees { fix.setCourse(report.courseDegrees) }
  }

  /// Whether a report belongs to the current epoch; without times, if it repeats the position.
  private func belongs(_ report: Report) -> Bool {
    guard isOpen, report.timeMilliseconds == fix.rawTimeMilliseconds else { return false }
    return report.timeMilliseconds != Fix.noTime
      || (!report.isVoid && report.coordinate == fix.coordinate)
  }

  package mutating func close(into batch: inout FixBatch) {
    guard isOpen else { return }
    isOpen = false
    if !fix.coordinate.latitudeDegrees.isNaN {
      usualCounts.current = max(usualCounts.current, reportCount)
      epochCount += 1
      if epochCount >= 16 {
        (usualCounts, epochCount) = ((current: 0, former: usualCounts.current), 0)
      }
      if !isEpochHandedOn { batch.append(fix) }
      isEpochHandedOn = false
    } else if isVoid {
      batch.reject(.void, line: Int(fix.line))
    }
  }
}
