import FencepostGeodesy

extension Engine.Snapshot: Codable {
  static let version = 1

  private enum CodingKeys: String, CodingKey {
    case version, fixCount, lengthMeters, monitored, containing, doubtful, previous, anchor
    case exposure, uncertified, confirmation
    case neighborhoodCount = "neighbourhoodCount"
  }

  /// Decodes a snapshot, including the first form, which has no version number.
  ///
  /// - Throws: ``NewerVersionError``, or `DecodingError`, also if the snapshot contradicts itself.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: Self.version, of: "engine snapshot")
    fixCount = try values.decode(Int.self, forKey: .fixCount)
    lengthMeters = try values.decode(Double.self, forKey: .lengthMeters)
    monitored = try values.decode(Regions.self, forKey: .monitored)
    containing = try values.decode(Regions.self, forKey: .containing)
    doubtful = try values.decodeIfPresent(Regions.self, forKey: .doubtful)
    previous = try values.decodeIfPresent(Point.self, forKey: .previous)
    anchor = try values.decodeIfPresent(Anchor.self, forKey: .anchor)
    exposure = try values.decodeIfPresent(Exposure.self, forKey: .exposure)
    uncertified = try values.decode([Span].self, forKey: .uncertified)
    neighborhoodCount = try values.decode(Int.self, forKey: .neighborhoodCount)
    confirmation = try values.decodeIfPresent(Unconfirmed.self, forKey: .confirmation)
    if let fault {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "engine snapshot: \(fault)"))
    }
  }

  /// Encodes a snapshot with its version number.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(fixCount, forKey: .fixCount)
    try values.encode(lengthMeters, forKey: .lengthMeters)
    try values.encode(monitored, forKey: .monitored)
    try values.encode(containing, forKey: .containing)
    try values.encodeIfPresent(doubtful, forKey: .doubtful)
    try values.encodeIfPresent(previous, forKey: .previous)
    try values.encodeIfPresent(anchor, forKey: .anchor)
    try values.encodeIfPresent(exposure, forKey: .exposure)
    try values.encode(uncertified, forKey: .uncertified)
    try values.encode(neighborhoodCount, forKey: .neighborhoodCount)
    try values.encodeIfPresent(confirmation, forKey: .confirmation)
  }
}

extension Engine.Snapshot.Regions {
  private enum CodingKeys: String, CodingKey {
    case keys, lat, lon, radii, isInside, ids
    /// Written by earlier versions.
    case latitudes, longitudes
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let isFormer = values.contains(.latitudes)
    keys = try values.decode([Int64].self, forKey: .keys)
    latitudes = try values.decode([Double].self, forKey: isFormer ? .latitudes : .lat)
    longitudes = try values.decode([Double].self, forKey: isFormer ? .longitudes : .lon)
    radii = try values.decode([Double].self, forKey: .radii)
    isInside = try values.decode([Bool].self, forKey: .isInside)
    ids = try values.decodeIfPresent([String?].self, forKey: .ids)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(keys, forKey: .keys)
    try values.encode(latitudes, forKey: .lat)
    try values.encode(longitudes, forKey: .lon)
    try values.encode(radii, forKey: .radii)
    try values.encode(isInside, forKey: .isInside)
    try values.encodeIfPresent(ids, forKey: .ids)
  }
}

extension Engine.Snapshot.Point {
  private enum CodingKeys: String, CodingKey {
    case timeMilliseconds, accuracyMeters
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try Coordinate(from: decoder),
      try values.decodeIfPresent(Int64.self, forKey: .timeMilliseconds))
    accuracyMeters = try values.decodeIfPresent(Float.self, forKey: .accuracyMeters)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try coordinate.encode(to: encoder)
    try values.encodeIfPresent(timeMilliseconds, forKey: .timeMilliseconds)
    try values.encodeIfPresent(accuracyMeters, forKey: .accuracyMeters)
  }
}
