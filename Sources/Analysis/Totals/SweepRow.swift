import FencepostPhones

package struct SweepRow: SummedTracks, Equatable, Sendable {
  package struct Setting: Hashable, Sendable {
    /// The maximum number of places watched at a time; nil for all.
    package var limit: Int?
    /// Whether lookups happen just before an unwatched circle could be entered.
    package var isAdaptive: Bool
    /// The significant change in meters; nil if the rule computes distances itself.
    package var significantChangeMeters: Double?
    /// What distances rank places: `center` or `edge`.
    package var rank: String

    package init(limit: Int?, isAdaptive: Bool, significantChangeMeters: Double?, rank: String) {
      (self.limit, self.isAdaptive, self.rank) = (limit, isAdaptive, rank)
      self.significantChangeMeters = significantChangeMeters
    }
  }

  package var setting: Setting
  package private(set) var tracks = 0
  package var sums = TrackSums()
  package private(set) var recall = RatioSum()
  package private(set) var entryRecall = RatioSum()
  package private(set) var certifiedTracks = 0
  package private(set) var trackDays = 0
  package private(set) var timedAlerts = 0
  /// The share of due alerts that come on the simulated phone, over all trials; 0 of 0 if none is
  /// simulated or it cannot follow the setting.
  package private(set) var simulated = RatioSum()
  /// Whether a phone to simulate wakes the app as often as the setting asks.
  package private(set) var isFollowed = true
  package var isCheapest = false
  /// Whether the phone can watch this many places.
  package var isAllowed = true
  /// Whether no allowed setting beats this one in recall or lookups without losing in the other.
  package var isOnFrontier = false

  /// The number of regions that an iPhone can monitor.
  package static let phoneLimit = 20

  package init(_ setting: Setting) { self.setting = setting }

  package mutating func add(
    _ counts: EntryCounts, refreshes: Int, lengthMillimeters: Int, travelMilliseconds: Int = 0,
    isCertified: Bool = false, alertsByDay: [Int: Int] = [:],
    simulated: (found: Int, all: Int) = (0, 0)
  ) {
    self.simulated.add(found: simulated.found, of: simulated.all)
    if isCertified { certifiedTracks += 1 }
    trackDays += alertsByDay.count
    timedAlerts += alertsByDay.values.reduce(0, +)
    tracks += 1
    sums.lengthMillimeters += lengthMillimeters
    sums.travelMilliseconds += travelMilliseconds
    sums.refreshes += refreshes
    sums.counts += counts
    recall.add(found: counts.foundAlerts, of: counts.oracleAlerts)
    entryRecall.add(found: counts.found, of: counts.entries)
  }

  /// Notes whether a phone can follow the setting: it wakes the app after a distance of its own.
  mutating func canFollow(_ phone: PhoneProfile) {
    guard phone.limits.regions.value != .none else { return }
    isFollowed =
      !setting.isAdaptive
      && setting.significantChangeMeters ?? 0 >= phone.refresh.distanceMeters.value
  }

  package var alertsPerTrack: Double? {
    tracks > 0 ? Double(sums.counts.alerts) / Double(tracks) : nil
  }

  /// Alerts per track and day; nil if the tracks have no times.
  package var alertsPerDay: Double? {
    trackDays > 0 ? Double(timedAlerts) / Double(trackDays) : nil
  }

  /// Whether unwatched circles were always out of reach, so that nothing depended on luck.
  package var isCertified: Bool { tracks > 0 && certifiedTracks == tracks }

  package var losesNothing: Bool { tracks > 0 && sums.counts.late == 0 && sums.counts.missed == 0 }

  /// Marks the allowed settings, and the cheapest of them that loses nothing.
  ///
  /// Settings above `maxLimit` or without a limit are not allowed; if it is nil, all are. The
  /// cheapest has the fewest lookups. Ties go to certified settings, then to the lowest limit, then
  /// to the first row.
  package static func markCheapest(in rows: inout [SweepRow], maxLimit: Int? = phoneLimit) {
    func isAllowed(_ limit: Int?) -> Bool {
      guard let maxLimit else { return true }
      return limit.map { $0 <= maxLimit } ?? false
    }
    for index in rows.indices {
      rows[index].isAllowed = rows[index].isFollowed && isAllowed(rows[index].setting.limit)
    }
    let cheapest = cheapest(of: rows, isAllowed)
    for index in rows.indices { rows[index].isCheapest = index == cheapest }
  }

  /// Marks the allowed settings that no other allowed setting beats.
  ///
  /// One setting beats another if recall is at least as high, lookups are at most as many, and one
  /// of the two is better.
  package static func markFrontier(in rows: inout [SweepRow]) {
    for index in rows.indices {
      guard rows[index].isAllowed, let recall = rows[index].recall.ratio else {
        rows[index].isOnFrontier = false
        continue
      }
      let refreshes = rows[index].refreshes
      rows[index].isOnFrontier = !rows.contains { other in
        guard other.isAllowed, let more = other.recall.ratio else { return false }
        return more >= recall && other.refreshes <= refreshes
          && (more > recall || other.refreshes < refreshes)
      }
    }
  }

  /// Returns the index of the cheapest allowed setting that loses nothing; nil if each loses some.
  package static func cheapest(of rows: [SweepRow], _ isAllowed: (Int?) -> Bool) -> Int? {
    func cost(_ index: Int) -> (Int, Int, Int, Int) {
      let row = rows[index]
      return (row.refreshes, row.isCertified ? 0 : 1, row.setting.limit ?? .max, index)
    }
    return rows.indices
      .filter { rows[$0].losesNothing && rows[$0].isFollowed && isAllowed(rows[$0].setting.limit) }
      .min { cost($0) < cost($1) }
  }
}
