import FencepostFixes
import FencepostFormats

/// Decodes a JSON document of any size, token by token, by what a form knows of its structure.
///
/// Text that is not JSON ends the decoding with a ``DecodeError`` after everything before the fault.
struct JSONDocumentDecoder<Form: JSONForm>: Sendable {
  private var reader = JSONReader(isSequence: true)
  private var form = Form()
  /// The places of the open objects and arrays.
  private var open: [(place: Form.Place, isObject: Bool)] = []
  /// The place of the member whose name was read last.
  private var member: Form.Place?
  /// How many objects and arrays are open in a value that is skipped.
  private var skippedDepth = 0

  var notices: [String] { form.notices }

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
      while let event = try nextEvent() { try take(event, into: &batch) }
    } catch {
      form.finish(into: &batch)
      throw error
    }
  }

  private mutating func nextEvent() throws(DecodeError) -> JSONReader.Event? {
    do throws(JSONError) {
      return try reader.next()
    } catch {
      throw DecodeError(
        "\(error.sentence) (byte \(error.byteOffset))", line: error.line,
        byteOffset: error.byteOffset)
    }
  }

  private mutating func take(
    _ event: JSONReader.Event, into batch: inout FixBatch
  ) throws(DecodeError) {
    if skippedDepth > 0 {
      switch event {
      case .beginObject, .beginArray: if !reader.skipContainer() { skippedDepth += 1 }
      case .endObject, .endArray: skippedDepth -= 1
      default: break
      }
      return
    }
    switch event {
    case .key:
      member = open.last.flatMap { form.member(of: $0.place, reader) }
    case .beginObject, .beginArray:
      guard let place else {
        if !reader.skipContainer() { skippedDepth = 1 }
        return
      }
      form.begin(place, isObject: event == .beginObject)
      open.append((place, event == .beginObject))
    case .endObject, .endArray:
      guard let place = open.popLast()?.place else { return }
      let position = SourcePosition(line: reader.currentLine(), byteOffset: reader.byteOffset)
      try form.end(place, position, into: &batch)
    case .string, .number, .boolean, .null:
      if let place { form.take(event, at: place, reader) }
    }
  }

  /// The place of the value that begins.
  private var place: Form.Place? {
    guard let last = open.last else { return Form.root }
    return last.isObject ? member : form.element(of: last.place)
  }
}
