package import FencepostFixes
package import FencepostFormats
package import FencepostGeodesy
package import FencepostTime

/// A fix as stated by a JSON object: a gpsd report, an OwnTracks message or a plain object.
///
/// ``JSONFixReader`` reads one from a line, and ``init(_:)`` takes one from a parsed object. The
/// caller decides what to do about missing or invalid values, because files, posts and recorders
/// treat them differently.
package struct JSONFix: Sendable {
  /// The types of OwnTracks messages that matter.
  ///
  /// Only locations hold a fix; encrypted messages are reported, because their owner can change
  /// that.
  package enum MessageType: Sendable { case location, encrypted, other }

  /// Whether the value is an object at all; without members if not.
  package internal(set) var isObject = true
  /// The text of the member that names the device; nil without one.
  package private(set) var device: String?
  /// Whether an object with a `class` is gpsd's TPV report; nil for other objects.
  package private(set) var isReport: Bool?
  /// The type of an OwnTracks message; nil for other objects.
  package private(set) var messageType: MessageType?
  /// Whether the receiver reports no fix.
  package private(set) var isVoid = false
  /// Degrees; NaN if missing or not a number.
  package private(set) var latitude = Double.nan
  /// Degrees east; NaN if missing or not a number.
  package private(set) var longitude = Double.nan
  /// The time as a number, in whatever unit; NaN if it is missing or a date.
  package private(set) var timeNumber = Double.nan
  /// Whether there is a time that cannot be read.
  package private(set) var hasTimeFault = false
  /// Whether the time states no zone, so that it was read in UTC.
  private var isTimeLocal = false
  /// Everything except the position.
  package var fix = Fix.unplaced
  private var eastErrorMeters = Double.nan
  private var northErrorMeters = Double.nan
  /// One bit for each field set by a preferred member.
  private var settled: UInt16 = 0

  /// The detail of the rejection of a line that is JSON, but not an object.
  static let notAnObject = "not a JSON object"

  /// Creates a fix of which nothing is stated.
  package init() {}

  /// Whether this is a gpsd report other than TPV or an OwnTracks message other than `location`.
  package var isOther: Bool {
    isReport == false || (messageType.map { $0 != .location } ?? false)
  }

  /// Whether there is a latitude and a longitude, even if they are not numbers.
  var hasPosition: Bool { isSettled(.latitude) && isSettled(.longitude) }

  /// The position as written, which may be out of range or NaN.
  package var coordinate: Coordinate {
    Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Takes a number for seconds whatever its size, as OwnTracks' `tst` is meant.
  mutating func countSeconds() {
    guard !timeNumber.isNaN else { return }
    setTime(EpochTime.milliseconds(rounding: timeNumber * 1000))
  }

  // MARK: Members

  /// What a member can state; a field may have several names.
  fileprivate enum Field: UInt16 {
    case device, reportClass, messageType, mode, time, latitude, longitude, accuracy, eastError
    case northError, speed, kilometersPerHour, track, course, segment

    var bit: UInt16 { 1 << rawValue }
  }

  /// The names of members; of two for one field, `isFirst` marks the one that counts.
  fileprivate static let members: [(name: StaticString, field: Field, isFirst: Bool)] = [
    ("class", .reportClass, true), ("_type", .messageType, true), ("mode", .mode, true),
    ("time", .time, true), ("tst", .time, true), ("timestamp", .time, false),
    ("tim", .time, false), ("start_time", .time, false), ("datetime", .time, false),
    ("gps_time", .time, false), ("fixTime", .time, false),
    ("lat", .latitude, true), ("latitude", .latitude, false), ("lon", .longitude, true),
    ("longitude", .longitude, false), ("lng", .longitude, false), ("eph", .accuracy, true),
    ("acc", .accuracy, true), ("accuracy", .accuracy, false), ("epx", .eastError, true),
    ("epy", .northError, true), ("speed", .speed, true), ("vel", .kilometersPerHour, true),
    ("track", .track, true), ("cog", .course, true), ("course", .course, false),
    ("trkseg", .segment, true),
  ]

  /// The indices in ``members`` by the lengths of the names, so that few are compared with a key.
  fileprivate static let indicesByLength: [[Int]] = (0...10).map { length in
    members.indices.filter { members[$0].name.utf8CodeUnitCount == length }
  }

  /// A member's value.
  fileprivate enum Value {
    case number(Double)
    /// A string, whose bytes are passed separately.
    case string
  }

  /// Whether a preferred member has set a field, whatever its value.
  private func isSettled(_ field: Field) -> Bool { settled & field.bit != 0 }

  /// Takes the member with an index in ``members``; −1 means the device's name.
  fileprivate mutating func take(_ index: Int, _ value: Value, _ text: Span<UInt8>) {
    let field = index < 0 ? .device : Self.members[index].field
    // A preferred member may already have set it.
    if index < 0 || Self.members[index].isFirst {
      settled |= field.bit
    } else if isSettled(field) {
      return
    }
    switch value {
    case .number(let number): take(field, number: number, text)
    case .string: take(field, text: text)
    }
  }

  private mutating func take(_ field: Field, number: Double, _ text: Span<UInt8>) {
    switch field {
    case .device: device = Int64(exactly: number).map(String.init) ?? String(utf8: text)
    case .mode: isVoid = !(number >= 2)
    case .time:
      timeNumber = number
      setTime(EpochTime.milliseconds(inAnyUnit: number))
    case .latitude: latitude = number
    case .longitude: longitude = number
    case .accuracy: fix.setAccuracy(number)
    case .eastError: eastErrorMeters = number
    case .northError: northErrorMeters = number
    case .speed: fix.setSpeed(number)
    case .kilometersPerHour: fix.setSpeed(number / 3.6)
    // gpsd means an unknown track by 360.
    case .track: if number != 360 { fix.setCourse(number) }
    case .course: fix.setCourse(number)
    case .segment: fix.segmentIndex = Int32(exactly: number) ?? 0
    case .reportClass, .messageType: break
    }
  }

  /// Takes text: a name, a type, a time, or a number in quotation marks.
  private mutating func take(_ field: Field, text: Span<UInt8>) {
    switch field {
    case .device: device = String(utf8: text)
    case .reportClass: isReport = text.equals("TPV")
    case .messageType:
      messageType =
        text.equals("location") ? .location : text.equals("encrypted") ? .encrypted : .other
    case .time:
      // Some clients of OwnTracks write a number in quotation marks.
      if let number = DecimalNumber.double(parsing: text) {
        take(.time, number: number, text)
      } else {
        setTime(text: text)
      }
    default:
      // Programs that keep no types write all numbers in quotation marks.
      if let number = DecimalNumber.double(parsing: text) { take(field, number: number, text) }
    }
  }

  /// Reads ISO 8601, or a time such as `Thu, 14 May 2026 09:30:00 GMT` whose day and month are clear.
  private mutating func setTime(text: Span<UInt8>) {
    if let milliseconds = ISO8601.milliseconds(parsing: text) {
      setTime(milliseconds)
      isTimeLocal = !ISO8601.statesZone(text)
    } else if let civil = CivilText(text), case .since1970(let day)? = civil.day,
      let timeOfDay = civil.timeOfDayMilliseconds
    {
      setTime(Int64(day) * 86_400_000 + timeOfDay - (civil.offsetMilliseconds ?? 0))
      isTimeLocal = civil.offsetMilliseconds == nil
    } else {
      setTime(nil)
    }
  }

  /// Reads the time by a clock if it states no zone.
  package mutating func follow(_ clock: ClockZone) {
    guard isTimeLocal, let milliseconds = fix.timeMilliseconds else { return }
    fix.timeMilliseconds = clock.milliseconds(readInUTC: milliseconds)
  }

  /// Sets the time, in milliseconds since 1970; nil if it cannot be read.
  mutating func setTime(_ milliseconds: Int64?) {
    isTimeLocal = false
    fix.timeMilliseconds = milliseconds
    hasTimeFault = milliseconds == nil
  }

  /// Derives what follows from several members, after the last one.
  fileprivate mutating func finish() {
    guard !fix.accuracyMeters.isFinite else { return }
    let squares = eastErrorMeters * eastErrorMeters + northErrorMeters * northErrorMeters
    fix.setAccuracy(squares.squareRoot())
  }
}

/// Reads fixes from JSON objects, one per line, whose members may have various names.
///
/// The names are those of gpsd's TPV reports (`time`, `lat`, `lon`, `eph` or else `epx` and `epy`,
/// `speed` in m/s, `track`) and of OwnTracks (`tst`, `lat`, `lon`, `acc`, `vel` in km/h, `cog`).
/// Failing those, they are `timestamp`, `latitude`, `longitude` or `lng`, and `accuracy`. Times are
/// ISO 8601 or numbers since 1970: seconds below 10^11, milliseconds below 10^14, microseconds below
/// 10^17, otherwise nanoseconds. `trkseg` is the index of the segment.
package struct JSONFixReader: Sendable {
  /// The names of members with a latitude, and below with a longitude, for recognizing formats.
  static let latitudeNames = names(of: .latitude)
  static let longitudeNames = names(of: .longitude)

  /// The names of a field's members, in the order of the table.
  private static func names(of field: JSONFix.Field) -> [StaticString] {
    JSONFix.members.filter { $0.field == field }.map(\.name)
  }

  private let deviceMember: [UInt8]?
  private var reader = JSONLineReader()

  /// Creates a reader; `deviceMember` is the key of the device's name.
  package init(deviceMember: String? = nil) {
    self.deviceMember = deviceMember.map { Array($0.utf8) }
  }

  /// Reads the value on a line that is not blank; throws if the line is not JSON.
  ///
  /// It is read in place, because a copy of so many values costs as much as a member.
  package mutating func read(
    _ line: Span<UInt8>, into object: inout JSONFix
  ) throws(JSONError) {
    let deviceMember = deviceMember
    object = JSONFix()
    object.isObject = try reader.read(line, index: { Self.member($0, device: deviceMember) }) {
      switch $1 {
      case .number(let number): object.take($0, .number(number), $2)
      case .string: object.take($0, .string, $2)
      case .other: break
      }
    }
    object.finish()
  }

  /// Reads the value on a line; false, with a rejection in the batch, if it is too long or not JSON.
  mutating func read(
    _ line: Span<UInt8>, _ position: LinePosition, into object: inout JSONFix,
    rejecting batch: inout FixBatch
  ) -> Bool {
    guard !position.isCut else {
      batch.reject(.tooLong, line: position.number)
      return false
    }
    do throws(JSONError) {
      try read(line, into: &object)
      return true
    } catch {
      batch.reject(
        .malformed, line: position.number, byteOffset: position.byteOffset + error.byteOffset,
        detail: error.sentence)
      return false
    }
  }

  /// Whether a line is empty or has only spaces and tabs.
  package static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
    return true
  }

  /// The index in ``JSONFix/members``; −1 for the device's name, nil to skip.
  private static func member(_ reader: borrowing JSONReader, device: [UInt8]?) -> Int? {
    if let device, reader.text.elementsEqual(device) { return -1 }
    let count = reader.text.count
    guard count < JSONFix.indicesByLength.count else { return nil }
    return JSONFix.indicesByLength[count].first { reader.textEquals(JSONFix.members[$0].name) }
  }
}

extension JSONFix {
  /// The indices in ``members`` by name, for objects that are parsed already.
  private static let indices: [String: Int] = Dictionary(
    uniqueKeysWithValues: members.enumerated().map { ("\($0.element.name)", $0.offset) })

  /// Takes the fix of a parsed object.
  ///
  /// Clients that post write numbers in quotation marks, and `""` for what they do not know.
  package init(_ value: JSONValue) {
    self.init()
    guard case .object(let members) = value else {
      isObject = false
      return
    }
    for member in members {
      guard let index = Self.indices[member.key] else { continue }
      switch member.value {
      case .number(let number, let text): take(index, .number(number), Array(text.utf8).span)
      case .string(let text):
        let bytes = Array(text.utf8)
        guard !JSONFixReader.isBlank(bytes.span) else { continue }
        if let number = DecimalNumber.double(parsing: bytes.span) {
          take(index, .number(number), bytes.span)
        } else {
          take(index, .string, bytes.span)
        }
      case .null, .boolean, .array, .object: continue
      }
    }
    finish()
  }
}

/// Reads members from JSON objects, one object per line.
///
/// It builds no tree, and lends texts instead of copying them, because a log has millions of lines.
struct JSONLineReader: Sendable {
  /// The value of a member.
  enum Value {
    /// A number; infinite if it exceeds the range of `Double`.
    case number(Double)
    /// A string, whose bytes are passed separately.
    case string
    /// Any other value; arrays and objects are skipped.
    case other
  }

  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

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
