public import FencepostFixes
import FencepostTime
public import FencepostFormats
import FencepostGeodesy

/// A fix as a JSON object states it.
public struct JSONFix: Sendable {
  /// The name of the device, or nil.
  public var device: String?
  /// Whether it is a gpsd report other than TPV or an OwnTracks message other than `location`.
  public var isOther = false
  /// Whether the receiver reports no fix.
  public var isVoid = false
  /// In degrees; NaN if missing or not a number.
  public var latitude = Double.nan
  /// In degrees; NaN if missing or not a number.
  public var longitude = Double.nan
  /// Whether there is an unreadable time.
  public var hasTimeFault = false
  /// Everything except the position.
  public var fix = Fix(coordinate: Coordinate(latitudeDegrees: .nan, longitudeDegrees: .nan))
  /// One bit for each field that was set by a member with precedence.
  fileprivate var settled: UInt16 = 0

  /// Makes an object without members.
  public init() {}
}

/// Reads fixes from JSON objects with members of various names.
///
/// The names are those of gpsd's TPV reports (`time`, `lat`, `lon`, `eph`, `speed` in m/s, `track`) and of
/// OwnTracks (`tst`, `lat`, `lon`, `acc`, `vel` in km/h, `cog`), and, without those, `timestamp`, `latitude`,
/// `longitude` or `lng`, and `accuracy`. Times are ISO 8601 or numbers since 1970: seconds below 10^11,
/// milliseconds below 10^14, microseconds below 10^17, else nanoseconds. A number in `trkseg` is the segment's
/// index. Objects whose `class` is not `TPV` or whose `_type` is not `location` are marked as other.
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
  /// - Parameter deviceMember: The name of the member with the device's name, or nil.
  public init(deviceMember: String? = nil) {
    self.deviceMember = deviceMember.map { Array($0.utf8) }
  }

  /// Reads the object on a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - object: Receives the members.
  /// - Returns: False if the line is not an object.
  /// - Throws: `JSONError` if the line is not JSON; the object is then meaningless.
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
      // Anything deeper, with its end, belongs to another value.
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

  /// Whether a line is empty or consists of blanks.
  public static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
    return true
  }

  private func member() -> (field: Field, isFirst: Bool)? {
    if let deviceMember, reader.text.elementsEqual(deviceMember) { return (.device, true) }
    return Self.members.first { reader.textEquals($0.name) }.map { ($0.field, $0.isFirst) }
  }

  /// The field for a member's value; nil if a member with precedence has set it.
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
