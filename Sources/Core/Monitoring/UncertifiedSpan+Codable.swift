import FencepostGeodesy

extension UncertifiedSpan: Codable {
  static let version = 1

  private enum CodingKeys: String, CodingKey {
    case version, start, end, lengthMeters
  }

  /// Decodes a stretch, or throws ``NewerVersionError`` or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: Self.version, of: "uncertified stretch")
    start = try values.decode(End.self, forKey: .start)
    end = try values.decode(End.self, forKey: .end)
    lengthMeters = try values.number(.lengthMeters, in: 0...)
  }

  /// Encodes a stretch with its version number.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(start, forKey: .start)
    try values.encode(end, forKey: .end)
    try values.encode(lengthMeters, forKey: .lengthMeters)
  }
}

extension UncertifiedSpan.End: Codable {
  private enum CodingKeys: String, CodingKey {
    case fix, coordinate, timeMilliseconds
  }

  /// Decodes an end, or throws `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    fix = try values.decode(Int.self, forKey: .fix)
    coordinate = try values.decode(Coordinate.self, forKey: .coordinate)
    timeMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .timeMilliseconds)
    try values.check(fix >= 0, .fix, "at least 0")
    try values.check(coordinate.isValid, .coordinate, "on the globe")
  }

  /// Encodes an end.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(fix, forKey: .fix)
    try values.encode(coordinate, forKey: .coordinate)
    try values.encodeIfPresent(timeMilliseconds, forKey: .timeMilliseconds)
  }
}
