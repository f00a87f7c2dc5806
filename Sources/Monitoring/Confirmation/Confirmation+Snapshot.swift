import FencepostGeodesy

extension Engine.Snapshot {
  /// What waits behind the crossing, in a form that can be saved.
  struct Confirmation: Codable, Hashable, Sendable {
    struct Pending: Codable, Hashable, Sendable {
      var isEnter: Bool
      var crossedMilliseconds: Int64?
      var isAcrossBreak: Bool
      var foundFix: Int
      var isDwellDue: Bool
    }

    struct Stay: Codable, Hashable, Sendable {
      var crossedMilliseconds: Int64
      var isAcrossBreak: Bool
    }

    /// The regions, without sides, and for each what waits there.
    var regions: Regions
    var pending: [Pending?]
    var stays: [Stay?]
    var lacksTimes: Bool

    /// Nil if nothing waits and there is nothing to remember.
    init?(_ stage: FencepostMonitoring.Confirmation) {
      guard !stage.isIdle || stage.lacksTimes else { return nil }
      regions = Regions(stage.regions, isInside: [])
      pending = stage.visits.map { $0.pending.map(Pending.init) }
      stays = stage.visits.map { $0.stay.map(Stay.init) }
      lacksTimes = stage.lacksTimes
    }

    /// The visits; nil if the arrays contradict each other.
    var visits: [FencepostMonitoring.Confirmation.Visit]? {
      guard let regions = regions.regions, pending.count == regions.count,
        stays.count == regions.count,
        zip(regions, regions.dropFirst()).allSatisfy({ $0.key < $1.key })
      else { return nil }
      return regions.indices.map {
        .init(
          key: regions[$0].key, circle: regions[$0].circle, pending: pending[$0]?.value,
          stay: stays[$0]?.value)
      }
    }
  }
}

extension Engine.Snapshot.Confirmation.Pending {
  init(_ pending: Confirmation.Pending) {
    isEnter = pending.isEnter
    crossedMilliseconds = pending.crossedMilliseconds
    isAcrossBreak = pending.isAcrossBreak
    foundFix = pending.foundFix
    isDwellDue = pending.isDwellDue
  }

  var value: Confirmation.Pending {
    .init(
      isEnter: isEnter, crossedMilliseconds: crossedMilliseconds, isAcrossBreak: isAcrossBreak,
      foundFix: foundFix, isDwellDue: isDwellDue)
  }
}

extension Engine.Snapshot.Confirmation.Stay {
  init(_ stay: Confirmation.Stay) {
    crossedMilliseconds = stay.crossedMilliseconds
    isAcrossBreak = stay.isAcrossBreak
  }

  var value: Confirmation.Stay {
    .init(crossedMilliseconds: crossedMilliseconds, isAcrossBreak: isAcrossBreak)
  }
}
