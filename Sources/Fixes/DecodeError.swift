/// What ended the reading of a source: a sentence that a user can act on, and where.
public struct DecodeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, as a sentence without the name of the source and without a full stop.
  public var sentence: String
  /// The line of the source, from 1, where the format has lines.
  public var line: Int?
  /// The byte of the source, from 0, counted behind a gzip layer.
  public var byteOffset: Int?

  /// Makes an error of its parts.
  public init(_ sentence: String, line: Int? = nil, byteOffset: Int? = nil) {
    self.sentence = sentence
    self.line = line
    self.byteOffset = byteOffset
  }

  /// The sentence with the place it speaks of: `line 12: the file ends inside a tag`.
  public var description: String {
    if let line { return "line \(line): \(sentence)" }
    if let byteOffset { return "byte \(byteOffset): \(sentence)" }
    return sentence
  }
}
