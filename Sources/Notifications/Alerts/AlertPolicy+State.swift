import FencepostMonitoring

extension AlertPolicy {
  /// What a policy remembers between entries: small, and the same after a round trip through JSON.
  ///
  /// It is saved with the number of its form; see ``init(from:)``.
  public struct State: Hashable, Sendable {
    /// The last alert of each place, nil where it had no time.
    var alerted: [String: Int64?] = [:]
    /// When the speed was last above the limit.
    var drivingMilliseconds: Int64?
    /// The deliveries of the current second and later, by delivery.
    var deliveries: [Delivery] = []

    /// An alert that was granted.
    struct Delivery: Codable, Hashable, Sendable {
      var enteredMilliseconds: Int64
      var deliveryMilliseconds: Int64
    }

    /// The state of a policy that has seen nothing.
    public init() {}

    /// This state with what another policy has granted since.
    package func merging(_ later: Self) -> Self {
      var merged = later
      merged.alerted.merge(alerted) { later, _ in later }
      return merged
    }

    /// How many places have alerted and are remembered for their cool-down.
    public var alertedCount: Int { alerted.count }

    /// When a place last alerted, in milliseconds since 1970; nil if it did not, or without time.
    public func lastAlertMilliseconds(placeID: String) -> Int64? {
      alerted[placeID] ?? nil
    }

    /// Forgets places whose cool-down has passed, so that a state that is kept for years stays small.
    ///
    /// - Parameters:
    ///   - cooldown: The cool-down in force; nothing is forgotten when it is for ever.
    ///   - milliseconds: The present; no entry comes before it any more.
    public mutating func forgetElapsed(cooldown: Cooldown, atMilliseconds milliseconds: Int64) {
      switch cooldown {
      case .forever: return
      case .none: alerted = [:]
      case .seconds(let seconds):
        alerted = alerted.filter { _, last in
          last.map { (milliseconds - $0) / 1000 < seconds } ?? false
        }
      }
    }

    mutating func noteAlert(placeID: String, atMilliseconds milliseconds: Int64?) {
      // An alert without time says nothing about a cool-down that runs since an earlier one.
      if milliseconds == nil, alerted[placeID] != nil { return }
      alerted[placeID] = .some(milliseconds)
    }

    /// The first instant, whole seconds after `milliseconds`, whose second has room.
    func deliveryMilliseconds(from milliseconds: Int64, limit: Int?) -> Int64 {
      guard let limit else { return milliseconds }
      var delivery = milliseconds
      var index = firstDelivery(atOrAfter: delivery.dividedDown(by: 1000) * 1000)
      while true {
        let secondEnd = (delivery.dividedDown(by: 1000) + 1) * 1000
        let first = index
        while index < deliveries.count, deliveries[index].deliveryMilliseconds < secondEnd {
          index += 1
        }
        if index - first < max(limit, 1) { return delivery }
        delivery += 1000
      }
    }

    /// How many granted alerts wait for their delivery at an instant.
    func pendingCount(atMilliseconds milliseconds: Int64) -> Int {
      let first = firstDelivery(atOrAfter: milliseconds + 1)
      return deliveries[first...].count { $0.enteredMilliseconds <= milliseconds }
    }

    mutating func insert(_ delivery: Delivery) {
      deliveries.insert(
        delivery, at: firstDelivery(atOrAfter: delivery.deliveryMilliseconds + 1))
    }

    /// Forgets deliveries of seconds before that of an instant.
    mutating func forgetDeliveries(before milliseconds: Int64) {
      let first = firstDelivery(atOrAfter: milliseconds.dividedDown(by: 1000) * 1000)
      if first > 0 { deliveries.removeFirst(first) }
    }

    private func firstDelivery(atOrAfter milliseconds: Int64) -> Int {
      deliveries.partitioningIndex { $0.deliveryMilliseconds >= milliseconds }
    }
  }
}

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
