import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Decodes Google Timeline from phones: Android's `Timeline.json`, iOS's `location-history.json`.
///
/// The path consists of the points of all `timelinePath`; a visit between two of them begins a
/// segment. Without any, the path consists of the positions in `rawSignals`, and failing those, of
/// the ends of activities and visits. If one begins exactly when the last one ended, they share a
/// fix and a segment. Visits within visits are skipped. iOS gives a point's time in whole minutes
/// after the start of its window.
struct GoogleTimelineDecoder: JSONDocumentDecoder, Sendable {
  /// The parts of a document that matter; see ``JSONDocumentDecoder``.
  enum Node {
    case root, segments, segment, startTime, endTime
    case path, pathPoint, point, pointTime, pointMinutes
    case visit, visitLevel, candidate, location, locationText
    case activity, activityStart, activityEnd, startText, endText
    case signals, signal, position, positionText, positionTime, accuracy, speed
  }

  /// The ranks of positions, the best first; see ``PathAssembler``.
  private enum PathRank {
    static var path: Int { 0 }
    static var signal: Int { 1 }
    static var stay: Int { 2 }
  }

  /// A point of a path, with a time of its own or minutes after the start of its window.
  private struct Point {
    var coordinate: Coordinate?
    var milliseconds: Int64?
    var minutes: Double?
    var hasTimeFault = false
    var position = SourcePosition()
  }

  /// The limit for points that wait for their window's start; a phone's window is two hours.
  private static var maximumWaitingPoints: Int { 1 << 16 }

  var document = JSONDocument<Node>(.root)
  private var assembler = PathAssembler()
  private var point = Point()
  /// Points of the open window that wait for its start time.
  private var waiting: [Point] = []
  /// When the open window began and ended; nil if that is unknown or not yet read.
  private var start: Int64?
  private var end: Int64?
  private var hasTimeFault = false
  /// The ends of an activity; for a visit, both are its place.
  private var ends: (first: Coordinate?, last: Coordinate?) = (nil, nil)
  private var isVisit = false
  /// Whether the visit is one within another, such as a shop in a mall.
  private var isWithinVisit = false
  /// When the last activity or visit ended, and how many path points came before.
  private var lastEnd: (milliseconds: Int64?, pathCount: Int) = (nil, 0)
  /// Whether the window is a movement from one place to another.
  private var isActivity = false
  private var signal = Fix.unplaced
  private var signalHasTimeFault = false

  /// The part that a member is, by where it stands and its key.
  func member(of node: Node, _ reader: borrowing JSONReader) -> Node? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    switch node {
    case .root: return named("semanticSegments") ? .segments : named("rawSignals") ? .signals : nil
    case .segment:
      if named("timelinePath") { return .path }
      if named("startTime") { return .startTime }
      if named("endTime") { return .endTime }
      if named("visit") { return .visit }
      return named("activity") ? .activity : nil
    case .pathPoint:
      if named("point") { return .point }
      if named("time") { return .pointTime }
      return named("durationMinutesOffsetFromStartTime") ? .pointMinutes : nil
    case .visit:
      return named("topCandidate") ? .candidate : named("hierarchyLevel") ? .visitLevel : nil
    case .candidate: return named("placeLocation") ? .location : nil
    case .location: return named("latLng") ? .locationText : nil
    case .activity: return named("start") ? .activityStart : named("end") ? .activityEnd : nil
    case .activityStart: return named("latLng") ? .startText : nil
    case .activityEnd: return named("latLng") ? .endText : nil
    case .signal: return named("position") ? .position : nil
    case .position:
      if named("LatLng") { return .positionText }
      if named("timestamp") { return .positionTime }
      if named("accuracyMeters") { return .accuracy }
      return named("speedMetersPerSecond") ? .speed : nil
    default: return nil
    }
  }

  /// The part that an array's elements are; on iOS, the document itself is the array.
  func element(of node: Node) -> Node? {
    switch node {
    case .root, .segments: .segment
    case .path: .pathPoint
    case .signals: .signal
    default: nil
    }
  }

  mutating func begin(_ node: Node) {
    switch node {
    case .segment:
      (start, end, hasTimeFault, isVisit, isActivity) = (nil, nil, false, false, false)
      isWithinVisit = false
      ends = (nil, nil)
    case .pathPoint: point = Point()
    case .visit: isVisit = true
    case .activity: isActivity = true
    case .position:
      signal = Fix.unplaced
      signalHasTimeFault = false
    default: break
    }
  }

  /// Takes a value of the open window, point or signal.
  mutating func take(_ value: JSONReader.Event, at node: Node, _ reader: borrowing JSONReader) {
    switch node {
    case .startTime: start = time(value, reader)
    case .endTime: end = time(value, reader)
    case .point: point.coordinate = coordinate(value, reader)
    case .pointTime:
      point.milliseconds = reader.milliseconds(value)
      point.hasTimeFault = point.milliseconds == nil
    case .pointMinutes:
      point.minutes = reader.number(value)
      point.hasTimeFault = point.minutes?.isFinite != true
    case .visitLevel: isWithinVisit = reader.number(value) > 0
    case .location, .locationText:
      let place = coordinate(value, reader)
      ends = (place, place)
    case .activityStart, .startText: ends.first = coordinate(value, reader)
    case .activityEnd, .endText: ends.last = coordinate(value, reader)
    case .positionText: if let place = coordinate(value, reader) { signal.coordinate = place }
    case .positionTime:
      signal.timeMilliseconds = reader.milliseconds(value)
      signalHasTimeFault = signal.timeMilliseconds == nil
    case .accuracy: signal.setAccuracy(reader.number(value))
    case .speed: signal.setSpeed(reader.number(value))
    default: break
    }
  }

  /// Ends a part; the end of a point, window or signal adds its positions.
  mutating func end(
    _ node: Node, _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    switch node {
    case .pathPoint:
      point.position = position
      if start == nil, point.milliseconds == nil {
        try wait(into: &batch)
      } else {
        try add(point, into: &batch)
      }
    case .segment: try endSegment(position, into: &batch)
    case .position:
      try assembler.add(
        signal, hasTimeFault: signalHasTimeFault, rank: PathRank.signal, position, into: &batch)
    default: break
    }
  }

  mutating func release(into batch: inout FixBatch) { assembler.finish(into: &batch) }

  /// The time of a window's end; remembers if it cannot be read.
  private mutating func time(_ value: JSONReader.Event, _ reader: borrowing JSONReader) -> Int64? {
    let milliseconds = reader.milliseconds(value)
    if milliseconds == nil { hasTimeFault = true }
    return milliseconds
  }

  /// A position in one of Google's forms; nil if it is in none.
  private func coordinate(_ value: JSONReader.Event, _ reader: borrowing JSONReader) -> Coordinate?
  {
    value == .string ? GooglePosition.coordinate(reader.text.span) : nil
  }

  // MARK: Paths

  /// Keeps a point until the start of its window is known; at the limit, delivers it without.
  private mutating func wait(into batch: inout FixBatch) throws(DecodeError) {
    waiting.append(point)
    guard waiting.count >= Self.maximumWaitingPoints else { return }
    try deliverWaiting(into: &batch)
  }

  /// Adds the points that waited, in their order.
  private mutating func deliverWaiting(into batch: inout FixBatch) throws(DecodeError) {
    let points = waiting
    waiting = []
    for point in points { try add(point, into: &batch) }
  }

  /// Adds a point of a path with the best time that is known.
  private mutating func add(_ point: Point, into batch: inout FixBatch) throws(DecodeError) {
    var fix = Fix(coordinate: point.coordinate ?? Fix.unplaced.coordinate)
    fix.timeMilliseconds = point.milliseconds
    if fix.timeMilliseconds == nil, let start, let minutes = point.minutes {
      fix.timeMilliseconds = EpochTime.milliseconds(rounding: Double(start) + minutes * 60_000)
    }
    let hasTimeFault = fix.timeMilliseconds == nil && (point.hasTimeFault || self.hasTimeFault)
    try assembler.add(
      fix, hasTimeFault: hasTimeFault, rank: PathRank.path, point.position, into: &batch)
  }

  // MARK: Visits and activities

  /// Adds the ends of an activity, or the place of a visit at both its times.
  private mutating func endSegment(
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    try deliverWaiting(into: &batch)
    guard isVisit || isActivity, !isWithinVisit else { return }
    let pathCount = assembler.count(rank: PathRank.path)
    let continues = start != nil && lastEnd == (start, pathCount)
    lastEnd = (ends.last?.isValid == true ? end : nil, pathCount)
    if !continues { assembler.beginSegment() }
    if isVisit, ends.first == nil {
      let fault = position.rejection(.coordinate, "the visit has no position")
      return try assembler.reject(fault, rank: PathRank.stay, into: &batch)
    }
    for (coordinate, time) in [(continues ? nil : ends.first, start), (ends.last, end)] {
      // An activity may lack an end.
      guard let coordinate else { continue }
      let fix = Fix(coordinate: coordinate, timeMilliseconds: time)
      try assembler.add(
        fix, hasTimeFault: hasTimeFault && time == nil, rank: PathRank.stay, position, into: &batch)
    }
  }
}
