import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Collects the positions and times of a GeoJSON feature, in any order.
///
/// Members may come in any order, so ``GeoJSONTrackDecoder`` puts everything here, and asks for the
/// fixes when the feature is complete.
struct GeoJSONFeature: Sendable {
  /// What a property can say about a point.
  enum Property: Sendable { case time, accuracy, speed, kilometersPerHour, course }

  /// A time as a document states it.
  enum Time: Sendable {
    case milliseconds(Int64)
    /// It is missing or null.
    case missing
    /// There is one that cannot be read, which is reported.
    case unreadable

    /// The time, or ``Fix/noTime``.
    fileprivate var raw: Int64 {
      if case .milliseconds(let milliseconds) = self { milliseconds } else { Fix.noTime }
    }
  }

  /// A position as written, in degrees; NaN where it is not a number.
  private struct Position {
    var latitude: Double
    var longitude: Double
    /// The position's fourth number, or ``Fix/noTime``.
    var milliseconds: Int64
    var line: Int32
    /// Whether it is the first of its line.
    var startsPart: Bool
  }

  /// The type of the open geometry; none if it is unknown or of another kind, such as an area.
  private enum Shape { case none, point, line }

  /// Property names; of several with one meaning, the first in this list counts.
  private static let properties: [(name: StaticString, property: Property)] = [
    ("time", .time), ("timestamp", .time), ("datetime", .time), ("dateTime", .time),
    ("tst", .time), ("when", .time), ("recorded_at", .time), ("date", .time), ("created_at", .time),
    ("accuracy", .accuracy), ("acc", .accuracy), ("horizontal_accuracy", .accuracy),
    ("precision", .accuracy), ("speed", .speed), ("vel", .kilometersPerHour),
    ("speed_kmh", .kilometersPerHour), ("course", .course), ("cog", .course),
    ("bearing", .course), ("heading", .course),
  ]

  /// The node of a property; nil to skip it.
  static func property(_ reader: borrowing JSONReader) -> GeoJSONTrackDecoder.Node? {
    for (index, entry) in properties.enumerated() where reader.textEquals(entry.name) {
      return .property(entry.property, precedence: UInt8(index))
    }
    return nil
  }

  private var positions: [Position] = []
  /// Whether a geometry is a line or a moving point.
  private(set) var hasLines = false
  /// Whether the feature has a moving geometry, which counts instead of the others.
  private var isMoving = false
  /// The listed times, one for each position if the document is right.
  private var times: [Int64] = []
  /// Where each part's times begin, if times are listed per part.
  private var timeParts: [Int] = []
  /// The nesting depth of open time lists.
  private var timesDepth = 0
  /// Time lists in the properties; only the first counts.
  private var timeLists = 0
  /// Set if a part has a different number of times and positions.
  private var partFault: String?
  private var hasUnreadableTimes = false
  /// The time in the properties, for points; and the precedence of its name, lower is better.
  private var pointTime = Fix.noTime
  private var pointTimePrecedence = UInt8.max
  private var hasPointTimeFault = false
  /// Whether nothing is known between two positions.
  private var isDiscrete = false
  /// What the properties say about each point.
  private var fix = Fix.unplaced

  /// How many positions and times came before the open geometry.
  private var geometryStart = 0
  private var timeStart = 0
  private var shape = Shape.none
  private var isMovingGeometry = false
  /// The numbers of the open position; any after the fourth are ignored.
  private var numbers: InlineArray<4, Double> = .init(repeating: .nan)
  private var numberCount = 0
  private var startsPart = true

  /// The number of positions of the feature so far.
  var positionCount: Int { positions.count }

  // MARK: Geometries

  /// Begins a geometry; a moving one replaces all that are not.
  mutating func beginGeometry(isMoving: Bool = false) {
    // A prism in a collection begins inside that collection.
    if isMoving, !self.isMoving {
      positions.removeAll()
      times.removeAll()
      hasLines = false
      self.isMoving = true
    }
    geometryStart = positions.count
    timeStart = times.count
    shape = .none
    isMovingGeometry = isMoving
    startsPart = true
  }

  /// Takes the type of a geometry, which may come after its coordinates.
  mutating func setType(_ text: Span<UInt8>) {
    if text.equals("LineString") || text.equals("MultiLineString") || text.equals("MovingPoint") {
      shape = .line
    } else if text.equals("Point") || text.equals("MultiPoint") {
      shape = .point
    }
  }

  /// Takes how positions between two instants are to be found (MF-JSON).
  mutating func setInterpolation(_ text: Span<UInt8>) {
    if text.equals("Discrete") || text.equals("Step") || text.equals("Stepwise") {
      isDiscrete = true
    }
  }

  /// Begins an array of coordinates, of whatever depth.
  mutating func beginCoordinates() { numberCount = 0 }

  /// Adds the next number of a position: longitude, latitude, altitude, and perhaps a time.
  mutating func addNumber(_ number: Double) {
    if numberCount < 4 { numbers[numberCount] = number }
    numberCount += 1
  }

  /// Ends an array of numbers (a position) or of arrays (a part).
  mutating func endCoordinates(line: Int) {
    guard numberCount > 0 else { return startsPart = true }
    let time =
      numberCount >= 4 && numbers[3] > 1e8 ? EpochTime.milliseconds(inAnyUnit: numbers[3]) : nil
    positions.append(
      Position(
        latitude: numberCount > 1 ? numbers[1] : .nan, longitude: numbers[0],
        milliseconds: time ?? Fix.noTime, line: Int32(clamping: line), startsPart: startsPart))
    startsPart = false
    numberCount = 0
  }

  /// Ends a geometry; drops it unless it is a line or point.
  mutating func endGeometry() {
    let isOurs = shape != .none && (isMovingGeometry || !isMoving)
    if !isOurs {
      positions.removeSubrange(min(geometryStart, positions.count)...)
      if isMovingGeometry { times.removeSubrange(min(timeStart, times.count)...) }
    } else if shape == .line, positions.count > geometryStart {
      hasLines = true
    }
    geometryStart = positions.count
    timeStart = times.count
    shape = .none
  }

  // MARK: Times and properties

  /// Begins a list of times, or a part's list within it.
  mutating func beginTimes() {
    timesDepth += 1
    if timesDepth == 1 { timeLists += 1 }
    if timesDepth == 2, timeLists == 1, timeParts.count <= PathAssembler.maximumHeldPoints {
      timeParts.append(times.count)
    }
  }

  /// Ends a list of times, or a part's list within it.
  mutating func endTimes() { timesDepth -= 1 }

  /// Adds a time of a line from the properties; moving geometries have their own.
  mutating func addTime(_ time: Time) {
    guard !isMoving, timeLists == 1 else { return }
    append(time)
  }

  /// Adds a time of a moving geometry.
  mutating func addMovingTime(_ time: Time) {
    guard isMovingGeometry || !isMoving else { return }
    append(time)
  }

  /// Adds a time unless there are too many; a fault is reported for the whole feature.
  private mutating func append(_ time: Time) {
    guard times.count <= PathAssembler.maximumHeldPoints else { return }
    times.append(time.raw)
    if case .unreadable = time { hasUnreadableTimes = true }
  }

  /// Takes a point's time, unless a better name has given one; null counts as none.
  mutating func setTime(_ time: Time, precedence: UInt8) {
    guard precedence < pointTimePrecedence else { return }
    if case .missing = time { return }
    pointTimePrecedence = precedence
    pointTime = time.raw
    if case .unreadable = time { hasPointTimeFault = true } else { hasPointTimeFault = false }
  }

  mutating func set(_ property: Property, _ number: Double) {
    switch property {
    case .accuracy: fix.setAccuracy(number)
    case .speed: fix.setSpeed(number)
    case .kilometersPerHour: fix.setSpeed(number / 3.6)
    case .course: fix.setCourse(number)
    case .time: break
    }
  }

  /// Assigns times to each part that has as many; call it once, when the feature is complete.
  mutating func alignTimes() {
    guard !timeParts.isEmpty, !isMoving, times.count != positions.count else { return }
    let starts = positions.indices.filter { positions[$0].startsPart }
    guard starts.count == timeParts.count else { return }
    var aligned = [Int64](repeating: Fix.noTime, count: positions.count)
    for (part, start) in starts.enumerated() {
      let end = part + 1 < starts.count ? starts[part + 1] : positions.count
      let timesEnd = part + 1 < timeParts.count ? timeParts[part + 1] : times.count
      let own = times[timeParts[part]..<timesEnd]
      if own.count == end - start {
        aligned.replaceSubrange(start..<end, with: own)
      } else if partFault == nil {
        let noun = own.count == 1 ? "time" : "times"
        partFault =
          "\(own.count) \(noun) for \(end - start) positions in one part; all are kept without times"
      }
    }
    times = aligned
  }

  // MARK: Fixes

  /// Whether each position has a listed time.
  private var hasTimesOfAll: Bool { !times.isEmpty && times.count == positions.count }

  /// Whether the path has times; a line needs them in its list or its positions.
  var hasTimes: Bool {
    if !times.isEmpty { return hasTimesOfAll }
    if hasLines { return positions.contains { $0.milliseconds != Fix.noTime } }
    return pointTime != Fix.noTime || positions.contains { $0.milliseconds != Fix.noTime }
  }

  /// Why the times do not fit the positions; nil if they do.
  var timesFault: Rejection? {
    guard !positions.isEmpty else { return nil }
    let line = Int(positions[positions.count - 1].line)
    if !times.isEmpty, !hasTimesOfAll {
      let detail =
        "\(times.count) times for \(positions.count) positions; the positions are kept without times"
      return Rejection(reason: .time, line: line, detail: detail)
    }
    if let partFault { return Rejection(reason: .time, line: line, detail: partFault) }
    guard hasUnreadableTimes else { return nil }
    return Rejection(
      reason: .time, line: line,
      detail: "invalid time in the feature; its position is kept without a time")
  }

  /// Returns a fix, whether its time is unreadable, and whether it begins a line.
  func fix(_ index: Int) -> (fix: Fix, hasTimeFault: Bool, startsPart: Bool) {
    let position = positions[index]
    var fix = hasLines ? Fix(coordinate: self.fix.coordinate) : self.fix
    fix.coordinate = Coordinate(
      latitudeDegrees: position.latitude, longitudeDegrees: position.longitude)
    fix.line = position.line
    fix.rawTimeMilliseconds = hasTimesOfAll ? times[index] : position.milliseconds
    if fix.rawTimeMilliseconds == Fix.noTime, !hasLines { fix.rawTimeMilliseconds = pointTime }
    let hasFault = !hasLines && hasPointTimeFault && fix.rawTimeMilliseconds == Fix.noTime
    return (fix, hasFault, position.startsPart || (isMoving && isDiscrete))
  }
}
