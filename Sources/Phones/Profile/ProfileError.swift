import FencepostFormats

/// Why a text is no profile, with its place.
public struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line of the fault, from 1.
  public var line: Int
  /// The path of the value at fault, such as `limits.regions.value`; empty for the document itself.
  public var path: String
  /// What is wrong there.
  public var sentence: String

  /// Makes an error of its parts.
  public init(line: Int, path: String, sentence: String) {
    self.line = line
    self.path = path
    self.sentence = sentence
  }

  /// Line, path and fault as one sentence without a full stop.
  public var description: String {
    path.isEmpty ? "line \(line): \(sentence)" : "line \(line): \(path): \(sentence)"
  }

  init(_ error: JSONError) {
    self.init(line: error.line, path: "", sentence: error.sentence)
  }

  init(_ error: JSONPathError, in bytes: Span<UInt8>) {
    self.init(
      line: JSONPathLines.line(of: error.path, in: bytes), path: error.path,
      sentence: error.sentence)
  }
}

/// Finds the line of a value in a text that was read once already.
private struct JSONPathLines {
  var reader = JSONReader()
  let sought: String

  /// The line of the value at a path, 1 if it is not there.
  static func line(of path: String, in bytes: Span<UInt8>) -> Int {
    var search = JSONPathLines(sought: path)
    search.reader.push(bytes)
    search.reader.finish()
    return search.lineOfValue(at: "") ?? 1
  }

  private mutating func lineOfValue(at path: String) -> Int? {
    guard let event = next() else { return nil }
    return line(of: event, at: path)
  }

  private mutating func line(of event: JSONReader.Event, at path: String) -> Int? {
    if path == sought { return reader.line }
    switch event {
    case .beginObject:
      while let event = next(), event == .key {
        let key = reader.string
        if let line = lineOfValue(at: path.isEmpty ? key : "\(path).\(key)") { return line }
      }
      return nil
    case .beginArray:
      var index = 0
      while let event = next(), event != .endArray {
        if let line = line(of: event, at: "\(path)[\(index)]") { return line }
        index += 1
      }
      return nil
    default: return nil
    }
  }

  /// The text was read before, so that it has no fault.
  private mutating func next() -> JSONReader.Event? {
    do throws(JSONError) {
      return try reader.next()
    } catch {
      return nil
    }
  }
}
