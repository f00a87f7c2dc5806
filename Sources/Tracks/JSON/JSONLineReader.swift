import FencepostFixes
import FencepostFormats

/// The members of a JSON object that a decoder needs.
protocol JSONLineObject {
  /// The names of these members.
  static var names: [StaticString] { get }

  /// Makes an object without members.
  init()

  /// Takes the value of the member whose name has this index, and its bytes if it is a string.
  mutating func take(_ index: Int, _ value: JSONLineReader.Value, _ text: Span<UInt8>)
}

/// Reads members of the JSON objects on lines.
struct JSONLineReader: Sendable {
  /// The value of a member.
  enum Value {
    /// A number; infinite if beyond the range of `Double`.
    case number(Double)
    /// A string, whose bytes are passed separately.
    case string
    /// Anything else; the contents of arrays and objects are skipped.
    case other

    /// The number; NaN for other values.
    var number: Double { if case .number(let number) = self { number } else { .nan } }
    var isString: Bool { if case .string = self { true } else { false } }
  }

  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

  /// Reads the object on a line.
  ///
  /// - Parameters:
  ///   - line: The line, which may be blank.
  ///   - position: Where it begins.
  ///   - batch: Receives the rejection of a line that is too long or not JSON.
  /// - Returns: The object, without members if the line is something else; nil if it was rejected.
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

  /// Reads one line, as ``read(_:index:member:)``.
  mutating func read(
    _ line: Span<UInt8>, names: [StaticString], member: (Int, Value, Span<UInt8>) -> Void
  ) throws(JSONError) -> Bool {
    try read(line, index: { reader in names.firstIndex { reader.textEquals($0) } }, member: member)
  }

  /// Reads one line.
  ///
  /// - Parameters:
  ///   - line: The line; a blank one has no members.
  ///   - index: The index of a member whose name is the reader's text; nil to skip it.
  ///   - member: Takes the index of a name, the value, and its bytes if it is a string or number.
  /// - Returns: Whether the line is an object.
  /// - Throws: `JSONError` if the line is not JSON; what `member` took before is then meaningless.
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
      // Anything deeper, with its end, belongs to another value.
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
  /// Rejects a line that is not JSON.
  mutating func reject(_ error: JSONError, _ position: LinePosition) {
    reject(
      .malformed, line: position.number, byteOffset: position.byteOffset + error.byteOffset,
      detail: error.sentence)
  }
}
