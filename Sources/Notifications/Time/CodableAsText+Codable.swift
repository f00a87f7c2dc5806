extension CodableAsText {
  /// Reads a value from its description; throws `DecodingError` if the text is invalid.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    self = try decoder.valid(Self(text), or: "\(text) is not a valid \(Self.self)")
  }

  /// Writes the description.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Decoder {
  /// Returns the value, or throws `DecodingError` with a sentence if it is nil.
  func valid<Value>(_ value: Value?, or sentence: String) throws -> Value {
    if let value { return value }
    throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: sentence))
  }
}
