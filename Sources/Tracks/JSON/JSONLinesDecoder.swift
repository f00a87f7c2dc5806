package import FencepostFixes
import FencepostTime
package import FencepostFormats
import FencepostGeodesy

/// Decodes JSON Lines in which each line is an object with `time`, `lat` and `lon`.
///
/// ``JSONFixReader`` lists all names. A line that is not an object is rejected as `malformed`; an
/// object without a valid position, as `coordinate`. A fix with an unreadable time is kept without
/// it and reported as `time`.
package struct JSONLinesDecoder: LineDecoder, Sendable {
  package var scanner = LineScanner()
  private var reader = JSONFixReader()

  package init() {}

  package mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    guard !JSONFixReader.isBlank(line) else { return }
    var object = JSONFix()
    do throws(JSONError) {
      guard try reader.read(line, into: &object) else {
        return batch.reject(.malformed, line: position.number, detail: "not a JSON object")
      }
    } catch {
      return batch.reject(error, position)
    }
    guard !object.isOther else { return }
    let line = position.number
    if object.isVoid { return batch.reject(.void, line: line) }
    if object.latitude.isNaN || object.longitude.isNaN {
      let part = object.latitude.isNaN ? "lat" : "lon"
      return batch.reject(.coordinate, line: line, detail: "\(part) is missing or not a number")
    }
    var fix = object.fix
    fix.coordinate = Coordinate(
      latitudeDegrees: object.latitude, longitudeDegrees: object.longitude)
    guard fix.coordinate.isValid else {
      return batch.reject(.coordinate, line: line, detail: "\(object.latitude),\(object.longitude)")
    }
    if object.hasTimeFault {
      batch.reject(.time, line: line, detail: "invalid time; the fix is kept without a time")
    }
    batch.append(fix, line: line)
  }
}

/// A fix as stated by a JSON object.
package struct JSONFix: Sendable {
  package var device: String?
  /// Whether this is a gpsd report other than TPV or an OwnTracks message other than `location`.
  package var isOther = false
  /// Whether the receiver reports no fix.
  package var isVoid = false
  /// Degrees; NaN if missing or not a number.
  package var latitude = Double.nan
  package var longitude = Double.nan
  package var hasTimeFault = false
  /// Everything except the position.
  package var fix = Fix.unplaced
  /// One bit for each field set by a preferred member.
  fileprivate var settled: UInt16 = 0

  package init() {}
}

/// Reads fixes from JSON objects, whose members may have various names.
///
/// The names are those of gpsd's TPV reports (`time`, `lat`, `lon`, `eph`, `speed` in m/s, `track`)
/// and of OwnTracks (`tst`, `lat`, `lon`, `acc`, `vel` in km/h, `cog`). Failing those, they are
/// `timestamp`, `latitude`, `longitude` or `lng`, and `accuracy`. Times are ISO 8601 or numbers
/// since 1970: seconds below 10^11, milliseconds below 10^14, microseconds below 10^17, otherwise
/// nanoseconds. `trkseg` is the index of the segment.
package struct JSONFixReader: Sendable {
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
  private var reader = JSONLineReader()

  /// Creates a reader; `deviceMember` is the key of the device's name.
  package init(deviceMember: String? = nil) {
    self.deviceMember = deviceMember.map { Array($0.utf8) }
  }

  /// Reads the object on a line; false if the line holds something else.
  ///
  /// Throws `JSONError` if the line is not JSON. Do not use `object` then.
  package mutating func read(
    _ line: Span<UInt8>, into object: inout JSONFix
  ) throws(JSONError) -> Bool {
    let deviceMember = deviceMember
    return try reader.read(line, index: { Self.member($0, device: deviceMember) }) {
      Self.take($0, $1, $2, &object)
    }
  }

  /// Whether a line is empty or has only spaces and tabs.
  package static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
    return true
  }

  /// The index in ``members``; −1 for the device's name, nil to skip.
  private static func member(_ reader: borrowing JSONReader, device: [UInt8]?) -> Int? {
    if let device, reader.text.elementsEqual(device) { return -1 }
    return members.firstIndex { reader.textEquals($0.name) }
  }

  private static func take(
    _ index: Int, _ value: JSONLineReader.Value, _ text: Span<UInt8>, _ object: inout JSONFix
  ) {
    if case .other = value { return }
    let field = index < 0 ? .device : members[index].field
    // A preferred member may already have set it.
    if index < 0 || members[index].isFirst {
      object.settled |= field.bit
    } else if object.settled & field.bit != 0 {
      return
    }
    if case .number(let number) = value {
      take(field, number: number, text, &object)
    } else {
      take(field, text: text, &object)
    }
  }

  private static func take(
    _ field: Field, number: Double, _ text: Span<UInt8>, _ object: inout JSONFix
  ) {
    switch field {
    case .device: object.device = Int64(exactly: number).map(String.init) ?? String(utf8: text)
    case .mode: object.isVoid = !(number >= 2)
    case .time: setTime(EpochTime.milliseconds(inAnyUnit: number), &object)
    case .latitude: object.latitude = number
    case .longitude: object.longitude = number
    case .accuracy: object.fix.setAccuracy(number)
    case .speed: object.fix.setSpeed(number)
    case .kilometersPerHour: object.fix.setSpeed(number / 3.6)
    case .course: if number != 360 { object.fix.setCourse(number) }
    case .segment: object.fix.segmentIndex = Int32(exactly: number) ?? 0
    case .reportClass, .messageType: break
    }
  }

  private static func take(_ field: Field, text: Span<UInt8>, _ object: inout JSONFix) {
    switch field {
    case .device: object.device = String(utf8: text)
    case .reportClass: if !text.equals("TPV") { object.isOther = true }
    case .messageType: if !text.equals("location") { object.isOther = true }
    case .time: setTime(ISO8601.milliseconds(parsing: text), &object)
    default: break
    }
  }

  private static func setTime(_ milliseconds: Int64?, _ object: inout JSONFix) {
    object.fix.timeMilliseconds = milliseconds
    object.hasTimeFault = milliseconds == nil
  }
}

/// Reads members from JSON objects, one object per line.
struct JSONLineReader: Sendable {
  enum Value {
    /// A number; infinite if it exceeds the range of `Double`.
    case number(Double)
    /// A string, whose bytes are passed separately.
    case string
    /// Any other value; arrays and objects are skipped.
    case other

    /// The number; NaN for other values.
    var number: Double { if case .number(let number) = self { number } else { .nan } }
    var isString: Bool { if case .string = self { true } else { false } }
  }

  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

  /// Reads the object on a line; without members if the line is blank or holds something else.
  ///
  /// Returns false if the line is too long or not JSON, and adds a rejection to `batch`. `member`
  /// receives an index in `names`; use its text only for a string.
  mutating func read(
    _ line: Span<UInt8>, _ position: LinePosition, names: [StaticString],
    into batch: inout FixBatch, member: (Int, Value, Span<UInt8>) -> Void
  ) -> Bool {
    guard !position.isCut else {
      batch.reject(.tooLong, line: position.number)
      return false
    }
    do throws(JSONError) {
      let index = { (reader: borrowing JSONReader) in names.firstIndex { reader.textEquals($0) } }
      _ = try read(line, index: index, member: member)
      return true
    } catch {
      batch.reject(error, position)
      return false
    }
  }

  /// Reads a line; false if it does not hold an object.
  ///
  /// `index` maps the reader's current key to an index; nil skips the member. Discard what `member`
  /// received if this throws.
  mutating func read(
    _ line: Span<UInt8>, index: (borrowing JSONReader) -> Int?,
    member: (Int, Value, Span<UInt8>) -> Void
  ) throws(JSONError) -> Bool {
    reader.reset()
    reader.push(line)
    reader.finish()
    guard !JSONFixReader.isBlank(line) else { return false }
    let isObject = try reader.next() == .beginObject
    var wanted: Int?
    while let event = try reader.next() {
      // Anything deeper belongs to a nested value.
      guard isObject, reader.depth == 1 else { continue }
      if event == .key {
        wanted = index(reader)
      } else if let wanted {
        let value: Value =
          event == .number ? .number(reader.double) : event == .string ? .string : .other
        member(wanted, value, reader.text.span)
      }
    }
    return isObject
  }
}

extension FixBatch {
  mutating func reject(_ error: JSONError, _ position: LinePosition) {
    reject(
      .malformed, line: position.number, byteOffset: position.byteOffset + error.byteOffset,
      detail: error.sentence)
  }
}
