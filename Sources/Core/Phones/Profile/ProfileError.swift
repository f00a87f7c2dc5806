import FencepostFormats

/// An error in the text of a profile, with its position.
///
/// Reading a profile stops at the first error.
package struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line of the error, from 1.
  package let line: Int
  /// The path of the invalid value, such as `limits.regions.value`; empty for the whole document.
  package let path: String
  /// The message, without the position.
  package let sentence: String

  /// The line, path and message as one sentence without a period.
  package var description: String {
    path.isEmpty ? "line \(line): \(sentence)" : "line \(line): \(path): \(sentence)"
  }
}

extension ProfileError {
  /// Creates the error of a value and finds its line by reading the text again.
  init(_ error: JSONPathError, in bytes: Span<UInt8>) {
    var reader = JSONReader()
    reader.push(bytes)
    reader.finish()
    let line = reader.nextEvent().flatMap { reader.line(of: error.path, in: $0, at: "") }
    self.init(line: line ?? 1, path: error.path, sentence: error.sentence)
  }
}

extension JSONReader {
  /// The next event; never an error, because the text was parsed before.
  fileprivate mutating func nextEvent() -> Event? { try? next() }

  /// The line of the value at a path; nil if it is not in the value that starts with `event`.
  fileprivate mutating func line(of sought: String, in event: Event, at path: String) -> Int? {
    if path == sought { return line }
    switch event {
    case .beginObject:
      while nextEvent() == .key {
        let member = path.isEmpty ? string : "\(path).\(string)"
        guard let value = nextEvent() else { break }
        if let line = line(of: sought, in: value, at: member) { return line }
      }
    case .beginArray:
      var index = 0
      while let element = nextEvent(), element != .endArray {
        if let line = line(of: sought, in: element, at: "\(path)[\(index)]") { return line }
        index += 1
      }
    default: break
    }
    return nil
  }
}
