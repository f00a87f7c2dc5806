import FencepostGeodesy

extension EngineEvent: Codable {
  static let version = 1

  private enum CodingKeys: String, CodingKey {
    case type, version
  }

  private enum Kind: String, Codable {
    case crossing, dwell, refresh
  }

  /// Decodes an event; `type` tells whether it is a crossing, a dwell or a refresh.
  ///
  /// - Throws: ``NewerVersionError``, or `DecodingError` for a value that is out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    // A newer form may have unknown types.
    try values.checkVersion(.version, newest: Self.version, of: "event")
    switch try values.decode(Kind.self, forKey: .type) {
    case .crossing: self = .crossing(try Crossing(from: decoder))
    case .dwell: self = .dwell(try Crossing(from: decoder))
    case .refresh: self = .refresh(try Refresh(from: decoder))
    }
  }

  /// Encodes an event with its version number.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .crossing(let crossing):
      try values.encode(Kind.crossing, forKey: .type)
      try crossing.encode(to: encoder)
    case .dwell(let crossing):
      try values.encode(Kind.dwell, forKey: .type)
      try crossing.encode(to: encoder)
    case .refresh(let refresh):
      try values.encode(Kind.refresh, forKey: .type)
      try refresh.encode(to: encoder)
    }
  }
}

extension Crossing: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, key, coordinate, timeMilliseconds, fraction, distanceMeters
    case isAcrossBreak, crossedMilliseconds
    case isEntry = "isEnter"
  }

  /// Decodes a crossing, or throws ``NewerVersionError`` or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: EngineEvent.version, of: "crossing")
    key = try values.decode(Int64.self, forKey: .key)
    isEntry = try values.decode(Bool.self, forKey: .isEntry)
    coordinate = try values.decode(Coordinate.self, forKey: .coordinate)
    timeMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .timeMilliseconds)
    fraction = try values.decode(Double.self, forKey: .fraction)
    distanceMeters = try values.number(.distanceMeters, in: 0...)
    isAcrossBreak = try values.decodeIfPresent(Bool.self, forKey: .isAcrossBreak) ?? false
    crossedMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .crossedMilliseconds)
    try values.check(coordinate.isValid, .coordinate, "on the globe")
    try values.check((0...1).contains(fraction), .fraction, "from 0 to 1")
  }

  /// Encodes a crossing with its version number.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(EngineEvent.version, forKey: .version)
    try values.encode(key, forKey: .key)
    try values.encode(isEntry, forKey: .isEntry)
    try values.encode(coordinate, forKey: .coordinate)
    try values.encodeIfPresent(timeMilliseconds, forKey: .timeMilliseconds)
    try values.encode(fraction, forKey: .fraction)
    try values.encode(distanceMeters, forKey: .distanceMeters)
    if isAcrossBreak { try values.encode(true, forKey: .isAcrossBreak) }
    try values.encodeIfPresent(crossedMilliseconds, forKey: .crossedMilliseconds)
  }
}

extension Refresh: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, coordinate, timeMilliseconds, fraction, added, removed, foundInside
    case radiusMeters, reachMeters, hasFailed
    case monitoredCount = "monitored"
  }

  /// Decodes a refresh, or throws ``NewerVersionError`` or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: EngineEvent.version, of: "refresh")
    coordinate = try values.decode(Coordinate.self, forKey: .coordinate)
    timeMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .timeMilliseconds)
    fraction = try values.decode(Double.self, forKey: .fraction)
    monitoredCount = try values.decode(Int.self, forKey: .monitoredCount)
    added = try values.decode([Int64].self, forKey: .added)
    removed = try values.decode([Int64].self, forKey: .removed)
    foundInside = try values.decode([Int64].self, forKey: .foundInside)
    radiusMeters = try values.metersIfPresent(.radiusMeters)
    reachMeters = try values.metersIfPresent(.reachMeters)
    hasFailed = try values.decodeIfPresent(Bool.self, forKey: .hasFailed) ?? false
    try values.check(coordinate.isValid, .coordinate, "on the globe")
    try values.check((0...1).contains(fraction), .fraction, "from 0 to 1")
    try values.check(monitoredCount >= 0, .monitoredCount, "at least 0")
  }

  /// Encodes a refresh with its version number.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(EngineEvent.version, forKey: .version)
    try values.encode(coordinate, forKey: .coordinate)
    try values.encodeIfPresent(timeMilliseconds, forKey: .timeMilliseconds)
    try values.encode(fraction, forKey: .fraction)
    try values.encode(monitoredCount, forKey: .monitoredCount)
    try values.encode(added, forKey: .added)
    try values.encode(removed, forKey: .removed)
    try values.encode(foundInside, forKey: .foundInside)
    try values.encodeIfPresent(radiusMeters.map(UnboundedMeters.init), forKey: .radiusMeters)
    try values.encodeIfPresent(reachMeters.map(UnboundedMeters.init), forKey: .reachMeters)
    if hasFailed { try values.encode(true, forKey: .hasFailed) }
  }
}
