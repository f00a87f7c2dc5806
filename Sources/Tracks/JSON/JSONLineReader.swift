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

/// Splits JSON Lines into lines and reads members of their objects.
struct JSONLineReader: Sendable {
  /// The value of a member.
  enum Value {
    /// A number; infinite if beyond the range of `Double`.
    case number(Double)
    /// A string, whose bytes are passed separately.
    case string
    /// Anything else; the contents of arrays and objects are skipped.
    case other
  }

  private var scanner = LineScanner()
  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

  /// Takes the next bytes and passes on the objects on the lines that they complete.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - batch: Receives rejections of lines that are too long or not JSON.
  ///   - body: Takes an object and the number of its line.
  mutating func feed<Object: JSONLineObject>(
    _ bytes: Span<UInt8>, into batch: inout FixBatch, _ body: (Object, Int, inout FixBatch) -> Void
  ) {
    // Moved out of `self`, since the closure changes `self`.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.scan(bytes) { line, position in take(line, position, into: &batch, body) }
    self.scanner = scanner
  }

  /// Ends the source and passes on its last line, if that had no line end.
  mutating func finish<Object: JSONLineObject>(
    into batch: inout FixBatch, _ body: (Object, Int, inout FixBatch) -> Void
  ) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.finish { line, position in take(line, position, into: &batch, body) }
  }

  private mutating func take<Object: JSONLineObject>(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch,
    _ body: (Object, Int, inout FixBatch) -> Void
  ) {
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    var object = Object()
    do throws(JSONError) {
      try read(line, names: Object.names) { object.take($0, $1, $2) }
    } catch {
      return batch.reject(
        .malformed, line: position.number, byteOffset: position.byteOffset + error.byteOffset,
        detail: error.sentence)
    }
    body(object, position.number, &batch)
  }

  /// Reads one line.
  ///
  /// - Parameters:
  ///   - line: The line; a blank one has no members.
  ///   - names: The names of the members to read.
  ///   - member: Takes the index of a name, the value, and its bytes if it is a string.
  /// - Throws: `JSONError` if the line is not JSON; what `member` took before is then meaningless.
  mutating func read(
    _ line: Span<UInt8>, names: [StaticString], member: (Int, Value, Span<UInt8>) -> Void
  ) throws(JSONError) {
    reader.reset()
    reader.push(line)
    reader.finish()
    guard !Self.isBlank(line), let first = try reader.next() else { return }
    var wanted: Int?
    while let event = try reader.next() {
      // Anything deeper, with its end, belongs to another value.
      let isOwn = reader.depth == 1
      switch event {
      case .key where isOwn && first == .beginObject:
        wanted = names.firstIndex { reader.textEquals($0) }
      case .number where isOwn:
        if let index = wanted { member(index, .number(reader.double), reader.text.span) }
      case .string where isOwn:
        if let index = wanted { member(index, .string, reader.text.span) }
      case .endObject, .endArray, .boolean, .null:
        if isOwn, let index = wanted { member(index, .other, reader.text.span) }
      default:
        break
      }
    }
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
    return true
  }
}
