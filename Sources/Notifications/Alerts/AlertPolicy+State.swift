import FencepostMonitoring

extension AlertPolicy {
  /// What a policy remembers between entries; it can be saved as JSON.
  public struct State: Hashable, Sendable {
    /// The time of each place's last alert by place id; nil if that alert had no time.
    var alerted: [String: Int64?] = [:]
    /// When the speed was last above the limit.
    var drivingMilliseconds: Int64?
    /// The deliveries of the current second and later, sorted by delivery time.
    var deliveries: [Delivery] = []

    struct Delivery: Codable, Hashable, Sendable {
      var enteredMilliseconds: Int64
      var deliveryMilliseconds: Int64
    }

    /// Creates an empty state.
    public init() {}

    /// This state plus the alerts of a later one.
    package func merging(_ later: Self) -> Self {
      var merged = later
      for (id, last) in alerted where merged.alerted[id] == nil { merged.alerted[id] = .some(last) }
      return merged
    }

    /// The time of a place's last alert in milliseconds since 1970; nil if none or without a time.
    package func lastAlertMilliseconds(placeID: String) -> Int64? {
      alerted[placeID] ?? nil
    }

    /// Forgets places whose cooldown has passed, so that the state stays small.
    ///
    /// No later entry may be earlier than `milliseconds`.
    package mutating func forgetElapsed(cooldown: Cooldown, atMilliseconds milliseconds: Int64) {
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
      // An alert without a time must not restart a cooldown.
      if milliseconds == nil, alerted[placeID] != nil { return }
      alerted[placeID] = .some(milliseconds)
    }

    /// The first time with room in its second, whole seconds after `milliseconds`.
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

    func pendingCount(atMilliseconds milliseconds: Int64) -> Int {
      let first = firstDelivery(atOrAfter: milliseconds + 1)
      return deliveries[first...].count { $0.enteredMilliseconds <= milliseconds }
    }

    mutating func insert(_ delivery: Delivery) {
      deliveries.insert(
        delivery, at: firstDelivery(atOrAfter: delivery.deliveryMilliseconds + 1))
    }

    /// Forgets deliveries before the second of `milliseconds`.
    mutating func forgetDeliveries(before milliseconds: Int64) {
      let first = firstDelivery(atOrAfter: milliseconds.dividedDown(by: 1000) * 1000)
      if first > 0 { deliveries.removeFirst(first) }
    }

    private func firstDelivery(atOrAfter milliseconds: Int64) -> Int {
      deliveries.partitioningIndex { $0.deliveryMilliseconds >= milliseconds }
    }
  }
}
