import FencepostFormats

/// What a decoder wants to know of an object: the members of some names.
protocol JSONLineObject {
  /// The names of the members that are wanted.
  static var names: [StaticString] { get }

  /// Makes an object without members.
  init()

  /// Takes the value of the member whose name has this index, and its bytes where it is a string.
  mutating func take(_ index: Int, _ value: JSONLineReader.Value, _ text: Span<UInt8>)
}

/// Splits a JSON-lines source into its lines, and reads the members of the objects that stand on them.
struct JSONLineReader: Sendable {
  /// The value of a member whose name was asked for.
  enum Value {
    /// A number; infinite where it is beyond the range of `Double`.
    case number(Double)
    /// A string, whose bytes the closure is given beside it.
    case string
    /// Anything else; arrays and objects are passed over.
    case other
  }

  private var scanner = LineScanner()
  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

  /// Takes the next bytes and hands on what stands on the lines that end in them.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - batch: Receives the rejections of lines that are too long, or no JSON.
  ///   - body: Takes the members of an object, and the number of its line.
  mutating func feed<Object: JSONLineObject>(
    _ bytes: Span<UInt8>, into batch: inout FixBatch, _ body: (Object, Int, inout FixBatch) -> Void
  ) {
    // Taken out of `self`, because it calls back.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.scan(bytes) { line, position in take(line, position, into: &batch, body) }
    self.scanner = scanner
  }

  /// The source has ended: hands on its last line, where that had no end.
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
  ///   - line: The line; one of white space only has no members.
  ///   - names: The names asked for.
  ///   - member: Takes the index of a name, its value and the bytes of that where it is a string.
  /// - Throws: `JSONError` when the line is no JSON; what `member` was given before is void.
  mutating func read(
    _ line: Span<UInt8>, names: [StaticString], member: (Int, Value, Span<UInt8>) -> Void
  ) throws(JSONError) {
    reader.reset()
    reader.push(line)
    reader.finish()
    guard !Self.isBlank(line), let first = try reader.next() else { return }
    var wanted: Int?
    while let event = try reader.next() {
      // What is deeper belongs to another value, and so does its end.
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
