package import FencepostSession
package import FencepostNotifications
package import FencepostPhones

/// What one track brought, or many together, as integers so that sums are exact in any order.
///
/// All members add up, except ``mostCircles``, whose sum is the maximum.
package struct TrackSums: Equatable, Sendable {
  /// Accepted fixes that were followed.
  package var fixes = 0
  /// Accepted fixes outside the period or box of the analysis, not counted in ``fixes``.
  package var fixesOutside = 0
  /// Fixes that were not accepted, whatever the reason.
  package var rejected = 0
  /// Rejected fixes by reason; empty if read from an older analysis.
  package var rejectedByReason: [String: Int] = [:]
  /// The length of the paths in millimeters, without gaps.
  package var lengthMillimeters = 0
  /// The time between joined fixes in milliseconds.
  package var travelMilliseconds = 0
  /// Lookups of the nearest places, including failed ones.
  package var refreshes = 0
  /// Lookups that the store did not answer, after which the watched circles stayed the same.
  package var failedRefreshes = 0
  /// Gaps longer than the longest that is followed.
  package var gaps = 0
  /// Steps faster than the highest speed that is followed.
  package var jumps = 0
  /// The entries and alerts.
  package var counts = EntryCounts()
  /// The number of stories with each verdict.
  package var verdicts = VerdictCounts()
  /// The maximum number of circles that contained the phone at once.
  package var mostCircles = 0
  /// The alerts that were shown in each local hour, from 0 to 23.
  package var alertsByHour = [Int](repeating: 0, count: 24)
  /// The distributions of speed, lateness and duration.
  package var measures = EntryMeasures()
  /// What the stories cost reminders; nil in an analysis of stories alone.
  package var reminders: ReminderCost?

  /// Creates the sums of no track.
  package init() {}
}

/// What is known of one track: its names, its times, and its sums.
///
/// An analysis writes it as a `track` line, which can be read back and merged.
package struct TrackAccount: Equatable, Sendable {
  /// The track's name: its file as the user wrote it.
  package var track: String
  /// The name that the recording gives itself; nil without one.
  package var title: String?
  /// The person who recorded it; nil if the track stands alone.
  package var person: String?
  /// The track's own numbers.
  package var sums = TrackSums()
  /// Notes about the whole track, without a final period; not part of reports.
  package var notices: [String] = []
  /// The earliest accepted time in milliseconds since 1970; nil if there are no times.
  package var firstMilliseconds: Int64?
  /// The latest accepted time in milliseconds since 1970; nil if there are no times.
  package var lastMilliseconds: Int64?
  /// The number of stories with a due alert: they alert if every place is watched.
  package var dueStories = 0
  /// The number of those stories that alert on the phone, at any entry.
  package var foundStories = 0
  /// Whether certainly nothing was missed; nil if the rule cannot tell.
  package var isCertified: Bool?
  /// Alerts by local day, in days since 1970; days with fixes but no alerts have 0.
  package var alertsByDay: [Int: Int] = [:]
  /// The first fix and a box around all fixes.
  package var extent = TrackExtent()
  /// Time-based rules that could not be applied to entries without a time.
  package var rulesWithoutTime: RulesWithoutTime = []
  /// What the path lost at its breaks, and entries that may be drift.
  package var remarks = PathRemarks()

  /// Creates the account of a track that has not been followed.
  package init(track: String) { self.track = track }
}

/// How many entries there were, how many the phone noticed, and how many alerted.
///
/// Every entry is found, late, missed or extra. It alerts, is held back, or neither, if the phone
/// did not notice it.
package struct EntryCounts: Equatable, Sendable {
  /// The entries that there are with every place watched, including those across a gap.
  package var entries = 0
  /// Entries that the phone noticed as they happened.
  package var found = 0
  /// Entries that a later lookup found, with the phone still inside.
  package var late = 0
  /// Entries that the phone never noticed.
  package var missed = 0
  /// The phone's entries that there are not with every place watched; only an exit margin causes them.
  package var extra = 0
  /// The phone's entries that alerted, due or not.
  package var alerts = 0
  /// Alerts shown later because their second was full.
  package var delayed = 0
  /// The phone's entries that the alert rules held back, by reason.
  package var suppressed: [SuppressionReason: Int] = [:]
  /// The entries that alert under the same rules with every place watched.
  package var dueAlerts = 0
  /// The due alerts whose entries also alerted on the phone.
  package var foundAlerts = 0

  /// Creates counts without an entry.
  package init() {}

  /// Adds one entry.
  package mutating func add(_ entry: EntryRecord) {
    switch entry.cause {
    case .found: found += 1
    case .late: late += 1
    case .missed: missed += 1
    case .extra: extra += 1
    }
    if entry.cause != .extra { entries += 1 }
    if entry.isAlert {
      alerts += 1
      if entry.deliveryMilliseconds != nil { delayed += 1 }
    }
    if let reason = entry.suppression { suppressed[reason, default: 0] += 1 }
    if entry.isDue {
      dueAlerts += 1
      if entry.isAlert { foundAlerts += 1 }
    }
  }
}

extension [SuppressionReason: Int] {
  /// The number of entries held back, for any reason.
  package var total: Int { values.reduce(0, +) }

  /// The nonzero counts, in the order in which the alert rules are checked.
  package var nonZero: [(reason: SuppressionReason, count: Int)] {
    SuppressionReason.allCases.compactMap { reason in
      self[reason].flatMap { $0 > 0 ? (reason, $0) : nil }
    }
  }
}

/// Distributions of speed, lateness and duration, as bins that add up exactly in any order.
///
/// Reports show medians and 90th percentiles of them. An entry counts in a distribution only if its
/// times or its speed are known.
package struct EntryMeasures: Equatable, Sendable {
  /// Speed at each alert in m/s, from the receiver or else computed up to the next fix.
  package var alertSpeed = QuantileSketch()
  /// Seconds from each late entry until a lookup found the phone inside.
  package var latenessSeconds = QuantileSketch()
  /// Length of each stay that began with an entry, noticed or not, in seconds.
  package var insideSeconds = QuantileSketch()
  /// Seconds that the phone stayed in the circle after each alert.
  package var dwellSeconds = QuantileSketch()

  /// Creates distributions without an entry.
  package init() {}

  /// Adds what is known of one entry; an unknown speed or time is left out.
  package mutating func add(_ entry: EntryRecord) {
    if entry.isAlert, let speed = entry.speedMetersPerSecond { alertSpeed.add(speed) }
    if entry.cause == .late {
      Self.add(to: &latenessSeconds, from: entry.timeMilliseconds, to: entry.foundMilliseconds)
    }
    if entry.cause != .extra {
      Self.add(to: &insideSeconds, from: entry.enteredMilliseconds, to: entry.leftMilliseconds)
    }
    if entry.isAlert {
      Self.add(to: &dwellSeconds, from: entry.shownMilliseconds, to: entry.leftMilliseconds)
    }
  }

  private static func add(to sketch: inout QuantileSketch, from start: Int64?, to end: Int64?) {
    guard let start, let end else { return }
    sketch.add(Double(max(0, end - start)) / 1000)
  }
}
