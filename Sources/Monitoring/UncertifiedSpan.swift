public import FencepostGeodesy

/// A stretch of the path where an unmonitored edge may have been crossed unseen.
///
/// It may cross breaks, which have no length.
public struct UncertifiedSpan: Hashable, Sendable {
  /// One end of the stretch.
  public struct End: Hashable, Sendable {
    /// Index of the fix that ends the segment this point lies on, from 0.
    public var fix: Int
    /// Where.
    public var coordinate: Coordinate
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?

    /// Makes an end of its parts.
    public init(fix: Int, coordinate: Coordinate, timeMilliseconds: Int64?) {
      self.fix = fix
      self.coordinate = coordinate
      self.timeMilliseconds = timeMilliseconds
    }
  }

  /// Where it begins.
  public var start: End
  /// Where it ends.
  public var end: End
  /// Length of the joined path between both, in metres.
  public var lengthMeters: Double

  /// Makes a stretch of its ends and its length in metres.
  public init(start: End, end: End, lengthMeters: Double) {
    self.start = start
    self.end = end
    self.lengthMeters = lengthMeters
  }
}

extension UncertifiedSpan: Codable {
  /// The form in which a stretch is written.
  static let version = 1

  private enum CodingKeys: String, CodingKey {
    case version, start, end, lengthMeters
  }

  /// Reads a stretch.
  ///
  /// - Throws: ``NewerVersionError``, and `DecodingError` for a value that is out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: Self.version, of: "uncertified stretch")
    start = try values.decode(End.self, forKey: .start)
    end = try values.decode(End.self, forKey: .end)
    lengthMeters = try values.number(.lengthMeters, in: 0...)
  }

  /// Writes a stretch with the number of its form.
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

  /// Reads an end.
  ///
  /// - Throws: `DecodingError`, also for a value that is out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    fix = try values.decode(Int.self, forKey: .fix)
    coordinate = try values.decode(Coordinate.self, forKey: .coordinate)
    timeMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .timeMilliseconds)
    try values.check(fix >= 0, .fix, "at least 0")
    try values.check(coordinate.isValid, .coordinate, "on the globe")
  }
}
