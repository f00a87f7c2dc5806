import FencepostFixes
import FencepostFormats

protocol JSONLineObject {
  static var names: [StaticString] { get }

  init()

  /// Receives a member's value; `index` refers to ``names``; use `text` only for a string.
  mutating func take(_ index: Int, _ value: JSONLineReader.Value, _ text: Span<UInt8>)
}

/// Reads members from JSON objects, one object per line.
struct JSONLineReader: Sendable {
  enum Value {
    /// A number; infinite if it exceeds the range of `Double`.
    case number(Double)
    /// A string, whose bytes are passed separately.
    case string
    /// Any other value; arrays and objects are skipped.
    case other

    /// The number; NaN for other values.
    var number: Double { if case .number(let number) = self { number } else { .nan } }
    var isString: Bool { if case .string = self { true } else { false } }
  }

  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

  /// Reads the object on a line; without members if the line is blank or holds something else.
  ///
  /// Returns nil if the line is too long or not JSON, and adds a rejection to `batch`.
  mutating func object<Object: JSONLineObject>(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) -> Object? {
    guard !position.isCut else {
      batch.reject(.tooLong, line: position.number)
      return nil
    }
    var object = Object()
    do throws(JSONError) {
      _ = try read(line, names: Object.names) { object.take($0, $1, $2) }
      return object
    } catch {
      batch.reject(error, position)
      return nil
    }
  }

  mutating func read(
    _ line: Span<UInt8>, names: [StaticString], member: (Int, Value, Span<UInt8>) -> Void
  ) throws(JSONError) -> Bool {
    try read(line, index: { reader in names.firstIndex { reader.textEquals($0) } }, member: member)
  }

  /// Reads a line; false if it does not hold an object.
  ///
  /// `index` maps the reader's current key to an index; nil skips the member. Discard what `member`
  /// received if this throws.
  mutating func read(
    _ line: Span<UInt8>, index: (borrowing JSONReader) -> Int?,
    member: (Int, Value, Span<UInt8>) -> Void
  ) throws(JSONError) -> Bool {
    reader.reset()
    reader.push(line)
    reader.finish()
    guard !JSONFixReader.isBlank(line) else { return false }
    let isObject = try reader.next() == .beginObject
    var wanted: Int?
    while let event = try reader.next() {
      // Anything deeper belongs to a nested value.
      guard isObject, reader.depth == 1 else { continue }
      if event == .key {
        wanted = index(reader)
      } else if let wanted {
        let value: Value =
          event == .number ? .number(reader.double) : event == .string ? .string : .other
        member(wanted, value, reader.text.span)
      }
    }
    return isObject
  }
}

extension FixBatch {
  mutating func reject(_ error: JSONError, _ position: LinePosition) {
    reject(
      .malformed, line: position.number, byteOffset: position.byteOffset + error.byteOffset,
      detail: error.sentence)
  }
}
