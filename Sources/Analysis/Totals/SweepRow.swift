/// One setting of a sweep and its numbers over all tracks.
public struct SweepRow: Equatable, Sendable {
  /// A setting of the rule.
  public struct Setting: Hashable, Sendable {
    /// Most places monitored at a time; nil for all.
    public var limit: Int?
    /// Whether refreshes are adaptive: where the path could first meet an unmonitored edge.
    public var isAdaptive: Bool
    /// The significant change in metres; nil if the rule finds it itself.
    public var significantChangeMeters: Double?
    /// The distance that ranks places: `center` or `edge`.
    public var rank: String

    /// Makes a setting of its parts.
    public init(
      limit: Int?, isAdaptive: Bool, significantChangeMeters: Double?, rank: String
    ) {
      self.limit = limit
      self.isAdaptive = isAdaptive
      self.significantChangeMeters = significantChangeMeters
      self.rank = rank
    }
  }

  /// The setting.
  public var setting: Setting
  /// Number of tracks.
  public private(set) var tracks = 0
  /// Length of all paths in millimetres.
  public private(set) var lengthMillimeters = 0
  /// Number of refreshes.
  public private(set) var refreshes = 0
  /// The counts of entries.
  public private(set) var counts = EntryCounts()
  /// The recall: alerts of the oracle whose entry also alerted on the device, of all its alerts.
  public private(set) var recall = RatioSum()
  /// Entries that the device noticed as they happened, of all.
  public private(set) var entryRecall = RatioSum()
  /// Whether this is the cheapest setting that loses nothing.
  public var isCheapest = false
  /// Whether a phone has as many regions.
  public var isAllowed = true

  /// Makes a row of zero.
  public init(_ setting: Setting) {
    self.setting = setting
  }

  /// Adds a track.
  public mutating func add(_ counts: EntryCounts, refreshes: Int, lengthMillimeters: Int) {
    tracks += 1
    self.lengthMillimeters += lengthMillimeters
    self.refreshes += refreshes
    self.counts += counts
    recall.add(found: counts.foundAlerts, of: counts.oracleAlerts)
    entryRecall.add(found: counts.found, of: counts.entries)
  }

  /// Refreshes a kilometre, which cost battery.
  public var refreshesPerKilometer: Double? {
    lengthMillimeters > 0 ? Double(refreshes) * 1_000_000 / Double(lengthMillimeters) : nil
  }

  /// Alerts a track.
  public var alertsPerTrack: Double? {
    tracks > 0 ? Double(counts.alerts) / Double(tracks) : nil
  }

  /// Whether every entry was noticed as it happened.
  public var losesNothing: Bool { tracks > 0 && counts.late == 0 && counts.missed == 0 }

  /// Marks the settings that need no more regions than a phone has.
  public static func markAllowed(in rows: inout [SweepRow], most regions: Int) {
    for index in rows.indices {
      rows[index].isAllowed = rows[index].setting.limit.map { $0 <= regions } ?? false
    }
  }

  /// Marks the cheapest of the allowed settings that lose nothing: fewest refreshes, then the lowest
  /// limit, then the first.
  ///
  /// No phone monitors every place, so a nil limit is marked only if every other setting loses something.
  public static func markCheapest(in rows: inout [SweepRow]) {
    let all = rows.indices.filter { rows[$0].losesNothing && rows[$0].isAllowed }
    let limited = all.filter { rows[$0].setting.limit != nil }
    let candidates = limited.isEmpty ? all : limited
    let cheapest = candidates.min {
      (rows[$0].refreshes, rows[$0].setting.limit ?? .max, $0)
        < (rows[$1].refreshes, rows[$1].setting.limit ?? .max, $1)
    }
    for index in rows.indices { rows[index].isCheapest = index == cheapest }
  }
}
