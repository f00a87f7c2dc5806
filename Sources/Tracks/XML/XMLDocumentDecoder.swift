import FencepostFiles
import FencepostFixes
import FencepostFormats

/// Decodes an XML document of any size, element by element, by what a form knows of its structure.
///
/// XML that is not well-formed ends the decoding with a ``DecodeError`` after everything before the fault. Entities are
/// never expanded or fetched.
struct XMLDocumentDecoder<Form: XMLForm>: ~Copyable {
  private var reader = XMLReader()
  private var form = Form()
  /// The places of the open elements, except in one that is skipped.
  private var open = [Form.document]
  /// How many elements are open in one that is skipped.
  private var skippedDepth = 0

  init() {}

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    reader.push(bytes)
    try drain(into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    reader.finish()
    try drain(into: &batch)
    form.finish(into: &batch)
  }

  private mutating func drain(into batch: inout FixBatch) throws(DecodeError) {
    do throws(DecodeError) {
      while let events = try nextEvents() {
        let bytes = events.bytes.span
        for index in events.records.indices {
          let record = events.records[index]
          try take(record.event, bytes.extracting(record.name), line: record.line, into: &batch)
        }
      }
    } catch {
      form.finish(into: &batch)
      throw error
    }
  }

  private mutating func nextEvents() throws(DecodeError) -> XMLEvents? {
    do throws(XMLError) {
      return try reader.nextEvents()
    } catch {
      let column = error.column > 0 ? " (column \(error.column))" : ""
      throw DecodeError(error.sentence + column, line: error.line)
    }
  }

  private mutating func take(
    _ event: XMLReader.Event, _ text: Span<UInt8>, line: Int, into batch: inout FixBatch
  ) throws(DecodeError) {
    switch event {
    case .start: start(named: text)
    case .end where skippedDepth > 0: skippedDepth -= 1
    case .end:
      if let place = open.popLast() { try form.end(place, line: line, into: &batch) }
    case .text:
      guard skippedDepth == 0, let place = open.last else { return }
      try form.take(text, at: place, line: line, into: &batch)
    }
  }

  private mutating func start(named name: Span<UInt8>) {
    guard skippedDepth == 0, let parent = open.last else { return skippedDepth += 1 }
    guard let place = form.child(of: parent, named: name) else { return skippedDepth = 1 }
    form.begin(place)
    open.append(place)
  }
}
