public import Fixes
import Formats
import Geodesy
import Reporting

/// Fixes that came together in one message: a line of JSON or many, or a track in any format that is
/// read from files.
///
/// What is good in it is kept, what is not is named with its line.
public struct PostedFixes: Sendable {
  /// What is known of the message beside its bytes.
  public struct Origin: Sendable {
    /// The device of all fixes, whatever they say themselves; nil where the sender did not name it.
    public var device: String?
    /// The device of fixes that name none.
    public var defaultDevice: String?
    /// The member of a JSON object that names its device.
    public var deviceField: String

    /// Makes an origin of its parts.
    public init(device: String?, defaultDevice: String?, deviceField: String) {
      self.device = device
      self.defaultDevice = defaultDevice
      self.deviceField = deviceField
    }
  }

  /// The good ones, as lines for a ``FixIntake``.
  public private(set) var lines: [UInt8] = []
  /// The line of the message that each of ``lines`` comes from, from 1; nil where it has no lines.
  public private(set) var lineNumbers: [Int32?] = []
  /// How many good ones there are.
  public var acceptedCount: Int { lineNumbers.count }
  /// What was refused, the first thousand of them.
  public private(set) var rejections: [Rejection] = []
  /// How many were refused, by reason.
  public private(set) var rejectedCounts = RejectionCounts()
  /// How many were refused.
  public private(set) var rejectedCount = 0
  /// Why the rest of the message could not be read at all, as a sentence; nil where it could.
  public private(set) var failure: String?
  /// Whether the bytes are nothing that is read at all.
  public private(set) var isUnrecognised = false
  /// Whether it was not read because it swells beyond all measure.
  public private(set) var isTooLarge = false

  /// More fixes than a message of the allowed size holds uncompressed; what has more is a bomb.
  private static var mostFixes: Int { 250_000 }
  /// How many refusals an answer tells one by one.
  public static var mostRejections: Int { IntakeAccount.mostRefusals }
  private static var mostDeviceBytes: Int { 200 }
  private static var mostInflatedBytes: Int { 16 << 20 }

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - body: Its bytes.
  ///   - origin: What is known of it.
  ///   - options: How bytes become fixes.
  public init(_ body: [UInt8], origin: Origin, options: FixStream.Options = FixStream.Options()) {
    let body = inflated(body)
    let first = body.first { !Self.isBlank($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      readObjects(body, origin)
    } else if failure == nil || !body.isEmpty {
      readTrack(body, origin, options)
    }
  }

  /// The bytes without compression, as far as they are good and not too many.
  private mutating func inflated(_ body: [UInt8]) -> [UInt8] {
    guard Gunzip.isGzip(body.span) else { return body }
    var gunzip = Gunzip()
    var plain: [UInt8] = []
    do throws(GunzipError) {
      let count = try gunzip.inflate(
        body.span, into: &plain, maximumBytes: Self.mostInflatedBytes)
      if count == body.count, !gunzip.holdsOutput {
        try gunzip.finish()
      } else {
        failure = "it inflates to more than \(Self.mostInflatedBytes >> 20) MiB"
        isTooLarge = true
        return []
      }
    } catch {
      failure = error.description
    }
    return plain
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  // MARK: JSON

  private mutating func readObjects(_ body: [UInt8], _ origin: Origin) {
    let objects = JSONPieces(body)
    var reader = DeviceLines(
      field: origin.deviceField, base: 0, defaultDevice: origin.device ?? origin.defaultDevice)
    var told: [DeviceLines.Line] = []
    reader.feed(objects.lines.span) { line, _ in told.append(line) }
    reader.finish { line, _ in told.append(line) }
    for line in told {
      switch line {
      case .fix(let device, let fix):
        take(fix, of: origin.device ?? device, line: objects.line(Int(fix.line)))
      case .rejection(_, var rejection):
        rejection.line = rejection.line.map { objects.line($0) }
        rejection.byteOffset = nil
        note(rejection)
      }
    }
  }

  // MARK: Tracks

  private mutating func readTrack(
    _ body: [UInt8], _ origin: Origin, _ options: FixStream.Options
  ) {
    guard let device = origin.device ?? origin.defaultDevice else {
      failure = "nothing names the device; say it in the address, as in ?device=NAME"
      return
    }
    var stream = FixStream(options: options)
    // The session judges all fixes of a device in one order, whatever post they came in.
    stream.isJudging = false
    var batch = FixBatch()
    do throws(DecodeError) {
      var start = 0
      // In pieces, so that what was compressed a thousandfold twice is noticed in time.
      while start < body.count, acceptedCount + rejectedCount <= Self.mostFixes {
        let end = min(body.count, start + 4096)
        try stream.feed(body.span.extracting(start..<end), into: &batch)
        start = end
        take(&batch, of: device)
      }
      if start < body.count {
        failure = "it holds more than \(Self.mostFixes) fixes"
      } else {
        try stream.finish(into: &batch)
      }
    } catch {
      failure = failure ?? error.description
      isUnrecognised = stream.format == nil
    }
    take(&batch, of: device)
    if failure == nil, stream.format == nil {
      failure = "it is in no format that is read here"
      isUnrecognised = true
    }
  }

  private mutating func take(_ batch: inout FixBatch, of device: String) {
    for fix in batch.fixes { take(fix, of: device, line: Int(fix.line)) }
    for rejection in batch.rejections { note(rejection) }
    batch.removeAll()
  }

  // MARK: Lines

  private mutating func note(_ rejection: Rejection) {
    rejectedCount += 1
    rejectedCounts.add(rejection.reason)
    if rejections.count < Self.mostRejections { rejections.append(rejection) }
  }

  private mutating func take(_ fix: Fix, of device: String, line: Int) {
    guard !device.isEmpty, device.utf8.count <= Self.mostDeviceBytes else {
      return note(
        Rejection(
          reason: .malformed, line: line > 0 ? line : nil,
          detail: "the device's name has 1 to \(Self.mostDeviceBytes) bytes"))
    }
    guard fix.coordinate.isValid else {
      return note(Rejection(reason: .coordinate, line: line > 0 ? line : nil))
    }
    lineNumbers.append(line > 0 ? Int32(clamping: line) : nil)
    var text = OutputBuffer(capacity: 256)
    text.append("{\"device\":")
    text.append(json: device)
    if let time = fix.timeMilliseconds {
      text.append(",\"time\":\"")
      text.append(instant: time)
      text.append("\"")
    }
    // As many digits as it takes to read back the same number.
    text.append(verbatim: ",\"lat\":\(fix.coordinate.latitudeDegrees)")
    text.append(verbatim: ",\"lon\":\(fix.coordinate.longitudeDegrees)")
    if fix.accuracyMeters.isFinite { text.append(verbatim: ",\"eph\":\(fix.accuracyMeters)") }
    if fix.speedMetersPerSecond.isFinite {
      text.append(verbatim: ",\"speed\":\(fix.speedMetersPerSecond)")
    }
    if fix.courseDegrees.isFinite { text.append(verbatim: ",\"track\":\(fix.courseDegrees)") }
    if fix.segmentIndex != 0 { text.append(verbatim: ",\"trkseg\":\(fix.segmentIndex)") }
    text.append("}\n")
    text.withBytes { bytes in lines.append(contentsOf: bytes) }
  }
}

/// The objects of a JSON text, each on a line of its own.
///
/// The text is objects on lines, one object on many lines, or an array of objects.
struct JSONPieces {
  private(set) var lines: [UInt8] = []
  /// The line of the text on which each of ``lines`` begins, from 1; empty where they are the same.
  private var origins: [Int] = []

  init(_ text: [UInt8]) {
    let isArray = text.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == 0x5B
    let firstLine = text.drop { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }
      .prefix { $0 != 0x0A && $0 != 0x0D }
    let end = firstLine.last { $0 != 0x20 && $0 != 0x09 }
    if !isArray, end == UInt8(ascii: "}") {
      lines = text
    } else {
      split(text)
    }
  }

  /// The line of the text that a line of ``lines`` comes from.
  func line(_ number: Int) -> Int {
    origins.indices.contains(number - 1) ? origins[number - 1] : number
  }

  private mutating func split(_ text: [UInt8]) {
    var depth = 0
    var isString = false
    var isEscaped = false
    var number = 1
    for byte in text {
      if byte == 0x0A { number += 1 }
      if depth == 0 {
        // Between objects stand only brackets, commas and blanks; what else there is is told as bad.
        if byte == 0x5B || byte == 0x5D || byte == 0x2C || byte <= 0x20 { continue }
        origins.append(number)
      }
      lines.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte)
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isString = false
        }
        continue
      }
      switch byte {
      case 0x22: isString = true
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      default: break
      }
      if depth <= 0 {
        depth = 0
        lines.append(0x0A)
      }
    }
    if depth > 0 { lines.append(0x0A) }
  }
}
