public import FencepostTracks
import FencepostFiles
public import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostReporting

/// The fixes of one message: JSON objects or a track in any format.
///
/// Good fixes are kept, the rest is reported with line numbers.
public struct PostedFixes: Sendable {
  /// What is known about a message besides its bytes.
  public struct Origin: Sendable {
    /// The device of all fixes, overriding their own; nil if the request names none.
    public var device: String?
    /// The device of fixes that name none.
    public var defaultDevice: String?
    /// The member of a JSON object that names its device.
    public var deviceField: String

    /// Makes an origin.
    public init(device: String?, defaultDevice: String?, deviceField: String) {
      self.device = device
      self.defaultDevice = defaultDevice
      self.deviceField = deviceField
    }
  }

  /// The good fixes, as lines for a ``FixIntake``.
  public private(set) var lines: [UInt8] = []
  /// For each of ``lines`` its line in the message, from 1; nil if the format has no lines.
  public private(set) var lineNumbers: [Int32?] = []
  /// The number of good fixes.
  public var acceptedCount: Int { lineNumbers.count }
  /// The first thousand rejections.
  public private(set) var rejections: [Rejection] = []
  /// The number of rejections by reason.
  public private(set) var rejectedCounts = RejectionCounts()
  /// The number of rejections.
  public private(set) var rejectedCount = 0
  /// Why the rest of the message could not be read, as a sentence; nil if it could.
  public private(set) var failure: String?
  /// Whether the message is in no known format.
  public private(set) var isUnrecognised = false
  /// Whether a fix was rejected because nothing names its device.
  private(set) var isUnnamed = false
  /// Whether the message inflates to more than the limit, or takes too long to read.
  public private(set) var isTooLarge = false
  /// Whether it is JSON that is cut off, or nothing but brackets.
  private(set) var isCut = false

  /// More fixes than an uncompressed message of the allowed size can hold.
  private static var mostFixes: Int { 250_000 }
  /// How many rejections an answer lists.
  public static var mostRejections: Int { IntakeAccount.mostRefusals }
  private static var mostDeviceBytes: Int { 200 }
  static var mostInflatedBytes: Int { 16 << 20 }

  /// Parses a message.
  ///
  /// - Parameters:
  ///   - body: The message.
  ///   - origin: What else is known about it.
  ///   - options: How bytes become fixes.
  ///   - time: How long this may take; what was read until then is kept.
  public init(
    _ body: [UInt8], origin: Origin, options: FixStream.Options = FixStream.Options(),
    time: ReadingTime = ReadingTime()
  ) {
    let body = inflated(body)
    let first = body.first { !Self.isBlank($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), !Self.isGeoJSON(body) {
      readObjects(body, origin, time)
    } else if failure == nil || !body.isEmpty {
      readTrack(body, origin, options, time)
    }
  }

  /// Takes the records of a client's post.
  ///
  /// - Parameters:
  ///   - records: What the post holds.
  ///   - origin: What else is known about it.
  ///   - log: Hears of the rejections; nil if the client does.
  ///   - client: Who posts.
  init(_ records: [ClientRecord], origin: Origin, log: PostLog?, client: PostingClient) {
    for record in records {
      let (named, rejection) =
        switch record {
        case .fix(let device, _): (device, Rejection?.none)
        case .fault(let device, let rejection): (device, Optional(rejection))
        }
      let device = origin.device ?? named ?? origin.defaultDevice
      if let rejection {
        log?.note(rejection, of: device ?? "an unnamed device", by: client)
        note(rejection)
      } else if let device, case .fix(_, let fix) = record {
        if let rejection = take(fix, of: device, line: 0) {
          log?.note(rejection, of: device, by: client)
        }
      } else {
        isUnnamed = true
        note(Rejection(reason: .malformed, detail: "nothing names the device; \(Self.naming)"))
      }
    }
  }

  private static let naming = "say it in the address, as in ?device=NAME"

  /// The bytes, inflated if compressed: up to the first damage, or none beyond the limit.
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

  /// Whether a body is GeoJSON, which is a track of one document and not of lines.
  private static func isGeoJSON(_ body: [UInt8]) -> Bool {
    // A second line ends the reading at once.
    (try? JSONValue(parsing: body.span)).map(PointFeature.isGeoJSON) ?? false
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  // MARK: JSON

  /// How much is read between two looks at the time, and at a doubly compressed bomb.
  private static var pieceBytes: Int { 4096 }

  private mutating func readObjects(_ body: [UInt8], _ origin: Origin, _ time: ReadingTime) {
    let objects = JSONPieces(body)
    failure = failure ?? objects.failure
    isCut = objects.failure != nil
    var reader = DeviceLines(
      field: origin.deviceField, base: 0, defaultDevice: origin.device ?? origin.defaultDevice)
    var contents: [DeviceLines.Line] = []
    var start = 0
    while start < objects.lines.count, !isOutOfTime(time) {
      let end = min(objects.lines.count, start + Self.pieceBytes)
      reader.feed(objects.lines.span.extracting(start..<end)) { line, _ in contents.append(line) }
      start = end
    }
    if start == objects.lines.count { reader.finish { line, _ in contents.append(line) } }
    for line in contents {
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

  /// Whether the time is up, which is noted.
  private mutating func isOutOfTime(_ time: ReadingTime) -> Bool {
    guard time.isUp else { return false }
    failure = ReadingTime.sentence
    isTooLarge = true
    return true
  }

  // MARK: Tracks

  private mutating func readTrack(
    _ body: [UInt8], _ origin: Origin, _ options: FixStream.Options, _ time: ReadingTime
  ) {
    guard let device = origin.device ?? origin.defaultDevice else {
      failure = "nothing names the device; \(Self.naming)"
      isUnnamed = true
      return
    }
    var stream = FixStream(options: options)
    // The session applies hygiene to a device's fixes across all posts.
    stream.isJudging = false
    var batch = FixBatch()
    do throws(DecodeError) {
      var start = 0
      while start < body.count, acceptedCount + rejectedCount <= Self.mostFixes, !isOutOfTime(time)
      {
        let end = min(body.count, start + Self.pieceBytes)
        try stream.feed(body.span.extracting(start..<end), into: &batch)
        start = end
        take(&batch, of: device)
      }
      if start == body.count {
        try stream.finish(into: &batch)
      } else if !isTooLarge {
        failure = "it holds more than \(Self.mostFixes) fixes"
      }
    } catch {
      failure = failure ?? error.description
      isUnrecognised = stream.format == nil
    }
    take(&batch, of: device)
    guard failure == nil else { return }
    if stream.format == nil {
      failure = "it is in no format that is read here"
      isUnrecognised = true
    } else if acceptedCount + rejectedCount == 0 {
      failure = "there is no fix in it"
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

  /// Takes a fix.
  ///
  /// - Returns: Why it was refused, which is noted; nil if it was taken.
  @discardableResult
  private mutating func take(_ fix: Fix, of device: String, line: Int) -> Rejection? {
    if let rejection = Self.rejection(of: fix, device, line: line > 0 ? line : nil) {
      note(rejection)
      return rejection
    }
    write(fix, of: device, line: line)
    return nil
  }

  private static func rejection(of fix: Fix, _ device: String, line: Int?) -> Rejection? {
    guard !device.isEmpty, device.utf8.count <= mostDeviceBytes else {
      return Rejection(
        reason: .malformed, line: line,
        detail: "the device's name has 1 to \(mostDeviceBytes) bytes")
    }
    guard DeviceLines.isName(device) else {
      return Rejection(reason: .malformed, line: line, detail: DeviceLines.nameFault)
    }
    return fix.coordinate.isValid ? nil : Rejection(reason: .coordinate, line: line)
  }

  /// Where ``lines`` can be cut so that each portion is about so long, and which lines it has.
  func portions(ofBytes count: Int) -> [(bytes: Range<Int>, lines: Range<Int>)] {
    var portions: [(bytes: Range<Int>, lines: Range<Int>)] = []
    var (byte, line, lineCount) = (0, 0, 0)
    for index in lines.indices where lines[index] == 0x0A {
      lineCount += 1
      guard index + 1 - byte >= count || index + 1 == lines.count else { continue }
      portions.append((byte..<(index + 1), line..<lineCount))
      (byte, line) = (index + 1, lineCount)
    }
    return portions
  }

  private mutating func write(_ fix: Fix, of device: String, line: Int) {
    lineNumbers.append(line > 0 ? Int32(clamping: line) : nil)
    var text = OutputBuffer(capacity: 256)
    text.appendObject {
      $0.member("device", device)
      if let time = fix.timeMilliseconds { $0.member("time", jsonTime: time) }
      // The shortest digits that round-trip.
      $0.append(verbatim: ",\"lat\":\(fix.coordinate.latitudeDegrees)")
      $0.append(verbatim: ",\"lon\":\(fix.coordinate.longitudeDegrees)")
      if fix.accuracyMeters.isFinite { $0.append(verbatim: ",\"eph\":\(fix.accuracyMeters)") }
      if fix.speedMetersPerSecond.isFinite {
        $0.append(verbatim: ",\"speed\":\(fix.speedMetersPerSecond)")
      }
      if fix.courseDegrees.isFinite { $0.append(verbatim: ",\"track\":\(fix.courseDegrees)") }
      if fix.segmentIndex != 0 { $0.append(verbatim: ",\"trkseg\":\(fix.segmentIndex)") }
    }
    text.append("\n")
    text.withBytes { bytes in lines.append(contentsOf: bytes) }
  }
}
