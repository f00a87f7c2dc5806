import FencepostGeodesy
package import FencepostMonitoring
import FencepostNotifications

/// Counts the entries that a session missed by following the same path with every place watched.
///
/// The second run begins once there are too many places.
struct MissCounter {
  private(set) var counts = MissCounts()
  /// The misses on the way to the last fixes; empty unless ``wantsMisses`` is true.
  var misses: [Miss] = []

  private let wantsMisses: Bool
  private let options: MonitoringOptions
  private let slots: Int
  private let source: any PlaceSource
  private var run: PathRun?
  private var comparison: Comparison
  /// The unnoticed entries on the way to the current fix.
  private var fresh: [Crossing] = []
  /// Whether the session was restored, so that the second run must begin at its last fix.
  private var isResumed = false

  /// Starts a path, or returns nil if there is no limit and so no miss.
  ///
  /// With `wantsMisses`, it keeps each miss and the reason for it.
  init?(
    _ options: MonitoringOptions, alertsOn: AlertTrigger, source: any PlaceSource, wantsMisses: Bool
  ) {
    guard let slots = options.slots else { return nil }
    (self.options, self.slots, self.source) = (options, slots, source)
    self.wantsMisses = wantsMisses
    comparison = Comparison(options, alertsOn: alertsOn)
  }

  /// Follows the next vertices of the path, after the vertex `last`.
  ///
  /// `noticed` holds the session's steps on the way to the last vertex. Earlier ones have none.
  mutating func follow(
    _ points: ArraySlice<PathPoint>, noticed: [PathRun.Step], after last: PathPoint?
  ) {
    if isResumed {
      isResumed = false
      if let last, isOverfull { begin(at: last) }
    }
    guard run != nil else {
      let fillsSlots = noticed.contains { step in
        guard case .refresh(let refresh) = step else { return false }
        return !refresh.hasFailed && refresh.monitoredCount >= slots
      }
      if fillsSlots, let last = points.last, isOverfull { begin(at: last) }
      return
    }
    var rest = points
    while !rest.isEmpty {
      // In place, because a copy of the run costs more than a step of it.
      rest = rest.dropFirst(run?.follow(rest, from: source) ?? rest.count)
      let steps = rest.isEmpty ? noticed : []
      if run?.hasFound == true || !steps.isEmpty { compare(with: steps) }
    }
  }

  /// Looks up the places again, for example after the store was edited.
  mutating func refresh() {
    run?.refresh(from: source)
    comparison.forget()
  }

  /// Starts at a vertex; a circle that contains it does not count as entered.
  private mutating func begin(at point: PathPoint) {
    var run = PathRun(options.withoutLimit, alertsOn: comparison.alertsOn)
    _ = run.follow([point], from: source)
    self.run = run
  }

  private var isOverfull: Bool {
    // A failing store is reported by the session's lookup.
    ((try? source.placeCount) ?? 0) > slots
  }

  // MARK: Comparing

  private mutating func compare(with noticed: [PathRun.Step]) {
    let happened = run?.steps(from: source, asks: { _ in false }).compactMap { $0.notice } ?? []
    let fix = run?.engine.fixCount ?? 0
    for (meaning, step) in comparison.compare(noticed, with: happened, at: fix) {
      note(meaning, step.notice?.crossing)
    }
    for entry in fresh { report(entry) }
    fresh.removeAll(keepingCapacity: true)
  }

  private mutating func note(_ meaning: Comparison.Meaning, _ crossing: Crossing?) {
    switch meaning {
    case .due:
      if let crossing { fresh.append(crossing) }
      counts.missed += 1
    case .found:
      counts.missed -= 1
      fresh.removeAll { $0.key == crossing?.key && $0.fraction == crossing?.fraction }
    case .late, .foundInside:
      counts.missed -= 1
      counts.foundLate += 1
    case .extra, .other, .refresh: break
    }
  }

  // MARK: Reasons

  private mutating func report(_ entry: Crossing) {
    guard wantsMisses, let place = try? source.place(forKey: entry.key) else { return }
    let isNear = regions(options.nearestQuestion(count: slots), at: entry)
      .contains { $0.key == entry.key }
    misses.append(
      Miss(
        title: place.title.isEmpty ? place.id : place.title,
        timeMilliseconds: entry.crossedMilliseconds ?? entry.timeMilliseconds,
        reason: isNear ? .lookedUpTooLate : .nearerPlaces(slots),
        isAvoidedByAdaptive: options.refresh == .fixed && !isCrowd(at: entry)))
  }

  /// Whether more edges meet here than can be watched, so that even adaptive refresh misses some.
  private func isCrowd(at entry: Crossing) -> Bool {
    let here = Position(entry.coordinate)
    // Adaptive refresh cannot tell edges apart that are closer together than this.
    let sameMeters = 0.1
    return regions(.nearest(count: slots + 1, rank: .edge(exitMarginMeters: 0)), at: entry).count {
      abs($0.circle.distanceMeters(from: here) - $0.circle.radiusMeters) < sameMeters
    } > slots
  }

  private func regions(_ question: CandidateRequest.Question, at entry: Crossing) -> [Region] {
    guard
      case .found(let regions) = source.answer(
        CandidateRequest(question: question, coordinate: entry.coordinate))
    else { return [] }
    return regions
  }
}

extension Int64 {
  /// Whether this is the key of a reminder's circle, far below those of places, which start at 1.
  var isReminderCircle: Bool { self < Int64.min / 2 }
}

// MARK: - Saving

extension MissCounter {
  /// The counts so far, and what the second run needs to go on.
  struct Snapshot: Codable, Sendable {
    var counts: MissCounts
    /// The keys of the circles that the device is in unnoticed.
    var unnoticed: [Int64]
    /// Nil if all sides follow from the last fix, or if the second run has not started.
    var engine: Engine.Snapshot?
  }

  var snapshot: Snapshot {
    // Without these rules, all sides follow from the last fix.
    let hasMemory =
      options.exitMarginMeters > 0 || options.confirmation.isNeeded
      || options.confirmation.dwellMilliseconds != nil || options.accuracy != .ignore
    return Snapshot(
      counts: counts, unnoticed: comparison.unnoticed,
      engine: hasMemory ? run?.engine.snapshot : nil)
  }

  /// Continues after a restart; `snapshot` is nil if an older version saved the session.
  mutating func restore(_ snapshot: Snapshot?) {
    isResumed = true
    guard let snapshot else { return }
    counts = snapshot.counts
    comparison = Comparison(
      options, alertsOn: comparison.alertsOn, unnoticed: snapshot.unnoticed)
    run = snapshot.engine.flatMap {
      PathRun(options.withoutLimit, alertsOn: comparison.alertsOn, continuing: $0)
    }
    if run != nil { isResumed = false }
  }
}

/// An entry into a circle that was not being watched.
///
/// With every circle watched, it would have been noticed.
public struct Miss: Sendable {
  /// The reason a circle was not watched.
  ///
  /// Messages tell by it whether more slots would help or earlier lookups.
  public enum Reason: Hashable, Sendable {
    /// All slots were taken by this many nearer places.
    case nearerPlaces(Int)
    /// The circle was near enough, but the last lookup was too far back.
    case lookedUpTooLate
  }

  /// The title of the place, or its id if it has no title.
  public var title: String
  /// The time of the entry in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var timeMilliseconds: Int64?
  /// The reason the circle was not watched.
  public var reason: Reason
  /// Whether adaptive refresh would have watched it.
  public var isAvoidedByAdaptive: Bool
}

/// The number of entries that were missed or late because of the limit on watched circles.
///
/// Both are 0 on a phone that misses nothing.
public struct MissCounts: Codable, Equatable, Sendable {
  /// Entries that were never noticed.
  public var missed = 0
  /// Entries noticed only at a later lookup, with the device already inside.
  public var foundLate = 0

  /// Creates counts of 0.
  package init() {}

  /// The number of entries that were not noticed where they happened.
  package var total: Int { missed + foundLate }

  /// Adds the counts of another track.
  package static func += (counts: inout MissCounts, other: MissCounts) {
    counts.missed += other.missed
    counts.foundLate += other.foundLate
  }
}

extension MonitoringOptions {
  /// The same rule with every place monitored.
  ///
  /// What only limits or delays lookups does not apply either.
  package var withoutLimit: MonitoringOptions {
    var options = self
    options.limit = nil
    options.hasTripwire = false
    options.refreshFloorMeters = 0
    options.minIntervalMilliseconds = 0
    return options
  }
}

extension Miss {
  /// The miss as one sentence without a period: the circle, the reason and the remedy.
  package func sentence(at time: String?) -> String {
    let why =
      switch reason {
      case .nearerPlaces(let count):
        "the phone was watching \(count) nearer \(count == 1 ? "story" : "stories")"
      case .lookedUpTooLate: "the phone looked up the nearest stories too late"
      }
    let cure = isAvoidedByAdaptive ? "--refresh adaptive or --limit none" : "--limit none"
    return
      "missed the entry into \(title)\(time.map { " at \($0)" } ?? ""): \(why). To miss none: \(cure)"
  }
}

extension MissCounts {
  /// All misses as one sentence with the remedy; nil if nothing was missed.
  package func sentence(under options: MonitoringOptions) -> String? {
    guard total > 0, let limit = options.slots else { return nil }
    func entries(_ count: Int) -> String { count == 1 ? "1 entry was" : "\(count) entries were" }
    let what =
      foundLate == 0
      ? "\(entries(missed)) missed"
      : missed == 0
        ? "\(entries(foundLate)) late"
        : "\(entries(missed)) missed and \(foundLate) \(foundLate == 1 ? "was" : "were") late"
    let circles = limit == 1 ? "1 circle was" : "\(limit) circles were"
    let cure = options.refresh == .fixed ? "--refresh adaptive or --limit none" : "--limit none"
    return "\(what) because only \(circles) watched. To miss none: \(cure)."
  }
}
