#if Command
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime
import FencepostTracks

/// Decodes a stream of JSON lines, each a fix of the device that one member names.
///
/// `JSONFixReader` reads the other members. A change of the number `trkseg` begins a new segment.
/// An object with a `topic` and a `payload` is a broker's message, whose topic names the device if
/// the member is `topic`. Skips objects whose `class` is not `TPV` or whose `_type` is not
/// `location`.
struct DeviceLines {
  /// The longest line or object.
  static var mostBytes: Int { 64 * 1024 }

  private let field: String
  private let defaultDevice: String?
  /// The clock of times that state no zone; nil for UTC.
  private let clock: ClockZone?
  private var scanner = LineScanner(maximumLineBytes: mostBytes)
  private var reader: JSONFixReader
  private var offset: Int
  private(set) var openBytes: [UInt8] = []

  /// Starts at an offset; lines that name no device belong to `defaultDevice` or are rejected.
  init(field: String, base: Int, defaultDevice: String? = nil, clock: ClockZone? = nil) {
    self.field = field
    self.clock = clock
    reader = JSONFixReader(deviceMember: field)
    self.defaultDevice = defaultDevice
    offset = base
  }

  var lineStart: Int { offset - openBytes.count }

  mutating func skip(_ count: Int) { offset += count }

  mutating func feed(_ bytes: Span<UInt8>, _ body: (DeviceRecord) -> Void) {
    // Moved out of `self` for exclusive access during the callback.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.scan(bytes) { line, position in
      if let record = read(line, position) { body(record) }
    }
    self.scanner = scanner
    offset += bytes.count
    var index = bytes.count
    while index > 0, bytes[index - 1] != 0x0A, bytes[index - 1] != 0x0D { index -= 1 }
    if index > 0 { openBytes.removeAll(keepingCapacity: true) }
    openBytes.append(contentsOf: bytes.extracting(index..<bytes.count))
  }

  mutating func finish(_ body: (DeviceRecord) -> Void) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.finish { line, position in
      if let record = read(line, position) { body(record) }
    }
    openBytes.removeAll()
  }

  /// Reads a line or an object, which is a record unless it holds nothing of interest.
  ///
  /// `number` is the line on which it begins, and `byteOffset` that of its first byte in the source.
  mutating func read(
    _ line: Span<UInt8>, number: Int, byteOffset: Int, isCut: Bool
  ) -> DeviceRecord? {
    guard !isCut, line.count <= Self.mostBytes else {
      return .fault(device: nil, Rejection(reason: .tooLong, line: number))
    }
    guard !JSONFixReader.isBlank(line) else { return nil }
    var object = JSONFix()
    do throws(JSONError) {
      try reader.read(line, into: &object)
    } catch {
      return .fault(
        device: nil,
        Rejection(
          reason: .malformed, line: number,
          byteOffset: byteOffset + error.byteOffset, detail: error.sentence))
    }
    guard object.isObject else {
      return Self.malformed("not a JSON object", line: number)
    }
    if let clock { object.follow(clock) }
    if field == "topic", object.latitude.isNaN, let message = BrokerLine(line) {
      return named(message.content(line: number), number)
    }
    return named(content(of: object, line: number), number)
  }

  private mutating func read(_ line: Span<UInt8>, _ position: LinePosition) -> DeviceRecord? {
    read(line, number: position.number, byteOffset: position.byteOffset, isCut: position.isCut)
  }

  private static func malformed(_ detail: String, line: Int) -> DeviceRecord {
    .fault(device: nil, Rejection(reason: .malformed, line: line, detail: detail))
  }

  /// The content of a line, or a rejection if the device's name is not allowed.
  private func named(_ content: DeviceRecord?, _ line: Int) -> DeviceRecord? {
    guard let fault = content?.device.flatMap(DeviceFix.fault) else { return content }
    return Self.malformed(fault, line: line)
  }

  private func content(of object: JSONFix, line: Int) -> DeviceRecord? {
    guard !object.isOther else { return nil }
    guard let device = object.device ?? defaultDevice else {
      return Self.malformed("no member “\(field)” to name the device", line: line)
    }
    if object.isVoid { return .fault(device: device, Rejection(reason: .void, line: line)) }
    var fix = object.fix
    fix.coordinate = object.coordinate
    guard fix.coordinate.isValid, !object.hasTimeFault else {
      let reason: Rejection.Reason = object.hasTimeFault ? .time : .coordinate
      return .fault(device: device, Rejection(reason: reason, line: line))
    }
    fix.line = Int32(clamping: line)
    return .fix(device: device, fix)
  }
}

/// A broker's message in a JSON object, as `mosquitto_sub -F %J` prints it.
///
/// The form is `{"tst":…,"topic":"owntracks/USER/DEVICE","payload":{…}}`. The payload may also be a
/// string that contains JSON (`%j`). The object's time is that of receipt, and counts only if the
/// payload has none.
struct BrokerLine {
  let device: String
  private let payload: JSONValue
  /// When the message came, in milliseconds since 1970; `Fix.noTime` if unknown.
  private let receiptMilliseconds: Int64

  init?(_ line: Span<UInt8>) {
    guard let object = try? JSONValue(parsing: line, limits: ClientPost.limits),
      let topic = object["topic"]?.string, let content = object["payload"]
    else { return nil }
    // mosquitto_sub writes the zone twice.
    let time = object["tst"]?.string?.replacing("Z+0000", with: "Z")
    receiptMilliseconds = time.flatMap { ISO8601.milliseconds(parsing: $0) } ?? Fix.noTime
    device = OwnTracksMessage.device(ofTopic: topic) ?? topic
    if let text = content.string {
      payload = (try? JSONValue(parsing: Array(text.utf8).span, limits: ClientPost.limits)) ?? .null
    } else {
      payload = content
    }
  }

  /// The fix or its fault; nil if this type of message contains none.
  func content(line number: Int) -> DeviceRecord? {
    let context = ClientPost.Context(deviceField: "device", now: receiptMilliseconds)
    let records =
      ClientPost(json: payload, context)?.records
      ?? [DeviceRecord(JSONFix(payload), payload, now: receiptMilliseconds)]
    guard records.count <= 1 else {
      return .fault(
        device: device,
        Rejection(reason: .malformed, line: number, detail: "the payload holds several fixes"))
    }
    switch records.first {
    case nil: return nil
    case .fix(_, var fix):
      fix.line = Int32(clamping: number)
      return .fix(device: device, fix)
    case .fault(_, var rejection):
      rejection.line = number
      return .fault(device: device, rejection)
    }
  }
}
#endif
