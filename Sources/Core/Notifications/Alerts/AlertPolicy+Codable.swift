import FencepostMonitoring

extension AlertPolicy.State: Codable {
  static let version = 1
  /// Times in milliseconds that can be subtracted without overflow.
  private static let times = Int64.min / 4...Int64.max / 4

  private enum CodingKeys: String, CodingKey {
    case version, alerted, drivingMilliseconds, deliveries
  }

  /// Reads a state, including the oldest form without a version; can throw `NewerVersionError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try values.checkVersion(.version, newest: Self.version, of: "alert memory")
    alerted = try values.decode([String: Int64?].self, forKey: .alerted)
    drivingMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .drivingMilliseconds)
    deliveries = try values.decode([Delivery].self, forKey: .deliveries)
    let times =
      [drivingMilliseconds].compactMap { $0 } + alerted.values.compactMap { $0 }
      + deliveries.flatMap { [$0.enteredMilliseconds, $0.deliveryMilliseconds] }
    guard times.allSatisfy(Self.times.contains) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "an instant is out of range"))
    }
    let isInOrder = zip(deliveries, deliveries.dropFirst()).allSatisfy {
      $0.deliveryMilliseconds <= $1.deliveryMilliseconds
    }
    guard isInOrder else {
      throw DecodingError.dataCorruptedError(
        forKey: .deliveries, in: values, debugDescription: "deliveries must be in order")
    }
  }

  /// Writes the state with its version.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(alerted, forKey: .alerted)
    try values.encodeIfPresent(drivingMilliseconds, forKey: .drivingMilliseconds)
    try values.encode(deliveries, forKey: .deliveries)
  }
}

extension QuietHours: Codable {
  private enum CodingKeys: CodingKey { case start, end, zone }

  /// Reads quiet hours; throws if `start` equals `end`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let hours = QuietHours(
      start: try values.decode(TimeOfDay.self, forKey: .start),
      end: try values.decode(TimeOfDay.self, forKey: .end),
      zone: try values.decode(ClockZone.self, forKey: .zone))
    guard let hours else {
      throw DecodingError.dataCorruptedError(
        forKey: .end, in: values,
        debugDescription: "quiet hours cannot end at the time they start")
    }
    self = hours
  }

  /// Writes the times and the zone.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(start, forKey: .start)
    try values.encode(end, forKey: .end)
    try values.encode(zone, forKey: .zone)
  }
}

extension Cooldown {
  /// Reads a cooldown.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedCase(from: decoder)
    switch coded.name {
    case "none": self = .none
    case "seconds": self = .seconds(try coded.part("seconds"))
    case "forever": self = .forever
    default: throw coded.unknown
    }
  }

  /// Writes the cooldown.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .none: try encoder.encode(case: "none")
    case .seconds(let seconds): try encoder.encode(case: "seconds", ["seconds": seconds])
    case .forever: try encoder.encode(case: "forever")
    }
  }
}
