import FencepostFormats

/// Builds one JSON value at a time from events, so that a long document is never held whole.
///
/// ``JSONPlaces`` builds each feature or object with it, and skips what lies around them.
struct JSONTreeBuilder {
  /// The approximate memory limit for a value in bytes; larger values are discarded.
  static var mostBytes: Int { 16 << 20 }
  /// What a value takes in memory, besides its text.
  private static var bytesAValue: Int { 64 }

  /// An array or object that is not complete.
  private struct Container {
    var isObject = false
    var elements: [JSONValue] = []
    var members: [JSONValue.Member] = []
    var key = ""
  }

  private var stack: [Container] = []
  private var bytes = 0
  /// How many arrays and objects of a discarded value are open.
  private var depthTooLong = 0
  /// Whether the last value exceeded ``mostBytes`` and was replaced with null.
  private(set) var isTooLong = false

  /// Whether a value has begun that is not complete.
  var isBuilding: Bool { !stack.isEmpty || depthTooLong > 0 }

  /// Adds an event, and returns the value when it ends; null if it was too long.
  mutating func take(_ event: JSONReader.Event, _ reader: borrowing JSONReader) -> JSONValue? {
    if depthTooLong > 0 { return pass(event) }
    if stack.isEmpty {
      bytes = 0
      isTooLong = false
    }
    bytes += JSONTreeBuilder.bytesAValue
    if [.key, .string, .number].contains(event) { bytes += reader.text.count }
    if bytes > JSONTreeBuilder.mostBytes, !stack.isEmpty {
      depthTooLong = stack.count
      stack = []
      isTooLong = true
      return pass(event)
    }
    switch event {
    case .beginArray, .beginObject:
      stack.append(Container(isObject: event == .beginObject))
      return nil
    case .key:
      stack[stack.count - 1].key = reader.string
      return nil
    case .endArray, .endObject:
      guard let last = stack.popLast() else { return nil }
      return place(last.isObject ? .object(last.members) : .array(last.elements))
    case .string: return place(.string(reader.string))
    case .number: return place(.number(reader.double, text: reader.string))
    case .boolean(let flag): return place(.boolean(flag))
    case .null: return place(.null)
    }
  }

  /// Passes over an event of a value that is too long.
  private mutating func pass(_ event: JSONReader.Event) -> JSONValue? {
    switch event {
    case .beginArray, .beginObject: depthTooLong += 1
    case .endArray, .endObject: depthTooLong -= 1
    default: break
    }
    return depthTooLong == 0 ? .null : nil
  }

  /// Puts a complete value where it belongs, or returns it if it is the whole.
  private mutating func place(_ value: JSONValue) -> JSONValue? {
    guard let last = stack.indices.last else { return value }
    if stack[last].isObject {
      stack[last].members.append(JSONValue.Member(key: stack[last].key, value: value))
    } else {
      stack[last].elements.append(value)
    }
    return nil
  }
}

extension JSONValue {
  /// The first member with one of these names that is not null.
  func member(_ names: String...) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    for name in names {
      if let member = members.first(where: { $0.key == name }), member.value != .null {
        return member.value
      }
    }
    return nil
  }

  /// A scalar as text, or the first of an array; nil for objects and null.
  var plainText: String? {
    switch self {
    case .string(let text): text
    case .number(_, let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .array(let elements): elements.first?.plainText
    case .object, .null: nil
    }
  }
}

/// Splits text into records, such as newline-delimited JSON and JSON text sequences (RFC 8142).
///
/// A damaged record harms no other, since its end is known without parsing it.
struct JSONRecords {
  /// One record, without separators.
  struct Record {
    var bytes: [UInt8] = []
    /// The line on which it begins, from 1.
    var line: Int
    /// Whether it was longer than ``mostBytes`` and its end is missing.
    var isCut = false
  }

  /// The longest record in bytes; the rest of a longer one is dropped.
  static var mostBytes: Int { JSONTreeBuilder.mostBytes }

  private let separator: UInt8
  /// The record that has not ended yet.
  private(set) var last: Record
  /// The line ends in what was cut off it.
  private var cutLines = 0

  /// Begins with a record on a line, counted from 1.
  init(separator: UInt8, line: Int) {
    self.separator = separator
    last = Record(line: line)
  }

  /// Returns the records that end in a chunk, without their separators.
  mutating func split(_ chunk: Span<UInt8>) -> [Record] {
    var records: [Record] = []
    var start = 0
    while let end = chunk.firstIndex(of: separator, from: start) {
      carry(chunk.extracting(start..<end))
      records.append(last)
      let lines = last.bytes.withSpan { $0.lineFeedCount } + cutLines
      last = Record(line: last.line + lines + (separator == UInt8(ascii: "\n") ? 1 : 0))
      cutLines = 0
      start = end + 1
    }
    carry(chunk.extracting(start..<chunk.count))
    return records
  }

  /// Adds bytes to the last record, as far as there is room.
  private mutating func carry(_ bytes: Span<UInt8>) {
    let room = Self.mostBytes - last.bytes.count
    if bytes.count > room { last.isCut = true }
    let kept = bytes.extracting(first: min(room, bytes.count))
    last.bytes.append(contentsOf: kept)
    cutLines += bytes.lineFeedCount - kept.lineFeedCount
  }
}
