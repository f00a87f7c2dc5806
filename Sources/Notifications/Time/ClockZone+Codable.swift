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
