/// One setting of a sweep and its numbers over all tracks.
package struct SweepRow: Equatable, Sendable {
  /// A setting of the rule.
  package struct Setting: Hashable, Sendable {
    /// Most places monitored at a time; nil for all.
    package var limit: Int?
    /// Whether refreshes are adaptive: where the path could first meet an unmonitored edge.
    package var isAdaptive: Bool
    /// The significant change in metres; nil if the rule finds it itself.
    package var significantChangeMeters: Double?
    /// The distance that ranks places: `center` or `edge`.
    package var rank: String

    /// Makes a setting of its parts.
    package init(
      limit: Int?, isAdaptive: Bool, significantChangeMeters: Double?, rank: String
    ) {
      self.limit = limit
      self.isAdaptive = isAdaptive
      self.significantChangeMeters = significantChangeMeters
      self.rank = rank
    }
  }

  /// The setting.
  package var setting: Setting
  /// Number of tracks.
  package private(set) var tracks = 0
  /// Length of all paths in millimetres.
  package private(set) var lengthMillimeters = 0
  /// Time between joined fixes in milliseconds.
  package private(set) var travelMilliseconds = 0
  /// Number of refreshes.
  package private(set) var refreshes = 0
  /// The counts of entries.
  package private(set) var counts = EntryCounts()
  /// The recall: alerts of the oracle whose entry also alerted on the device, of all its alerts.
  package private(set) var recall = RatioSum()
  /// Entries that the device noticed as they happened, of all.
  package private(set) var entryRecall = RatioSum()
  /// Number of tracks on which the device was certain that it missed nothing.
  package private(set) var certifiedTracks = 0
  /// Number of local days of all tracks on which there are fixes.
  package private(set) var trackDays = 0
  /// Alerts with a time.
  package private(set) var timedAlerts = 0
  /// Whether this is the cheapest setting of a phone that loses nothing.
  package var isCheapest = false
  /// Whether a phone has as many regions.
  package var isAllowed = true
  /// Whether no other setting that a phone allows has as much recall with fewer refreshes, or more with as few.
  package var isOnFrontier = false

  /// Most places that an iPhone monitors at a time.
  package static let phoneLimit = 20

  /// Makes a row of zero.
  package init(_ setting: Setting) {
    self.setting = setting
  }

  /// Adds a track.
  ///
  /// - Parameters:
  ///   - counts: The counts of its entries.
  ///   - refreshes: Its number of refreshes.
  ///   - lengthMillimeters: Its length.
  ///   - travelMilliseconds: The time between its joined fixes.
  ///   - isCertified: Whether certainly nothing was missed on it.
  ///   - alertsByDay: The alerts of each of its local days.
  package mutating func add(
    _ counts: EntryCounts, refreshes: Int, lengthMillimeters: Int, travelMilliseconds: Int = 0,
    isCertified: Bool = false, alertsByDay: [Int: Int] = [:]
  ) {
    if isCertified { certifiedTracks += 1 }
    trackDays += alertsByDay.count
    timedAlerts += alertsByDay.values.reduce(0, +)
    tracks += 1
    self.lengthMillimeters += lengthMillimeters
    self.travelMilliseconds += travelMilliseconds
    self.refreshes += refreshes
    self.counts += counts
    recall.add(found: counts.foundAlerts, of: counts.oracleAlerts)
    entryRecall.add(found: counts.found, of: counts.entries)
  }

  /// Refreshes a kilometre, which cost battery.
  package var refreshesPerKilometer: Double? {
    lengthMillimeters > 0 ? Double(refreshes) * 1_000_000 / Double(lengthMillimeters) : nil
  }

  /// Alerts a track.
  package var alertsPerTrack: Double? {
    tracks > 0 ? Double(counts.alerts) / Double(tracks) : nil
  }

  /// Alerts an hour of travel; nil without times.
  package var alertsPerHour: Double? {
    travelMilliseconds > 0
      ? Double(counts.alerts) * 3_600_000 / Double(travelMilliseconds) : nil
  }

  /// Alerts a day of a track; nil without times.
  package var alertsPerDay: Double? {
    trackDays > 0 ? Double(timedAlerts) / Double(trackDays) : nil
  }

  /// Whether at no moment of any track an unmonitored circle was within reach: nothing was missed, and not by luck.
  package var isCertified: Bool { tracks > 0 && certifiedTracks == tracks }

  /// Whether every entry was noticed as it happened.
  package var losesNothing: Bool { tracks > 0 && counts.late == 0 && counts.missed == 0 }

  /// Marks the settings that the phone allows and, of those, the cheapest that loses nothing: fewest refreshes, then
  /// certified before lucky, then the lowest limit, then the first.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - maxLimit: Most places that the phone monitors at a time; it allows no setting with more, nor one without
  ///     a limit. If nil, it allows all.
  package static func markCheapest(in rows: inout [SweepRow], maxLimit: Int? = phoneLimit) {
    func isAllowed(_ limit: Int?) -> Bool {
      guard let maxLimit else { return true }
      return limit.map { $0 <= maxLimit } ?? false
    }
    for index in rows.indices { rows[index].isAllowed = isAllowed(rows[index].setting.limit) }
    let cheapest = cheapest(of: rows, isAllowed)
    for index in rows.indices { rows[index].isCheapest = index == cheapest }
  }

  /// Marks the settings that a phone allows and that no other such setting beats: with at least as much recall and at
  /// most as many refreshes, and better in one of the two.
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

  /// The cheapest of the settings that lose nothing, among some limits.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - isAllowed: Whether a limit is allowed.
  /// - Returns: Its index; nil if all lose something.
  package static func cheapest(of rows: [SweepRow], _ isAllowed: (Int?) -> Bool) -> Int? {
    func cost(_ index: Int) -> (Int, Int, Int, Int) {
      let row = rows[index]
      return (row.refreshes, row.isCertified ? 0 : 1, row.setting.limit ?? .max, index)
    }
    return rows.indices.filter { rows[$0].losesNothing && isAllowed(rows[$0].setting.limit) }
      .min { cost($0) < cost($1) }
  }
}
