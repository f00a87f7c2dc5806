import Formats

/// Reads the members of the objects that stand on the lines of a JSON-lines source.
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

  private var reader = JSONReader(
    limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))

  /// Reads one line.
  ///
  /// - Parameters:
  ///   - line: The line; one of white space only has no members.
  ///   - names: The names asked for.
  ///   - member: Takes the index of a name, its value and the bytes of that where it is a string.
  /// - Returns: Whether the line held an object.
  /// - Throws: `JSONError` when the line is no JSON; what `member` was given before is void.
  mutating func read(
    _ line: Span<UInt8>, names: [StaticString], member: (Int, Value, Span<UInt8>) -> Void
  ) throws(JSONError) -> Bool {
    reader.reset()
    reader.push(line)
    reader.finish()
    guard !Self.isBlank(line), let first = try reader.next() else { return false }
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
    return first == .beginObject
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
    return true
  }
}
