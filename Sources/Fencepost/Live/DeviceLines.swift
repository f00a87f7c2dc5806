import Fixes
import Formats
import Geodesy

/// Reads a stream of JSON objects, one on a line, each a fix of the device that one member names.
///
/// The other members are those of gpsd's TPV reports (`time` as ISO 8601 or in seconds, `lat`, `lon`,
/// `eph`, `speed` in m/s, `track`) or of OwnTracks (`tst`, `lat`, `lon`, `acc`, `vel` in km/h, `cog`).
/// A number `trkseg` begins a new segment where it changes. Objects whose `class` is not `TPV` or whose
/// `_type` is not `location` are passed over.
struct DeviceLines {
  /// What stood on a line.
  enum Line {
    /// A fix of a device.
    case fix(device: String, Fix)
    /// A fix that is none, or a line that is not good; of a device where it is known.
    case rejection(device: String?, Rejection)
  }

  private static let members: [(name: StaticString, field: Field)] = [
    ("class", .reportClass), ("_type", .messageType), ("mode", .mode), ("time", .time),
    ("tst", .time), ("lat", .latitude), ("lon", .longitude), ("eph", .accuracy),
    ("acc", .accuracy), ("speed", .speed), ("vel", .kilometersPerHour), ("track", .course),
    ("cog", .course), ("trkseg", .segment),
  ]

  private enum Field {
    case device, reportClass, messageType, mode, time, latitude, longitude, accuracy, speed
    case kilometersPerHour, course, segment
  }

  private let deviceMember: [UInt8]
  private let defaultDevice: String?
  private var scanner = LineScanner()
  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))
  /// Offset in the input of the scanner's first byte.
  private let base: Int
  private(set) var fed = 0
  /// The line that has begun and not ended.
  private(set) var openBytes: [UInt8] = []

  /// - Parameters:
  ///   - field: The name of the member that names the device.
  ///   - base: The offset of the first byte to be fed.
  ///   - defaultDevice: The device of lines that name none; nil rejects these.
  init(field: String, base: Int, defaultDevice: String? = nil) {
    deviceMember = Array(field.utf8)
    self.defaultDevice = defaultDevice
    self.base = base
  }

  /// The offset at which the line that has begun begins.
  var lineStart: Int { base + fed - openBytes.count }

  /// Takes the next bytes; `body` takes each line that tells something, and the offset behind it.
  mutating func feed(_ bytes: Span<UInt8>, _ body: (Line, Int) -> Void) {
    // Out of `self` for the while, as it calls back.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.scan(bytes) { line, position in
      let end = base + position.byteOffset + line.count + 1
      if let told = read(line, position) { body(told, end) }
    }
    self.scanner = scanner
    fed += bytes.count
    var index = bytes.count
    while index > 0, bytes[index - 1] != 0x0A, bytes[index - 1] != 0x0D { index -= 1 }
    if index > 0 { openBytes.removeAll(keepingCapacity: true) }
    openBytes.append(contentsOf: bytes.extracting(index..<bytes.count))
  }

  /// The input has ended, and with it its last line.
  mutating func finish(_ body: (Line, Int) -> Void) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    let end = base + fed
    scanner.finish { line, position in
      if let told = read(line, position) { body(told, end) }
    }
    openBytes.removeAll()
  }

  private struct Object {
    var device: String?
    var isOther = false
    var isVoid = false
    var latitude = Double.nan
    var longitude = Double.nan
    var hasTimeFault = false
    var fix = Fix(coordinate: Coordinate(latitudeDegrees: .nan, longitudeDegrees: .nan))
  }

  private mutating func read(_ line: Span<UInt8>, _ position: LinePosition) -> Line? {
    guard !position.isCut else {
      return .rejection(device: nil, Rejection(reason: .tooLong, line: position.number))
    }
    guard !Self.isBlank(line) else { return nil }
    var object = Object()
    do throws(JSONError) {
      guard try readMembers(line, into: &object) else {
        return .rejection(
          device: nil,
          Rejection(reason: .malformed, line: position.number, detail: "not a JSON object"))
      }
    } catch {
      return .rejection(
        device: nil,
        Rejection(
          reason: .malformed, line: position.number,
          byteOffset: position.byteOffset + error.byteOffset, detail: error.sentence))
    }
    return told(by: object, line: position.number)
  }

  private func told(by object: Object, line: Int) -> Line? {
    guard !object.isOther else { return nil }
    guard let device = object.device ?? defaultDevice else {
      return .rejection(
        device: nil,
        Rejection(
          reason: .malformed, line: line,
          detail: "no member ‘\(String(decoding: deviceMember, as: UTF8.self))’ names the device"))
    }
    if object.isVoid { return .rejection(device: device, Rejection(reason: .void, line: line)) }
    var fix = object.fix
    fix.coordinate = Coordinate(
      latitudeDegrees: object.latitude, longitudeDegrees: object.longitude)
    guard fix.coordinate.isValid, !object.hasTimeFault else {
      let reason: Rejection.Reason = object.hasTimeFault ? .time : .coordinate
      return .rejection(device: device, Rejection(reason: reason, line: line))
    }
    fix.line = Int32(clamping: line)
    return .fix(device: device, fix)
  }

  /// Reads the object on a line; false where it is something else.
  private mutating func readMembers(
    _ line: Span<UInt8>, into object: inout Object
  ) throws(JSONError) -> Bool {
    reader.reset()
    reader.push(line)
    reader.finish()
    guard try reader.next() == .beginObject else { return false }
    var field: Field?
    while let event = try reader.next() {
      // What is deeper belongs to another value, and so does its end.
      guard reader.depth == 1 else { continue }
      switch event {
      case .key: field = self.field()
      case .number: take(field, number: reader.double, into: &object)
      case .string: take(field, text: reader.text.span, into: &object)
      default: break
      }
    }
    return true
  }

  private func field() -> Field? {
    if reader.text.elementsEqual(deviceMember) { return .device }
    return Self.members.first { reader.textEquals($0.name) }?.field
  }

  private func take(_ field: Field?, number: Double, into object: inout Object) {
    switch field {
    case .device:
      object.device =
        Int64(exactly: number).map(String.init) ?? String(decoding: reader.text, as: UTF8.self)
    case .mode: object.isVoid = !(number >= 2)
    case .time:
      if let milliseconds = Int64(exactly: (number * 1000).rounded()) {
        object.fix.rawTimeMilliseconds = milliseconds
      } else {
        object.hasTimeFault = true
      }
    case .latitude: object.latitude = number
    case .longitude: object.longitude = number
    case .accuracy: if number >= 0 { object.fix.accuracyMeters = Float(number) }
    case .speed: if number >= 0 { object.fix.speedMetersPerSecond = Float(number) }
    case .kilometersPerHour:
      if number >= 0 { object.fix.speedMetersPerSecond = Float(number / 3.6) }
    case .course: if 0..<360 ~= number { object.fix.courseDegrees = Float(number) }
    case .segment: object.fix.segmentIndex = Int32(exactly: number) ?? 0
    default: break
    }
  }

  private func take(_ field: Field?, text: Span<UInt8>, into object: inout Object) {
    switch field {
    case .device: object.device = String(decoding: reader.text, as: UTF8.self)
    case .reportClass: if !reader.textEquals("TPV") { object.isOther = true }
    case .messageType: if !reader.textEquals("location") { object.isOther = true }
    case .time:
      if let milliseconds = ISO8601.milliseconds(parsing: text) {
        object.fix.rawTimeMilliseconds = milliseconds
      } else {
        object.hasTimeFault = true
      }
    default: break
    }
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
    return true
  }
}
