import Fixes
import Formats
import Geodesy

/// Reads a stream of JSON objects, one on a line, each a fix of the device that one member names.
///
/// `JSONFixReader` knows the other members. A number `trkseg` begins a new segment where it changes.
/// Objects whose `class` is not `TPV` or whose `_type` is not `location` are passed over.
struct DeviceLines {
  /// What stood on a line.
  enum Line {
    /// A fix of a device.
    case fix(device: String, Fix)
    /// A fix that is none, or a line that is not good; of a device where it is known.
    case rejection(device: String?, Rejection)
  }

  private let field: String
  private let defaultDevice: String?
  private var scanner = LineScanner()
  private var reader: JSONFixReader
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
    self.field = field
    reader = JSONFixReader(deviceMember: field)
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
    return told(by: object, line: position.number)
  }

  private func told(by object: JSONFix, line: Int) -> Line? {
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
