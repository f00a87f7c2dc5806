package import FencepostFixes
import FencepostGeodesy

/// One record of a client's message.
package enum ClientRecord: Sendable {
  /// A fix, and the device that the record names.
  case fix(device: String?, Fix)
  /// A record that should hold a fix, and why it does not.
  case fault(device: String?, Rejection)
}

extension ClientRecord {
  /// Makes a record of what a client states about a fix.
  ///
  /// - Parameters:
  ///   - device: The device that the record names.
  ///   - latitude: In degrees; nil if missing or not a number.
  ///   - longitude: In degrees; nil if missing or not a number.
  ///   - time: When the fix was taken.
  ///   - now: The time of receipt in milliseconds since 1970, for records without a time.
  ///   - fix: Everything else.
  init(
    device: String?, latitude: Double?, longitude: Double?, time: ClientFields.Time, now: Int64,
    _ fix: Fix
  ) {
    var fix = fix
    switch time {
    case .unstated: fix.timeMilliseconds = now
    case .milliseconds(let milliseconds): fix.timeMilliseconds = milliseconds
    case .unreadable(let text):
      self = .fault(device: device, Rejection(reason: .time, detail: text))
      return
    }
    fix.coordinate = Coordinate(
      latitudeDegrees: latitude ?? .nan, longitudeDegrees: longitude ?? .nan)
    guard fix.coordinate.isValid else {
      let words = [latitude, longitude].map { $0.map { "\($0)" } ?? "none" }
      self = .fault(
        device: device, Rejection(reason: .coordinate, detail: words.joined(separator: ",")))
      return
    }
    self = .fix(device: device, fix)
  }
}

extension [ClientRecord] {
  /// The records from the oldest on: reversed if a batch is newest first throughout.
  var oldestFirst: [ClientRecord] {
    let times = compactMap { record in
      if case .fix(_, let fix) = record { fix.timeMilliseconds } else { nil }
    }
    let isNewestFirst = zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
    return isNewestFirst && times.first != times.last ? reversed() : self
  }
}
