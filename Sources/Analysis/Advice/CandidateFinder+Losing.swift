import Fencepost
import FencepostMonitoring
import FencepostNotifications

// Proposes changes that lose alerts on days that have too many.
extension CandidateFinder {
  /// Fewer watched circles to try.
  private static let limits = [15, 10, 5]
  /// Longer significant changes to try, in meters.
  private static let distancesMeters = [1000.0, 2000, 5000]

  /// The changes that can bring a crowded day nearer to its maximum, the most promising ones.
  ///
  /// Circles become smaller than a walk that they caught, stories go, the hours in which alerts came
  /// become quiet, and lookups become rarer or keep fewer circles. What a change's alerts
  /// count and how many came on crowded days decides only which changes are tried.
  var losing: [AdviceChange] {
    guard let most = options.mostAfterwards else { return [] }
    let crowd = CrowdedDays(stand, most: most, zone: options.zone)
    var changes: [AdviceChange] = []
    for place in crowd.stories.compactMap({ stand.trial.places.place(withID: $0) }) {
      if options.kinds.contains(.radius) {
        // Circles that leave out a walk which the story's circle caught.
        let caught = stand.approaches[place.id].map(\.distanceMeters)
          .filter { $0 <= place.radiusMeters }
        changes += self.changes(of: place, toRadii: Set(caught.map(radius(beneath:))))
      }
      if options.kinds.contains(.drop) { changes.append(.init(.drop, [place])) }
    }
    if options.kinds.contains(.hours) { changes += longerHours(crowd) }
    let promising = changes.enumerated().map { number, change in
      let alerts = crowd.alerts(concernedBy: change)
      let cost = alerts.reduce(0) { $0 + options.weight(of: $1.id) }
      return (
        number: number, change: change, crowded: alerts.count(where: \.isCrowded), cost: cost
      )
    }
    .sorted { one, other in
      let (left, right) = (one.crowded * other.cost, other.crowded * one.cost)
      return left == right ? one.number < other.number : left > right
    }
    return (options.kinds.contains(.rule) ? rarerRules : [])
      + promising.prefix(AdviceOptions.mostTriedForLosing).map(\.change)
  }

  private var rarerRules: [AdviceChange] {
    let rule = stand.rule
    guard let limit = rule.limit else { return [] }
    var rules = Self.limits.filter { $0 < limit }.map { rule.with(\.limit, $0) }
    if rule.refresh == .fixed {
      rules += Self.distancesMeters.filter { $0 > rule.significantChangeMeters }
        .map { rule.with(\.significantChangeMeters, $0) }
    }
    return rules.map { AdviceChange(.rule, rule: $0) }
  }
}

// Proposes other quiet hours.
extension CandidateFinder {
  /// Shorter quiet hours begin and end at multiples of this.
  private static let stepSeconds = 900
  /// Longer quiet hours leave at least this many hours of a day for alerts.
  private static let leastHoursAwake = 10

  /// Quiet hours that start later or end earlier, to admit an entry that they held back.
  ///
  /// The night from 22:00 to 07:00 stays as quiet as it was.
  var shorterHours: [AdviceChange] {
    guard let quiet = stand.trial.options.alerts.quietHours else { return [] }
    let steps = Set(
      StoryHappenings(stand).quietTimes.map {
        quiet.zone.secondOfDay(atMilliseconds: $0) / Self.stepSeconds * Self.stepSeconds
      })
    let (start, end) = (quiet.start.secondOfDay, quiet.end.secondOfDay)
    let hours = steps.flatMap { step in [(start, step), (step + Self.stepSeconds, end)] }
    let night = Self.minutes(22 * 60, to: 7 * 60)
    let (before, kept) = (minutes(of: quiet), minutes(of: quiet).intersection(night))
    return changes(to: hours, quiet.zone) {
      $0.isStrictSubset(of: before) && $0.isSuperset(of: kept)
    }
  }

  /// Quiet hours in whole hours that hold back alerts of crowded days.
  func longerHours(_ crowd: CrowdedDays) -> [AdviceChange] {
    let quiet = stand.trial.options.alerts.quietHours
    let zone = quiet?.zone ?? options.zone
    let hours = Set(
      crowd.alerts.filter(\.isCrowded).compactMap(\.milliseconds).map {
        zone.secondOfDay(atMilliseconds: $0) / 3600
      })
    let (starts, ends) = (hours.map { $0 * 3600 }, hours.map { ($0 + 1) * 3600 })
    let pairs =
      quiet.map { quiet in
        starts.map { ($0, quiet.end.secondOfDay) } + ends.map { (quiet.start.secondOfDay, $0) }
      } ?? starts.flatMap { start in ends.map { (start, $0) } }
    let before = quiet.map { minutes(of: $0) } ?? []
    return changes(to: pairs, zone) {
      $0.isStrictSuperset(of: before) && $0.count <= (24 - Self.leastHoursAwake) * 60
    }
  }

  /// The allowed quiet hours among those from one second of the day to another.
  private func changes(
    to spans: [(start: Int, end: Int)], _ zone: ClockZone, where isAllowed: (Set<Int>) -> Bool
  ) -> [AdviceChange] {
    let hours = spans.compactMap { start, end -> QuietHours? in
      guard let start = TimeOfDay(secondOfDay: start % 86_400),
        let end = TimeOfDay(secondOfDay: end % 86_400)
      else { return nil }
      return QuietHours(start: start, end: end, zone: zone)
    }
    return Set(hours).filter { isAllowed(minutes(of: $0)) }
      .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
      .map { AdviceChange(.hours, quietHours: $0) }
  }

  /// The quiet minutes of a day, including those that are quiet only in part.
  private func minutes(of hours: QuietHours) -> Set<Int> {
    Self.minutes(hours.start.secondOfDay / 60, to: (hours.end.secondOfDay + 59) / 60)
  }

  private static func minutes(_ start: Int, to end: Int) -> Set<Int> {
    Set(start..<(end > start ? end : end + 24 * 60)).reduce(into: []) { $0.insert($1 % (24 * 60)) }
  }
}
