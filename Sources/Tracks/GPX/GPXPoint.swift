import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// A kind of point in GPX.
enum GPXPointKind: Sendable {
  /// `trkpt`, a recorded point.
  case track
  /// `rtept`, a planned point.
  case route
  /// `wpt`, a place, or in files for simulators a point of the path.
  case waypoint
}

/// A point element as read, before it becomes a fix or a rejection.
struct GPXPoint: Sendable {
  var kind = GPXPointKind.track
  /// NaN if the attribute is missing or not a number.
  var latitudeDegrees = Double.nan
  /// NaN if the attribute is missing or not a number.
  var longitudeDegrees = Double.nan
  /// ``Fix/noTime`` if the time is missing or unreadable.
  var rawTimeMilliseconds = Fix.noTime
  /// NaN if unknown.
  var speedMetersPerSecond = Float.nan
  /// 0 ..< 360, or NaN if unknown.
  var courseDegrees = Float.nan

  /// Sets the speed over ground, which GPX 1.0 defines and many programs write in GPX 1.1 too.
  mutating func setSpeed(_ text: Span<UInt8>) {
    guard let speed = DecimalNumber.double(parsing: text), speed >= 0, speed.isFinite else {
      return
    }
    speedMetersPerSecond = Float(speed)
  }

  /// Sets the course over ground; 360 becomes 0.
  mutating func setCourse(_ text: Span<UInt8>) {
    guard let course = DecimalNumber.double(parsing: text), (0...360).contains(course) else {
      return
    }
    courseDegrees = course == 360 ? 0 : Float(course)
    if courseDegrees == 360 { courseDegrees = 0 }
  }

  /// Sets the position from the attributes' values, nil for a missing one.
  ///
  /// - Returns: What is wrong with it, or nil.
  mutating func setPosition(latitude: [UInt8]?, longitude: [UInt8]?) -> String? {
    latitudeDegrees = GPXPoint.degrees(latitude)
    longitudeDegrees = GPXPoint.degrees(longitude)
    return GPXFaults.detail("latitude", latitude, latitudeDegrees, limit: 90)
      ?? GPXFaults.detail("longitude", longitude, longitudeDegrees, limit: 180)
  }

  private static func degrees(_ text: [UInt8]?) -> Double {
    guard let text else { return .nan }
    return DecimalNumber.double(parsing: text.span.extracting(text.span.trimmedRange)) ?? .nan
  }
}

/// What is wrong with a point; separate because most points have no faults.
struct GPXFaults: Sendable {
  /// Why the position is rejected, or nil.
  var position: String?
  /// The line where the start tag ends.
  var positionLine = 0
  /// The unreadable time, or nil.
  var time: String?
  /// The line where that time ends.
  var timeLine = 0

  /// Why a latitude or longitude is rejected, or nil.
  static func detail(
    _ name: String, _ text: [UInt8]?, _ degrees: Double, limit: Double
  ) -> String? {
    if abs(degrees) <= limit { return nil }
    guard let text else { return "the \(name) is missing" }
    let quoted = quoted(text.span.extracting(text.span.trimmedRange))
    return degrees.isFinite
      ? "the \(name) \(quoted) is not within ±\(Int(limit))°" : "the \(name) \(quoted) is no number"
  }

  /// Text of a file in quotation marks for a message, shortened and on one line.
  static func quoted(_ text: Span<UInt8>) -> String {
    let limit = 40
    var characters = String(utf8: text)
    characters = String(characters.map { $0.isWhitespace ? " " : $0 })
    return characters.count > limit ? "“\(characters.prefix(limit))…”" : "“\(characters)”"
  }

  /// Adds the faults to a batch.
  ///
  /// - Returns: Whether the point is rejected.
  func report(to batch: inout FixBatch) -> Bool {
    if let position {
      batch.reject(.coordinate, line: positionLine, detail: position)
      return true
    }
    if let time {
      let detail = "\(time) is no time; the fix is kept without it"
      batch.reject(.time, line: timeLine, detail: detail)
    }
    return false
  }
}
