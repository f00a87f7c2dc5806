public import FencepostGeodesy

/// A stretch, possibly with breaks, where an unmonitored edge may have been crossed unseen.
public struct UncertifiedSpan: Hashable, Sendable {
  /// One end of a stretch.
  public struct End: Hashable, Sendable {
    /// The index, from 0, of the fix that ends the segment this point lies on.
    public var fix: Int
    /// The position of this end.
    public var coordinate: Coordinate
    /// The time in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?

    /// Creates an end.
    package init(fix: Int, coordinate: Coordinate, timeMilliseconds: Int64?) {
      self.fix = fix
      self.coordinate = coordinate
      self.timeMilliseconds = timeMilliseconds
    }
  }

  /// The start of the stretch.
  public var start: End
  /// The end of the stretch.
  public var end: End
  /// The length of the joined path between the ends in meters.
  public var lengthMeters: Double

  /// Creates a stretch.
  package init(start: End, end: End, lengthMeters: Double) {
    self.start = start
    self.end = end
    self.lengthMeters = lengthMeters
  }
}

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
}
