import FencepostFormats
import FencepostGeodesy

/// What kind of point an element of GPX is.
enum GPXPointKind: Sendable {
  /// `trkpt`: recorded on the way.
  case track
  /// `rtept`: planned.
  case route
  /// `wpt`: a place, or in files for simulators a station of the way.
  case waypoint
}

/// A point element as read, before it is a fix or is refused.
struct GPXPoint: Sendable {
  var kind = GPXPointKind.track
  /// NaN where the attribute is missing or is no number.
  var latitudeDegrees = Double.nan
  /// NaN where the attribute is missing or is no number.
  var longitudeDegrees = Double.nan
  /// ``Fix/noTime`` where the time is missing or unreadable.
  var rawTimeMilliseconds = Fix.noTime
  /// Not finite or negative where the receiver said nothing.
  var speedMetersPerSecond = Float.nan
  /// Outside 0 ..< 360 where the receiver said nothing.
  var courseDegrees = Float.nan
  /// Speed over ground; GPX 1.0 has it, and many programs write it in GPX 1.1 too.
  mutating func setSpeed(_ text: Span<UInt8>) {
    guard let speed = DecimalNumber.double(parsing: text), speed >= 0, speed.isFinite else {
      return
    }
    speedMetersPerSecond = Float(speed)
  }

  /// Course over ground; 360 is north as 0 is.
  mutating func setCourse(_ text: Span<UInt8>) {
    guard let course = DecimalNumber.double(parsing: text), (0...360).contains(course) else {
      return
    }
    courseDegrees = course == 360 ? 0 : Float(course)
    if courseDegrees == 360 { courseDegrees = 0 }
  }

  /// Sets the position from the attributes' values, nil where one is missing.
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

/// What is wrong with a point; kept apart from it because most points have none.
struct GPXFaults: Sendable {
  /// Why the position is refused, or nil.
  var position: String?
  /// The line where the start tag ends.
  var positionLine = 0
  /// The text of an unreadable time, or nil.
  var time: String?
  /// The line where that text ends.
  var timeLine = 0

  /// Why one of a position's angles is refused; nil where it is not.
  static func detail(
    _ name: String, _ text: [UInt8]?, _ degrees: Double, limit: Double
  ) -> String? {
    if abs(degrees) <= limit { return nil }
    guard let text else { return "the \(name) is missing" }
    let quoted = quoted(text.span.extracting(text.span.trimmedRange))
    return degrees.isFinite
      ? "the \(name) \(quoted) is not within ±\(Int(limit))°" : "the \(name) \(quoted) is no number"
  }

  /// Text of a file for a message: short, and on one line.
  static func quoted(_ text: Span<UInt8>) -> String {
    let limit = 40
    var characters = String(utf8: text)
    characters = String(characters.map { $0.isWhitespace ? " " : $0 })
    return characters.count > limit ? "“\(characters.prefix(limit))…”" : "“\(characters)”"
  }

  /// Adds them to a batch.
  ///
  /// - Returns: Whether the point is refused.
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
