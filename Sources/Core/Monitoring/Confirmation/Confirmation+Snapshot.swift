import FencepostGeodesy

extension Engine.Snapshot {
  /// Unconfirmed crossings and stays, in a form that can be saved.
  struct Unconfirmed: Codable, Hashable, Sendable {
    /// The regions, without sides; the arrays below hold what is pending for each.
    var regions: Regions
    var pending: [Confirmation.Pending?]
    var stays: [Confirmation.Stay?]
    var lacksTimes: Bool

    init?(_ confirmation: Confirmation) {
      guard !confirmation.isIdle || confirmation.lacksTimes else { return nil }
      regions = Regions(confirmation.regions, isInside: [])
      pending = confirmation.visits.map { $0.pending }
      stays = confirmation.visits.map { $0.stay }
      lacksTimes = confirmation.lacksTimes
    }

    /// Nil if the arrays contradict each other.
    var visits: [Confirmation.Visit]? {
      guard let regions = regions.regions, pending.count == regions.count,
        stays.count == regions.count,
        zip(regions, regions.dropFirst()).allSatisfy({ $0.key < $1.key })
      else { return nil }
      return regions.indices.map {
        .init(
          key: regions[$0].key, circle: regions[$0].circle, pending: pending[$0],
          stay: stays[$0])
      }
    }
  }
}
