import FencepostTracks
import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes a stream of JSON lines, each a fix of the device that one member names.
///
/// `JSONFixReader` reads the other members. A change of the number `trkseg` begins a new segment.
/// An object with a `topic` and a `payload` is a message of a broker, whose topic names the device if the member is
/// `topic`. Skips objects whose `class` is not `TPV` or whose `_type` is not `location`.
struct DeviceLines {
  /// The content of a line.
  enum Line {
    /// A device's fix.
    case fix(device: String, Fix)
    /// A bad fix or line; the device is nil if unknown.
    case rejection(device: String?, Rejection)
  }

  private let field: String
  private let defaultDevice: String?
  private var scanner = LineScanner()
  private var reader: JSONFixReader
  /// The offset in the input of the first byte fed.
  private let base: Int
  private(set) var fed = 0
  /// The incomplete last line.
  private(set) var openBytes: [UInt8] = []

  /// - Parameters:
  ///   - field: The name of the member that names the device.
  ///   - base: The offset of the first byte to be fed.
  ///   - defaultDevice: The device of lines that name none; nil rejects these.
  init(field: String, base: Int, defaultDevice: String? = nil) {
    self.field = field
    reader = JSONFixReader(deviceMember: field)
    self.defaultDevice = defaultDevice
    self.base = base
  }

  /// The offset of the incomplete last line.
  var lineStart: Int { base + fed - openBytes.count }

  /// Takes the next bytes; calls `body` with each relevant line and the offset behind it.
  mutating func feed(_ bytes: Span<UInt8>, _ body: (Line, Int) -> Void) {
    // Out of `self` for exclusive access during the callback.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.scan(bytes) { line, position in
      let end = base + position.byteOffset + line.count + 1
      if let content = read(line, position) { body(content, end) }
    }
    self.scanner = scanner
    fed += bytes.count
    var index = bytes.count
    while index > 0, bytes[index - 1] != 0x0A, bytes[index - 1] != 0x0D { index -= 1 }
    if index > 0 { openBytes.removeAll(keepingCapacity: true) }
    openBytes.append(contentsOf: bytes.extracting(index..<bytes.count))
  }

  /// Ends the input and its last line.
  mutating func finish(_ body: (Line, Int) -> Void) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    let end = base + fed
    scanner.finish { line, position in
      if let content = read(line, position) { body(content, end) }
    }
    openBytes.removeAll()
  }

  private mutating func read(_ line: Span<UInt8>, _ position: LinePosition) -> Line? {
    guard !position.isCut else {
      return .rejection(device: nil, Rejection(reason: .tooLong, line: position.number))
    }
    guard !JSONFixReader.isBlank(line) else { return nil }
    var object = JSONFix()
    do throws(JSONError) {
      guard try reader.read(line, into: &object) else {
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
    if field == Self.topicField, object.latitude.isNaN, let message = BrokerLine(line) {
      return named(message.content(line: position.number), position.number)
    }
    return named(content(of: object, line: position.number), position.number)
  }

  private static let topicField = "topic"

  /// Whether a device may have a name: none with a character that controls how a line is shown.
  static func isName(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0: false
      // Marks, line ends, and controls of the direction of writing.
      case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
  }

  /// The content of a line, refused if its device may not have its name.
  private func named(_ content: Line?, _ line: Int) -> Line? {
    let device: String? =
      switch content {
      case .fix(let device, _): device
      case .rejection(let device, _): device
      case nil: nil
      }
    guard let device, !Self.isName(device) else { return content }
    return .rejection(
      device: nil, Rejection(reason: .malformed, line: line, detail: Self.nameFault))
  }

  static let nameFault = "the device's name contains a control character"

  private func content(of object: JSONFix, line: Int) -> Line? {
    guard !object.isOther else { return nil }
    guard let device = object.device ?? defaultDevice else {
      return .rejection(
        device: nil,
        Rejection(
          reason: .malformed, line: line,
          detail: "no member “\(field)” names the device"))
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
}
