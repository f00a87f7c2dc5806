public import FencepostFormats
import FencepostGeodesy

/// What a JSON object states of a fix.
public struct JSONFix: Sendable {
  /// What the member that names the device says; nil where it is not there.
  public var device: String?
  /// Whether it is a report of gpsd other than TPV, or a message of OwnTracks other than `location`.
  public var isOther = false
  /// Whether the receiver says that it has no fix.
  public var isVoid = false
  /// In degrees; NaN where it is not there or no number.
  public var latitude = Double.nan
  /// In degrees; NaN where it is not there or no number.
  public var longitude = Double.nan
  /// Whether something is said of the time that is no time.
  public var hasTimeFault = false
  /// All but the position.
  public var fix = Fix(coordinate: Coordinate(latitudeDegrees: .nan, longitudeDegrees: .nan))
  /// The fields set by a member that takes precedence over others of the same meaning, a bit each.
  fileprivate var settled: UInt16 = 0

  /// Makes an object without members.
  public init() {}
}

/// Reads objects of JSON, each a fix; the one place that knows the names of their members.
///
/// The members are those of gpsd's TPV reports (`time`, `lat`, `lon`, `eph`, `speed` in m/s, `track`) or of
/// OwnTracks (`tst`, `lat`, `lon`, `acc`, `vel` in km/h, `cog`), or `timestamp`, `latitude`,
/// `longitude` or `lng`, and `accuracy`, which count where none of those is there. Times are ISO 8601, or
/// numbers since 1970: seconds below 10^11, milliseconds below 10^14, microseconds below 10^17, else
/// nanoseconds. A number `trkseg` is that of the segment. Objects whose `class` is not `TPV` or whose
/// `_type` is not `location` are others.
public struct JSONFixReader: Sendable {
  fileprivate enum Field: UInt16 {
    case device, reportClass, messageType, mode, time, latitude, longitude, accuracy, speed
    case kilometersPerHour, course, segment

    var bit: UInt16 { 1 << rawValue }
  }

  private static let members: [(name: StaticString, field: Field, isFirst: Bool)] = [
    ("class", .reportClass, true), ("_type", .messageType, true), ("mode", .mode, true),
    ("time", .time, true), ("tst", .time, true), ("timestamp", .time, false),
    ("lat", .latitude, true), ("latitude", .latitude, false), ("lon", .longitude, true),
    ("longitude", .longitude, false), ("lng", .longitude, false), ("eph", .accuracy, true),
    ("acc", .accuracy, true), ("accuracy", .accuracy, false), ("speed", .speed, true),
    ("vel", .kilometersPerHour, true), ("track", .course, true), ("cog", .course, true),
    ("trkseg", .segment, true),
  ]
  static let latitudeNames = names(of: .latitude)
  static let longitudeNames = names(of: .longitude)

  private static func names(of field: Field) -> [StaticString] {
    members.filter { $0.field == field }.map(\.name)
  }

  private let deviceMember: [UInt8]?
  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

  /// Makes a reader.
  ///
  /// - Parameter deviceMember: The name of the member that names the device; nil where none does.
  public init(deviceMember: String? = nil) {
    self.deviceMember = deviceMember.map { Array($0.utf8) }
  }

  /// Reads the object on a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - object: Gets what the members say.
  /// - Returns: False where there is no object.
  /// - Throws: `JSONError` where the line is no JSON; what the object was given before is void.
  public mutating func read(
    _ line: Span<UInt8>, into object: inout JSONFix
  ) throws(JSONError) -> Bool {
    reader.reset()
    reader.push(line)
    reader.finish()
    guard !Self.isBlank(line) else { return false }
    let isObject = try reader.next() == .beginObject
    var member: (field: Field, isFirst: Bool)?
    while let event = try reader.next() {
      // What is deeper belongs to another value, and so does its end.
      guard isObject, reader.depth == 1 else { continue }
      switch event {
      case .key: member = self.member()
      case .number:
        if let field = claim(member, &object) { take(field, number: reader.double, &object) }
      case .string:
        if let field = claim(member, &object) { take(field, text: reader.text.span, &object) }
      default: break
      }
    }
    return isObject
  }

  /// Whether there are but blanks on a line.
  public static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
    return true
  }

  private func member() -> (field: Field, isFirst: Bool)? {
    if let deviceMember, reader.text.elementsEqual(deviceMember) { return (.device, true) }
    return Self.members.first { reader.textEquals($0.name) }.map { ($0.field, $0.isFirst) }
  }

  /// The field that a member's value goes to; nil if a member that takes precedence has set it.
  private func claim(
    _ member: (field: Field, isFirst: Bool)?, _ object: inout JSONFix
  ) -> Field? {
    guard let member else { return nil }
    if member.isFirst {
      object.settled |= member.field.bit
    } else if object.settled & member.field.bit != 0 {
      return nil
    }
    return member.field
  }

  private func take(_ field: Field, number: Double, _ object: inout JSONFix) {
    switch field {
    case .device:
      object.device =
        Int64(exactly: number).map(String.init) ?? String(decoding: reader.text, as: UTF8.self)
    case .mode: object.isVoid = !(number >= 2)
    case .time: setTime(Fix.timeMilliseconds(sinceEpoch: number), &object)
    case .latitude: object.latitude = number
    case .longitude: object.longitude = number
    case .accuracy:
      if number.isFinite, number >= 0 { object.fix.accuracyMeters = Float(number) }
    case .speed:
      if number.isFinite, number >= 0 { object.fix.speedMetersPerSecond = Float(number) }
    case .kilometersPerHour:
      if number.isFinite, number >= 0 { object.fix.speedMetersPerSecond = Float(number / 3.6) }
    case .course: if 0..<360 ~= number { object.fix.courseDegrees = Float(number) }
    case .segment: object.fix.segmentIndex = Int32(exactly: number) ?? 0
    case .reportClass, .messageType: break
    }
  }

  private func take(_ field: Field, text: Span<UInt8>, _ object: inout JSONFix) {
    switch field {
    case .device: object.device = String(decoding: reader.text, as: UTF8.self)
    case .reportClass: if !reader.textEquals("TPV") { object.isOther = true }
    case .messageType: if !reader.textEquals("location") { object.isOther = true }
    case .time: setTime(ISO8601.milliseconds(parsing: text), &object)
    default: break
    }
  }

  private func setTime(_ milliseconds: Int64?, _ object: inout JSONFix) {
    object.fix.timeMilliseconds = milliseconds
    object.hasTimeFault = milliseconds == nil
  }
}
