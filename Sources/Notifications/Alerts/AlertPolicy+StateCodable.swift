import FencepostMonitoring

extension AlertPolicy.State: Codable {
  /// The form in which a state is written.
  static let version = 1
  /// Instants that can be subtracted from each other, in milliseconds since 1970.
  private static let times = Int64.min / 4...Int64.max / 4

  private enum CodingKeys: String, CodingKey {
    case version, alerted, drivingMilliseconds, deliveries
  }

  /// Reads a state, also one without a version as it was written at first.
  ///
  /// - Throws: `NewerVersionError` of `FencepostMonitoring`, and `DecodingError` for anything else.
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

  /// Writes a state with the number of its form.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(alerted, forKey: .alerted)
    try values.encodeIfPresent(drivingMilliseconds, forKey: .drivingMilliseconds)
    try values.encode(deliveries, forKey: .deliveries)
  }
}
