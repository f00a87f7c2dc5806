import FencepostFixes
import FencepostFiles
import FencepostTime
import FencepostFormats

/// Reads GPX in any form that XML allows, with libxml2.
///
/// It defines the meaning of a GPX file; ``GPXPointScanner`` must agree with it on every point it reads.
struct GPXTreeReader: ~Copyable {
  /// The most bytes of a number or time that is read.
  static var maximumFieldBytes: Int { 128 }

  private var reader = XMLReader()
  var assembler = GPXAssembler()
  /// The open elements, except those in an `other` one.
  private var open: [GPXElement] = []
  private var depthInOther = 0
  private var point = GPXPoint()
  private var faults: GPXFaults?
  private var pointNamespace = 0
  private var seenFields: (time: Bool, speed: Bool, course: Bool) = (false, false, false)
  private var field: GPXField?
  private var fieldText: [UInt8] = []

  /// Takes the next bytes of the file.
  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    reader.push(bytes)
    try drain(into: &batch)
  }

  /// Ends the file.
  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    reader.finish()
    try drain(into: &batch)
    assembler.finish(into: &batch)
  }

  /// Whether the bytes so far end between the points of a `trkseg`, with all markup complete.
  mutating func isAmongPoints(into batch: inout FixBatch) throws(DecodeError) -> Bool {
    guard reader.flush() else { return false }
    try drain(into: &batch)
    return open.last == .segment && depthInOther == 0 && reader.isBetweenMarkup
  }

  private mutating func drain(into batch: inout FixBatch) throws(DecodeError) {
    while true {
      let event: XMLReader.Event?
      do throws(XMLError) {
        event = try reader.next()
      } catch {
        assembler.finish(into: &batch)
        throw GPXTreeReader.decodeError(error)
      }
      switch event {
      case nil: return
      case .start: try start(into: &batch)
      case .end: try end(into: &batch)
      case .text: text()
      }
    }
  }

  private static func decodeError(_ error: XMLError) -> DecodeError {
    let column = error.column > 0 ? " (column \(error.column))" : ""
    return DecodeError(error.sentence + column, line: error.line)
  }

  // MARK: Events

  private mutating func start(into batch: inout FixBatch) throws(DecodeError) {
    guard depthInOther == 0, field == nil else {
      depthInOther += 1
      return
    }
    let bytes = reader.bytes
    let name = bytes.span.extracting(reader.localNameRange)
    guard let parent = open.last else {
      guard name.equals("gpx") else {
        let found = GPXFaults.quoted(name)
        throw DecodeError("the root element is \(found), not “gpx”", line: reader.line)
      }
      return open.append(.gpx)
    }
    if parent == .point {
      beginField(GPXField(name))
      return
    }
    let element = parent.child(name)
    switch element {
    case .other: depthInOther = 1
    case .point: beginPoint(parent.pointKind)
    case .track, .route: assembler.beginTrack()
    case .segment: assembler.beginSegment()
    case .gpx: break
    }
    if element != .other { open.append(element) }
  }

  private mutating func end(into batch: inout FixBatch) throws(DecodeError) {
    if depthInOther > 0 {
      depthInOther -= 1
    } else if field != nil {
      endField()
    } else if open.popLast() == .point {
      try assembler.add(point, faults: faults, line: reader.line, into: &batch)
    }
  }

  private mutating func text() {
    // The text of nested elements does not belong to the field.
    guard field != nil, depthInOther == 0 else { return }
    // One byte more than allowed marks the text as too long.
    let room = GPXTreeReader.maximumFieldBytes + 1 - fieldText.count
    fieldText += reader.bytes[reader.textRange.prefix(max(0, room))]
  }

  // MARK: Points

  private mutating func beginPoint(_ kind: GPXPointKind) {
    point = GPXPoint()
    point.kind = kind
    faults = nil
    pointNamespace = reader.namespaceIndex
    seenFields = (false, false, false)
    let detail = point.setPosition(
      latitude: reader.attribute("lat").map { Array(reader.bytes[$0]) },
      longitude: reader.attribute("lon").map { Array(reader.bytes[$0]) })
    if let detail { faults = GPXFaults(position: detail, positionLine: reader.line) }
  }

  /// Begins a field unless it has another namespace or is a repetition; the first counts.
  private mutating func beginField(_ candidate: GPXField?) {
    var isNew = false
    if let candidate, reader.namespaceIndex == pointNamespace {
      switch candidate {
      case .time: isNew = !seenFields.time
      case .speed: isNew = !seenFields.speed
      case .course: isNew = !seenFields.course
      }
    }
    guard isNew, let candidate else {
      depthInOther = 1
      return
    }
    switch candidate {
    case .time: seenFields.time = true
    case .speed: seenFields.speed = true
    case .course: seenFields.course = true
    }
    field = candidate
    fieldText.removeAll(keepingCapacity: true)
  }

  private mutating func endField() {
    let text = fieldText
    let range = text.span.trimmedRange
    let isTooLong = text.count > GPXTreeReader.maximumFieldBytes
    switch field {
    case .speed where isTooLong, .course where isTooLong: break
    case .time where !range.isEmpty:
      if !isTooLong, let milliseconds = ISO8601.milliseconds(parsing: text.span.extracting(range)) {
        point.rawTimeMilliseconds = milliseconds
      } else {
        var faults = self.faults ?? GPXFaults()
        faults.time = GPXFaults.quoted(text.span.extracting(range))
        faults.timeLine = reader.line
        self.faults = faults
      }
    case .speed: point.setSpeed(text.span.extracting(range))
    case .course: point.setCourse(text.span.extracting(range))
    case .time, nil: break
    }
    field = nil
  }
}
