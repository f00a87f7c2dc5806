import FencepostGeodesy

extension Fix: Equatable {
  /// Whether all values are equal; two unknown ones are.
  public static func == (one: Fix, other: Fix) -> Bool {
    func isSame(_ a: Float, _ b: Float) -> Bool { a == b || (a.isNaN && b.isNaN) }
    return one.coordinate == other.coordinate
      && one.rawTimeMilliseconds == other.rawTimeMilliseconds
      && one.trackIndex == other.trackIndex && one.segmentIndex == other.segmentIndex
      && isSame(one.accuracyMeters, other.accuracyMeters)
      && isSame(one.speedMetersPerSecond, other.speedMetersPerSecond)
      && isSame(one.courseDegrees, other.courseDegrees) && one.line == other.line
  }
}

extension Fix: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinate, timeMilliseconds, trackIndex, segmentIndex
    case accuracyMeters, speedMetersPerSecond, courseDegrees, line
  }

  /// Decodes a fix; values left out are unknown, or 0 for indices and the line.
  ///
  /// - Throws: `DecodingError` for a position that is not on the globe.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func index(_ key: CodingKeys) throws -> Int32 {
      try values.decodeIfPresent(Int32.self, forKey: key) ?? 0
    }
    func number(_ key: CodingKeys) throws -> Float {
      try values.decodeIfPresent(Float.self, forKey: key) ?? .nan
    }
    self.init(
      coordinate: try values.decode(Coordinate.self, forKey: .coordinate),
      timeMilliseconds: try values.decodeIfPresent(Int64.self, forKey: .timeMilliseconds),
      trackIndex: try index(.trackIndex), segmentIndex: try index(.segmentIndex),
      accuracyMeters: try number(.accuracyMeters),
      speedMetersPerSecond: try number(.speedMetersPerSecond),
      courseDegrees: try number(.courseDegrees), line: try index(.line))
    guard coordinate.isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: .coordinate, in: values, debugDescription: "coordinate must be on the globe")
    }
  }

  /// Encodes a fix without its unknown values.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(coordinate, forKey: .coordinate)
    try values.encodeIfPresent(timeMilliseconds, forKey: .timeMilliseconds)
    for (index, key) in [
      (trackIndex, CodingKeys.trackIndex), (segmentIndex, .segmentIndex), (line, .line),
    ] where index != 0 {
      try values.encode(index, forKey: key)
    }
    for (number, key) in [
      (accuracyMeters, CodingKeys.accuracyMeters), (speedMetersPerSecond, .speedMetersPerSecond),
      (courseDegrees, .courseDegrees),
    ] where number.isFinite {
      try values.encode(number, forKey: key)
    }
  }
}
