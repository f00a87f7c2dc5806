import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes `Records.json` (formerly `Location History.json`) and a month of the Semantic Location
/// History from Google Takeout.
///
/// Positions are `latitudeE7` and `longitudeE7` in 10⁻⁷ degrees, times `timestamp` in ISO 8601 or
/// `timestampMs`. Each element of `locations` is a fix, with `accuracy` in meters, `velocity` in m/s
/// and `heading` in degrees.
///
/// A journey (`activitySegment`) is a segment: its start, the timed points of its
/// `simplifiedRawPath` and its end. A visit (`placeVisit`) is a segment with its place at the start
/// and end times. The points of a `waypointPath` are Google's guess of the road, without times;
/// they are used only if the file has nothing else.
struct GoogleTakeoutDecoder: JSONDocumentDecoder, Sendable {
  /// The parts of a document that matter; see ``JSONDocumentDecoder``.
  enum Node {
    case root, records, record, objects, object, journey, visit
    case start, end, latitude, longitude, speed, course
    case duration, startTime, endTime
    case rawPath, rawPoints, rawPoint, time, accuracy
    case wayPath, waypoints, waypoint
  }

  /// The ranks of positions: recorded ones with times, and guesses without.
  private enum PathRank {
    static var timed: Int { 0 }
    static var waypoint: Int { 1 }
  }

  /// A point as written, in units of 10⁻⁷ degrees; NaN where something is missing.
  private struct Point {
    var latitude = Double.nan
    var longitude = Double.nan
    var milliseconds: Int64?
    var hasTimeFault = false
    var accuracy = Double.nan
    var speed = Double.nan
    var course = Double.nan

    var isEmpty: Bool { latitude.isNaN && longitude.isNaN }

    var fix: Fix {
      var fix = Fix(
        coordinate: Coordinate(
          latitudeDegrees: GooglePosition.degrees(e7: latitude, limit: 90),
          longitudeDegrees: GooglePosition.degrees(e7: longitude, limit: 180)),
        timeMilliseconds: milliseconds)
      fix.setAccuracy(accuracy)
      fix.setSpeed(speed)
      fix.setCourse(course)
      return fix
    }
  }

  var document = JSONDocument<Node>(.root)
  private var assembler = PathAssembler()
  private var point = Point()
  /// The ends of the open journey or visit.
  private var first = Point()
  private var last = Point()
  private var rawPoints: [(Point, SourcePosition)] = []
  private var waypoints: [(Point, SourcePosition)] = []
  /// When the open journey or visit began and ended.
  private var times: (start: Int64?, end: Int64?) = (nil, nil)
  private var hasTimeFault = false

  /// How many guessed positions were left out.
  var notices: [String] {
    let count = assembler.count(rank: PathRank.waypoint)
    guard assembler.count(rank: PathRank.timed) > 0, count > 0 else { return [] }
    return [
      "\(count) waypoints without times are skipped: they are guesses, not recorded positions"
    ]
  }

  /// The part that a member is, by where it stands and its key.
  func member(of node: Node, _ reader: borrowing JSONReader) -> Node? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    switch node {
    case .root: return named("timelineObjects") ? .objects : named("locations") ? .records : nil
    case .record:
      if let member = pointMember(reader) { return member }
      if named("accuracy") { return .accuracy }
      return named("velocity") ? .speed : named("heading") ? .course : nil
    case .object: return named("activitySegment") ? .journey : named("placeVisit") ? .visit : nil
    case .journey:
      if named("startLocation") { return .start }
      if named("endLocation") { return .end }
      if named("simplifiedRawPath") { return .rawPath }
      if named("waypointPath") { return .wayPath }
      return named("duration") ? .duration : nil
    case .visit: return named("location") ? .start : named("duration") ? .duration : nil
    case .start, .end, .rawPoint, .waypoint:
      if let member = pointMember(reader) { return member }
      if named("latE7") { return .latitude }
      return named("lngE7") ? .longitude : named("accuracyMeters") ? .accuracy : nil
    case .duration:
      if named("startTimestamp") || named("startTimestampMs") { return .startTime }
      return named("endTimestamp") || named("endTimestampMs") ? .endTime : nil
    case .rawPath: return named("points") ? .rawPoints : nil
    case .wayPath: return named("waypoints") ? .waypoints : nil
    default: return nil
    }
  }

  /// The part that a member is which all kinds of points have.
  private func pointMember(_ reader: borrowing JSONReader) -> Node? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    if named("latitudeE7") { return .latitude }
    if named("longitudeE7") { return .longitude }
    return named("timestamp") || named("timestampMs") ? .time : nil
  }

  func element(of node: Node) -> Node? {
    switch node {
    case .records: .record
    case .objects: .object
    case .rawPoints: .rawPoint
    case .waypoints: .waypoint
    default: nil
    }
  }

  mutating func begin(_ node: Node) {
    switch node {
    case .journey, .visit:
      (first, last, times, hasTimeFault) = (Point(), Point(), (nil, nil), false)
      rawPoints.removeAll(keepingCapacity: true)
      waypoints.removeAll(keepingCapacity: true)
    case .record, .start, .end, .rawPoint, .waypoint: point = Point()
    default: break
    }
  }

  /// Takes a value of the open point or duration.
  mutating func take(_ value: JSONReader.Event, at node: Node, _ reader: borrowing JSONReader) {
    switch node {
    case .latitude: point.latitude = reader.number(value)
    case .longitude: point.longitude = reader.number(value)
    case .accuracy: point.accuracy = reader.number(value)
    case .speed: point.speed = reader.number(value)
    case .course: point.course = reader.number(value)
    case .time:
      point.milliseconds = reader.milliseconds(value)
      point.hasTimeFault = point.milliseconds == nil
    case .startTime:
      times.start = reader.milliseconds(value)
      if times.start == nil { hasTimeFault = true }
    case .endTime:
      times.end = reader.milliseconds(value)
      if times.end == nil { hasTimeFault = true }
    default: break
    }
  }

  /// Ends a part; the end of a journey or visit adds its positions.
  mutating func end(
    _ node: Node, _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    switch node {
    case .record: take(point, position, into: &batch)
    case .start: first = point
    case .end: last = point
    case .rawPoint: try hold(\.rawPoints, position)
    case .waypoint: try hold(\.waypoints, position)
    case .visit:
      last = first
      // A visit may state only its start.
      if times.end == nil { last = Point() }
      try endSegment(position, into: &batch)
    case .journey: try endSegment(position, into: &batch)
    default: break
    }
  }

  mutating func release(into batch: inout FixBatch) { assembler.finish(into: &batch) }

  /// Makes a fix of a record, which needs no assembly.
  private func take(_ record: Point, _ position: SourcePosition, into batch: inout FixBatch) {
    let fix = record.fix
    guard fix.coordinate.isValid else {
      let isMissing = record.latitude.isNaN || record.longitude.isNaN
      let detail = isMissing ? "the record has no position" : nil
      return batch.rejections.append(position.rejection(.coordinate, detail))
    }
    if record.hasTimeFault {
      let detail = "invalid timestamp; the fix is kept without a time"
      batch.rejections.append(position.rejection(.time, detail))
    }
    batch.append(fix, line: position.line ?? 0)
  }

  /// Keeps a point until its journey is complete; throws if there are too many.
  private mutating func hold(
    _ points: WritableKeyPath<GoogleTakeoutDecoder, [(Point, SourcePosition)]>,
    _ position: SourcePosition
  ) throws(DecodeError) {
    self[keyPath: points].append((point, position))
    guard self[keyPath: points].count > PathAssembler.maximumHeldPoints else { return }
    throw DecodeError(
      "a path has more than \(PathAssembler.maximumHeldPoints) points", line: position.line,
      byteOffset: position.byteOffset)
  }

  /// Adds the positions of a journey or visit as a segment.
  private mutating func endSegment(
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    assembler.beginSegment()
    (first.milliseconds, last.milliseconds) = times
    (first.hasTimeFault, last.hasTimeFault) = (
      hasTimeFault && times.start == nil, hasTimeFault && times.end == nil
    )
    let timed = [(first, position)] + rawPoints + [(last, position)]
    for (point, position) in timed where !point.isEmpty {
      try assembler.add(
        point.fix, hasTimeFault: point.hasTimeFault, rank: PathRank.timed, position, into: &batch)
    }
    for (point, position) in waypoints {
      try assembler.add(
        point.fix, hasTimeFault: false, rank: PathRank.waypoint, position, into: &batch)
    }
  }
}

/// The ways in which Google's exports write positions.
///
/// Tables that were made of such exports have the same units.
enum GooglePosition {
  /// Parses `52.1°, 4.3°` (Android), `52.1, 4.3` or `geo:52.1,4.3` (iOS); latitude comes first.
  static func coordinate(_ text: Span<UInt8>) -> Coordinate? {
    var start = 0
    if text.count > 4, text.extracting(first: 4).equals("geo:") { start = 4 }
    guard let comma = text.firstIndex(of: UInt8(ascii: ","), from: start) else { return nil }
    // A geo URI may include an uncertainty.
    let end = text.firstIndex(of: UInt8(ascii: ";"), from: comma) ?? text.count
    guard let latitude = degrees(text, start..<comma),
      let longitude = degrees(text, (comma + 1)..<end)
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Converts units of 10⁻⁷ degrees; subtracts 2³² from values that overflowed in the export.
  static func degrees(e7: Double, limit: Double) -> Double {
    let units = 1e7
    var value = e7
    if value > limit * units, value <= 4_294_967_296 { value -= 4_294_967_296 }
    return value / units
  }

  /// Parses a number, optionally with spaces around it and a degree sign after it.
  private static func degrees(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text[start] == 0x20 { start += 1 }
    while end > start, text[end - 1] == 0x20 { end -= 1 }
    if end - start >= 2, text[end - 2] == 0xC2, text[end - 1] == 0xB0 { end -= 2 }
    return DecimalNumber.double(parsing: text.extracting(start..<end))
  }
}
