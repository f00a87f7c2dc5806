#if Command
import FencepostFiles
package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTracks

/// The fixes of one message, which contains JSON objects or a track in any format.
///
/// Good fixes are kept; the rest are reported with line numbers.
package struct PostedFixes: Sendable {
  /// Which device the fixes belong to.
  ///
  /// The device of the request wins over a fix's own name, and that over the default.
  package struct Origin: Sendable {
    /// The device of all fixes, overriding their own; nil if the request names none.
    var device: String?
    /// The device of fixes that name none.
    var defaultDevice: String?
    var deviceField: String

    /// Names the devices, and the member of a JSON object in which its own device stands.
    package init(device: String?, defaultDevice: String?, deviceField: String) {
      self.device = device
      self.defaultDevice = defaultDevice
      self.deviceField = deviceField
    }
  }

  /// The good fixes, each with its line in the message from 1, or 0 if the format has no lines.
  private(set) var fixes: [DeviceFix] = []
  /// The number of good fixes, before the session judges them.
  package var acceptedCount: Int { fixes.count }
  /// The first thousand rejections.
  package private(set) var rejections: [Rejection] = []
  private(set) var rejectedCounts = RejectionCounts()
  /// The number of rejected records, also beyond those in ``rejections``.
  package var rejectedCount: Int { rejectedCounts.total }
  /// Why the rest of the message could not be read, as a sentence.
  package private(set) var failure: String?
  private(set) var isUnrecognized = false
  /// Whether a fix was rejected because nothing names its device.
  private(set) var isUnnamed = false
  /// Whether the message expands beyond the limit, or takes too long to read.
  package private(set) var isTooLarge = false
  /// Whether the JSON is cut off, or contains only brackets.
  private(set) var isCut = false

  /// More fixes than an uncompressed message of the allowed size can contain.
  static var mostFixes: Int { 250_000 }
  static var mostRejections: Int { IntakeAccount.mostRefusals }
  /// How many bytes to read before checking the time and the size again.
  private static var pieceBytes: Int { 4096 }
  private static let naming = "add one to the address, as in ?device=NAME"

  /// Parses a message, which may be compressed with gzip, and keeps what it can read in time.
  package init(_ body: [UInt8], origin: Origin, time: ReadingTime) {
    self.init(PostBody(body), origin: origin, options: FixStreamOptions(), time: time)
  }

  init(_ body: PostBody, origin: Origin, options: FixStreamOptions, time: ReadingTime) {
    failure = body.failure
    isTooLarge = body.isTooLarge
    // GeoJSON is one document, not lines.
    if body.isJSON, !(body.json.map(PointFeature.isGeoJSON) ?? false) {
      readObjects(body.bytes, origin, options, time)
    } else if failure == nil || !body.bytes.isEmpty {
      readTrack(body.bytes, origin, options, time)
    }
  }

  /// Takes a client's records, logging rejections that the client does not learn about.
  init(_ records: [DeviceRecord], origin: Origin, log: PostLog?, client: PostingClient) {
    for record in records {
      let device = origin.device ?? record.device ?? origin.defaultDevice
      switch (record, device) {
      case (.fault(_, let rejection), _):
        log?.note(rejection, of: device ?? "an unnamed device", by: client)
        note(rejection)
      case (.fix(_, let fix), let device?):
        if let rejection = take(fix, of: device, line: 0) {
          log?.note(rejection, of: device, by: client)
        }
      case (.fix, nil):
        isUnnamed = true
        note(Rejection(reason: .malformed, detail: "no device name; \(Self.naming)"))
      }
    }
  }

  private mutating func readObjects(
    _ body: [UInt8], _ origin: Origin, _ options: FixStreamOptions, _ time: ReadingTime
  ) {
    var lines = DeviceLines(
      field: origin.deviceField, base: 0, defaultDevice: origin.device ?? origin.defaultDevice,
      clock: options.clock)
    guard let objects = JSONObjects(body) else { return readLines(body, &lines, origin, time) }
    failure = failure ?? objects.failure
    isCut = objects.failure != nil
    for (range, line) in objects.all {
      guard !isOutOfTime(time) else { return }
      let object = body.span.extracting(range)
      let record = lines.read(object, number: line, byteOffset: range.lowerBound, isCut: false)
      if let record { take(record, origin) }
    }
  }

  private mutating func readLines(
    _ body: [UInt8], _ lines: inout DeviceLines, _ origin: Origin, _ time: ReadingTime
  ) {
    var start = 0
    while start < body.count {
      guard !isOutOfTime(time) else { return }
      let end = min(body.count, start + Self.pieceBytes)
      lines.feed(body.span.extracting(start..<end)) { take($0, origin) }
      start = end
    }
    lines.finish { take($0, origin) }
  }

  private mutating func take(_ record: DeviceRecord, _ origin: Origin) {
    switch record {
    case .fix(let device, let fix):
      take(fix, of: origin.device ?? device ?? "", line: Int(fix.line))
    case .fault(_, var rejection):
      rejection.byteOffset = nil
      note(rejection)
    }
  }

  private mutating func readTrack(
    _ body: [UInt8], _ origin: Origin, _ options: FixStreamOptions, _ time: ReadingTime
  ) {
    guard let device = origin.device ?? origin.defaultDevice else {
      failure = "no device name; \(Self.naming)"
      isUnnamed = true
      return
    }
    // The session filters a device's fixes across all posts.
    var decoder = TrackDecoder(options: options)
    var batch = FixBatch()
    do throws(DecodeError) {
      var start = 0
      while start < body.count, acceptedCount + rejectedCount <= Self.mostFixes, !isOutOfTime(time)
      {
        let end = min(body.count, start + Self.pieceBytes)
        try decoder.decode(body.span.extracting(start..<end), into: &batch)
        start = end
        take(&batch, of: device)
      }
      if start == body.count {
        try decoder.finish(into: &batch)
      } else if !isTooLarge {
        failure = "it has more than \(Self.mostFixes) fixes"
      }
    } catch {
      failure = failure ?? error.description
      isUnrecognized = decoder.format == nil
    }
    take(&batch, of: device)
    guard failure == nil else { return }
    if decoder.format == nil {
      failure = "it is not in a supported format"
      isUnrecognized = true
    } else if acceptedCount + rejectedCount == 0 {
      failure = "it has no fixes"
    }
  }

  /// Whether the time is up; if so, records a failure.
  private mutating func isOutOfTime(_ time: ReadingTime) -> Bool {
    guard time.isUp else { return false }
    failure = "reading it took too long; send it in smaller pieces"
    isTooLarge = true
    return true
  }

  private mutating func take(_ batch: inout FixBatch, of device: String) {
    for fix in batch.fixes { take(fix, of: device, line: Int(fix.line)) }
    for rejection in batch.rejections { note(rejection) }
    batch.removeAll()
  }

  /// Adds a fix, or returns and records why it was refused.
  @discardableResult
  private mutating func take(_ fix: Fix, of device: String, line: Int) -> Rejection? {
    var rejection: Rejection?
    if let fault = DeviceFix.fault(inName: device) {
      rejection = Rejection(reason: .malformed, detail: fault)
    } else if !fix.coordinate.isValid {
      rejection = Rejection(reason: .coordinate)
    }
    if line > 0 { rejection?.line = line }
    if let rejection {
      note(rejection)
      return rejection
    }
    var fix = fix
    fix.line = Int32(clamping: line)
    // The session joins all posts of a device into one track.
    fix.trackIndex = 0
    fixes.append(DeviceFix(device: device, fix: fix))
    return nil
  }

  private mutating func note(_ rejection: Rejection) {
    rejectedCounts.add(rejection.reason)
    if rejections.count < Self.mostRejections { rejections.append(rejection) }
  }
}

/// How long a thread may work on one message.
///
/// It counts processor time of the thread, so a busy machine does not shorten it. A message that
/// takes longer is cut, and the sender is asked to send smaller ones.
package struct ReadingTime: Sendable {
  private let endMilliseconds: Int64

  /// Starts now, on this thread, with a limit of processor time.
  package init(milliseconds: Int64 = 5000) {
    endMilliseconds = SystemTime.threadMilliseconds + milliseconds
  }

  var isUp: Bool { SystemTime.threadMilliseconds >= endMilliseconds }
}

/// The body of a message, decompressed and parsed once.
///
/// Several readers try to recognize it, and none needs to parse it again.
struct PostBody {
  /// The decompressed bytes, up to the first damage; empty if over the limit.
  private(set) var bytes: [UInt8]
  /// Why the body could not be decompressed completely, as a sentence.
  private(set) var failure: String?
  private(set) var isTooLarge = false
  /// The single JSON value of the bytes, if they are one that a known client may have sent.
  private(set) var json: JSONValue?

  /// The most decompressed bytes, so that a small post cannot fill the memory.
  static var mostBytes: Int { 16 << 20 }

  init(_ body: [UInt8], mostBytes: Int = Self.mostBytes) {
    bytes = body
    if Gunzip.isGzip(body.span) {
      var gunzip = Gunzip()
      bytes = []
      do throws(GunzipError) {
        let count = try gunzip.inflate(body.span, into: &bytes, maximumBytes: mostBytes)
        if count == body.count, !gunzip.holdsOutput {
          try gunzip.finish()
        } else {
          failure = "it decompresses to more than \(Self.mostBytes >> 20) MiB"
          isTooLarge = true
          bytes = []
        }
      } catch {
        failure = error.description
      }
    }
    // Damaged JSON is read object by object.
    if isJSON { json = try? Self.message(in: bytes.span) }
  }

  /// Parses the single value of a body; nil for an array of plain objects, which are read as such.
  ///
  /// A second value, as in a body of lines, ends parsing at once.
  private static func message(in bytes: Span<UInt8>) throws(JSONError) -> JSONValue? {
    var reader = JSONReader(limits: ClientPost.limits)
    reader.push(bytes)
    reader.finish()
    guard let first = try reader.next() else { return nil }
    guard first == .beginArray else {
      let value = try JSONValue.read(first, &reader)
      _ = try reader.next()
      return value
    }
    var elements: [JSONValue] = []
    while let event = try reader.next(), event != .endArray {
      elements.append(try JSONValue.read(event, &reader))
      if elements.count == 1, !ClientPost.begins(with: elements[0]) { return nil }
    }
    _ = try reader.next()
    return .array(elements)
  }

  var isJSON: Bool {
    let first = bytes.first { !Self.isBlank($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Whether the body may expand further: it is compressed twice, or an archive.
  var mayExpand: Bool { Gunzip.isGzip(bytes.span) || bytes.starts(with: [0x50, 0x4B]) }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

/// Finds the objects of a JSON message that is one object over many lines, or an array of objects.
///
/// Each object is then read by itself, so that a bad one leaves the others valid.
struct JSONObjects {
  /// Where each object is, and the line on which it begins, from 1.
  private(set) var all: [(range: Range<Int>, line: Int)] = []
  /// Why the text is not well-formed as a whole; nil if it is.
  private(set) var failure: String?

  /// Finds the objects in a text; nil if each line is an object of its own.
  init?(_ text: [UInt8]) {
    let rest = text.drop(while: PostBody.isBlank)
    let firstLine = rest.prefix { $0 != 0x0A && $0 != 0x0D }
    let end = firstLine.last { $0 != 0x20 && $0 != 0x09 }
    if rest.first != UInt8(ascii: "["), end == UInt8(ascii: "}") { return nil }
    split(text)
  }

  private mutating func split(_ text: [UInt8]) {
    var nesting = JSONNesting()
    var number = 1
    var arrays = (begun: 0, ended: 0)
    var open: (start: Int, line: Int)?
    for (index, byte) in text.enumerated() {
      if byte == 0x0A { number += 1 }
      if nesting.depth == 0 {
        // Skip separators between objects; anything else becomes a malformed object.
        if byte == UInt8(ascii: "[") { arrays.begun += 1 }
        if byte == UInt8(ascii: "]") { arrays.ended += 1 }
        if "[],".utf8.contains(byte) || byte <= 0x20 { continue }
        open = open ?? (index, number)
      }
      let wasInText = nesting.isInText
      nesting.take(byte)
      if !wasInText, nesting.depth <= 0, let (start, line) = open {
        nesting.depth = 0
        all.append((start..<(index + 1), line))
        open = nil
      }
    }
    if let (start, line) = open { all.append((start..<text.count, line)) }
    if arrays.begun != arrays.ended {
      failure = "the JSON is cut off: it opens \(arrays.begun) arrays and closes \(arrays.ended)"
    } else if arrays.begun > 1, all.isEmpty {
      failure = "the JSON has only empty arrays"
    }
  }
}
#endif
