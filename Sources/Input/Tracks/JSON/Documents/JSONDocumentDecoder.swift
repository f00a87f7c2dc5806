import FencepostFixes
import FencepostFormats
import FencepostTime

/// A decoder for JSON documents of any size that knows which members matter.
///
/// A place is a position in the document's structure, such as "the time of a point". The decoder
/// follows the document from place to place, and skips values whose place is nil. Invalid JSON ends
/// the decoding with a ``DecodeError`` after everything before it.
protocol JSONDocumentDecoder: FixDecoder {
  associatedtype Place: Sendable

  var document: JSONDocument<Place> { get set }

  /// The place of an object's member, whose key is `reader.text`; nil to skip it.
  func member(of place: Place, _ reader: borrowing JSONReader) -> Place?

  /// The place of an array's elements; nil to skip them.
  func element(of place: Place) -> Place?

  /// An object or array begins.
  mutating func begin(_ place: Place)

  /// A number, string, Boolean or null.
  mutating func take(_ value: JSONReader.Event, at place: Place, _ reader: borrowing JSONReader)

  mutating func end(
    _ place: Place, _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError)

  /// The document ends, complete or not; append what was held.
  mutating func release(into batch: inout FixBatch)
}

struct JSONDocument<Place: Sendable>: Sendable {
  fileprivate var reader = JSONReader(isSequence: true)
  /// The place of the document, or of each document in a sequence.
  fileprivate let root: Place
  fileprivate var open: [(place: Place, isObject: Bool)] = []
  /// The place of the last key's value.
  fileprivate var member: Place?
  /// The depth of open containers inside a skipped value.
  fileprivate var skippedDepth = 0

  init(_ root: Place) { self.root = root }
}

extension JSONDocumentDecoder {
  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    document.reader.push(bytes)
    try drain(into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    document.reader.finish()
    try drain(into: &batch)
    release(into: &batch)
  }

  private mutating func drain(into batch: inout FixBatch) throws(DecodeError) {
    do throws(DecodeError) {
      while let event = try nextEvent() { try take(event, into: &batch) }
    } catch {
      release(into: &batch)
      throw error
    }
  }

  private mutating func nextEvent() throws(DecodeError) -> JSONReader.Event? {
    do throws(JSONError) {
      return try document.reader.next()
    } catch {
      throw DecodeError(
        "\(error.sentence) (byte \(error.byteOffset))", line: error.line,
        byteOffset: error.byteOffset)
    }
  }

  private mutating func take(
    _ event: JSONReader.Event, into batch: inout FixBatch
  ) throws(DecodeError) {
    if document.skippedDepth > 0 {
      switch event {
      case .beginObject, .beginArray: document.skippedDepth += 1
      case .endObject, .endArray: document.skippedDepth -= 1
      default: break
      }
      return
    }
    switch event {
    case .key:
      document.member = document.open.last.flatMap { member(of: $0.place, document.reader) }
    case .beginObject, .beginArray:
      guard let place else { return document.skippedDepth = 1 }
      begin(place)
      document.open.append((place, event == .beginObject))
    case .endObject, .endArray:
      guard let place = document.open.popLast()?.place else { return }
      let position = SourcePosition(
        line: document.reader.currentLine(), byteOffset: document.reader.byteOffset)
      try end(place, position, into: &batch)
    case .string, .number, .boolean, .null: if let place { take(event, at: place, document.reader) }
    }
  }

  /// The place of the value that begins.
  private var place: Place? {
    guard let last = document.open.last else { return document.root }
    return last.isObject ? document.member : element(of: last.place)
  }
}

extension JSONReader {
  /// The last number, even in quotation marks; NaN for other values.
  func number(_ value: Event) -> Double {
    switch value {
    case .number: double
    case .string: DecimalNumber.double(parsing: text.span) ?? .nan
    default: .nan
    }
  }

  /// The last value as ISO 8601 or a number since 1970, even in quotation marks; nil for others.
  ///
  /// A time that states no zone follows the clock, or else is in UTC.
  func milliseconds(_ value: Event, by clock: ClockZone? = nil) -> Int64? {
    switch value {
    case .number: EpochTime.milliseconds(inAnyUnit: double)
    case .string:
      ISO8601.milliseconds(parsing: text.span, by: clock)
        ?? DecimalNumber.double(parsing: text.span).flatMap(EpochTime.milliseconds(inAnyUnit:))
    default: nil
    }
  }
}
