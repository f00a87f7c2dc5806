extension ClockZone: Codable {
  /// Reads an identifier; throws if it is unknown.
  public init(from decoder: any Decoder) throws {
    let identifier = try String(from: decoder)
    self = try decoder.valid(
      ClockZone(identifier: identifier), or: "unknown time zone \"\(identifier)\"")
  }

  /// Writes the identifier.
  public func encode(to encoder: any Encoder) throws { try identifier.encode(to: encoder) }
}

extension Decoder {
  /// Returns the value, or throws `DecodingError` with a sentence if it is nil.
  package func valid<Value>(_ value: Value?, or sentence: String) throws -> Value {
    if let value { return value }
    throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: sentence))
  }
}
