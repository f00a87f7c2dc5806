extension MonitoringOptions: Codable {
  static let version = 1
  /// The highest limit that is accepted; one more still fits `Int` on every platform.
  private static let greatestLimit = 1 << 28

  private enum CodingKeys: String, CodingKey {
    case version, limit, significantChangeMeters, minIntervalMilliseconds, rank, refresh, initial
    case exitMarginMeters, maxGapMilliseconds, maxSpeedMetersPerSecond, joinsSegments, hasTripwire
    case refreshFloorMeters, test, accuracy, confirmation, trustsAccuracy
  }

  /// Decodes a rule; a missing value gets its default, and a `limit` of `null` means no limit.
  ///
  /// - Throws: ``NewerVersionError``, or `DecodingError` for a value that is out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: Self.version, of: "monitoring rule")
    self.init()
    rank = try values.decodeIfPresent(Rank.self, forKey: .rank) ?? rank
    refresh = try values.decodeIfPresent(RefreshRule.self, forKey: .refresh) ?? refresh
    initial = try values.decodeIfPresent(InitialState.self, forKey: .initial) ?? initial
    joinsSegments = try values.decodeIfPresent(Bool.self, forKey: .joinsSegments) ?? joinsSegments
    hasTripwire = try values.decodeIfPresent(Bool.self, forKey: .hasTripwire) ?? hasTripwire
    significantChangeMeters =
      try values.metersIfPresent(.significantChangeMeters) ?? significantChangeMeters
    exitMarginMeters = try values.metersIfPresent(.exitMarginMeters) ?? exitMarginMeters
    refreshFloorMeters = try values.metersIfPresent(.refreshFloorMeters) ?? refreshFloorMeters
    try readLimits(from: values)
    test = try values.decodeIfPresent(SideTest.self, forKey: .test) ?? test
    accuracy = try values.decodeIfPresent(AccuracyRule.self, forKey: .accuracy) ?? accuracy
    trustsAccuracy =
      try values.decodeIfPresent(Bool.self, forKey: .trustsAccuracy) ?? trustsAccuracy
    confirmation =
      try values.decodeIfPresent(ConfirmationOptions.self, forKey: .confirmation) ?? confirmation
    try values.check(
      confirmation.holdMilliseconds >= 0 && (confirmation.fixes ?? 1) >= 1
        && (confirmation.dwellMilliseconds ?? 0) >= 0,
      .confirmation, "times of at least 0 ms and at least 1 fix")
  }

  private mutating func readLimits(from values: KeyedDecodingContainer<CodingKeys>) throws {
    // Without the key, the default limit applies.
    if values.contains(.limit) { limit = try values.decodeIfPresent(Int.self, forKey: .limit) }
    try values.check(
      (1...Self.greatestLimit).contains(limit ?? 1), .limit,
      "from 1 to \(Self.greatestLimit), or null")
    if values.contains(.maxGapMilliseconds) {
      maxGapMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .maxGapMilliseconds)
    }
    try values.check((maxGapMilliseconds ?? 0) >= 0, .maxGapMilliseconds, "at least 0, or null")
    if values.contains(.maxSpeedMetersPerSecond) {
      maxSpeedMetersPerSecond = try values.metersIfPresent(.maxSpeedMetersPerSecond)
    }
    minIntervalMilliseconds =
      try values.decodeIfPresent(Int64.self, forKey: .minIntervalMilliseconds)
      ?? minIntervalMilliseconds
    try values.check(minIntervalMilliseconds >= 0, .minIntervalMilliseconds, "at least 0")
  }

  /// Encodes all values of a rule with its version number.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(limit, forKey: .limit)
    try values.encode(UnboundedMeters(significantChangeMeters), forKey: .significantChangeMeters)
    try values.encode(minIntervalMilliseconds, forKey: .minIntervalMilliseconds)
    try values.encode(rank, forKey: .rank)
    try values.encode(refresh, forKey: .refresh)
    try values.encode(initial, forKey: .initial)
    try values.encode(UnboundedMeters(exitMarginMeters), forKey: .exitMarginMeters)
    try values.encode(maxGapMilliseconds, forKey: .maxGapMilliseconds)
    try values.encode(
      maxSpeedMetersPerSecond.map(UnboundedMeters.init), forKey: .maxSpeedMetersPerSecond)
    try values.encode(joinsSegments, forKey: .joinsSegments)
    try values.encode(hasTripwire, forKey: .hasTripwire)
    try values.encode(UnboundedMeters(refreshFloorMeters), forKey: .refreshFloorMeters)
    try values.encode(test, forKey: .test)
    try values.encode(accuracy, forKey: .accuracy)
    try values.encode(confirmation, forKey: .confirmation)
    try values.encode(trustsAccuracy, forKey: .trustsAccuracy)
  }
}

extension MonitoringOptions.Rank: Codable {}
extension MonitoringOptions.RefreshRule: Codable {}
extension MonitoringOptions.InitialState: Codable {}
