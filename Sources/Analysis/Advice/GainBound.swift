import Fencepost
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// An upper bound for the weighted alerts that a change to stories can gain on the phone.
///
/// The gain is not submodular: dropping two stories may let in one that dropping either does not.
/// The gains of earlier rounds are therefore no bounds, and only this proof allows a change to be
/// skipped.
/// For one person, and the rules that ``isProved(for:)`` accepts:
///
/// - The phone reports no entry that the oracle does not have. A changed story therefore gains at
///   most the alerts that its cool-down allows, and none if no path enters its circle while the
///   circle is watched (see `WatchedApproach`).
/// - The circles of other stories stay the same. Each gains at most its number of entries, capped
///   by the cool-down, minus the alerts it already has. This is its room.
/// - Other stories gain only if they become watched, or if the alert policy decides differently
///   about them. It does so only for stories at the same spot.
/// - If lookups are fixed and rank by center, they happen at the same points, and a new radius does
///   not change what is watched. A story that drops out of a lookup lets in one other until the
///   next lookup.
struct GainBound {
  private let stand: AdviceStand
  private let persons: [PersonTracks]
  private let isProved: Bool
  /// The most alerts one story can give, by person.
  private let mostAlerts: [Int]
  /// Each story's weighted room by id, by person; stories without room are left out.
  private let rooms: [[String: Int]]
  private let options: AdviceOptions

  init(_ stand: AdviceStand, persons: [PersonTracks], mostAlerts: [Int], _ options: AdviceOptions) {
    (self.stand, self.options) = (stand, options)
    (self.persons, self.mostAlerts) = (persons, mostAlerts)
    isProved = Self.isProved(for: stand.trial.options)
    rooms = zip(stand.runs, mostAlerts).map { run, most in
      var rooms: [String: Int] = [:]
      for (id, story) in run.stories {
        let room = (min(most, story.entries) - story.alerts) * options.weight(of: id)
        if room > 0 { rooms[id] = room }
      }
      return rooms
    }
  }

  /// Returns whether each crossing depends only on the two fixes around it.
  static func isPlain(_ rule: MonitoringOptions) -> Bool {
    !rule.confirmation.isNeeded && rule.test == .path && rule.exitMarginMeters == 0
      && !rule.trustsAccuracy
  }

  static func isProved(for options: TrackSession.Options) -> Bool {
    isPlain(options.monitoring) && options.monitoring.initial == .silent
      && options.alertsOn == .enter && options.alerts.pendingSlots == nil
      && options.alerts.maxAlertSpeedMetersPerSecond == nil
  }

  /// Returns a number of alerts that the change cannot exceed; `Int.max` if nothing is proved.
  func mostGain(of change: AdviceChange) -> Int {
    guard isProved, !change.isForAll else { return .max }
    let circles = AdviceStand.circles(of: change)
    var most = 0
    let radius = max(change.before[0].radiusMeters, change.after?.radiusMeters ?? 0)
    for number in persons.indices {
      // A radius that does not change what is watched matters only to paths nearby.
      if keepsSets(change),
        stand.approaches.leastMeters(of: number, from: change.before[0].id) - 0.01 > radius
      {
        continue
      }
      guard stand.runs[number].maySee(circles, on: persons[number], rule: stand.rule) else {
        continue
      }
      most += own(change, number) + others(change, number)
    }
    return most
  }

  /// Returns the bound plus alerts that the rule does not count; `Int.max` if nothing is proved.
  func mostGain(of change: AdviceChange, besides others: Int) -> Int {
    let (most, overflows) = mostGain(of: change).addingReportingOverflow(others)
    return overflows ? .max : most
  }

  /// Returns whether the change certainly leaves all other watched stories the same.
  private func keepsSets(_ change: AdviceChange) -> Bool {
    stand.rule.limit == nil || change.kind == .dates
      || (change.kind == .radius && stand.rule.refresh == .fixed && stand.rule.rank == .center)
  }

  /// Returns a lower bound for the distance from a person's path to a story after the change.
  private func leastMeters(_ number: Int, _ place: Place, _ change: AdviceChange) -> Double {
    let old = change.before.first { $0.id == place.id }
    let moved = old.map { $0.coordinate.distanceMeters(to: place.coordinate) } ?? 0
    return stand.approaches.leastMeters(of: number, from: place.id) - moved - 0.01
  }

  private func own(_ change: AdviceChange, _ number: Int) -> Int {
    let now = change.before.reduce(0) {
      $0 + (stand.runs[number].stories[$1.id]?.alerts ?? 0) * options.weight(of: $1.id)
    }
    guard let after = change.after, leastMeters(number, after, change) <= after.radiusMeters,
      isWatched(number, after, change)
    else { return -now }
    return mostAlerts[number] * options.weight(of: after.id) - now
  }

  /// Returns whether the path may enter the circle while it is watched.
  private func isWatched(_ number: Int, _ after: Place, _ change: AdviceChange) -> Bool {
    guard stand.rule.limit != nil, stand.rule.refresh == .fixed, stand.rule.rank == .center else {
      return true
    }
    let approach = WatchedApproach(run: stand.runs[number], person: persons[number])
    return approach.leastMeters(from: after, before: change.before) <= after.radiusMeters
  }

  private func others(_ change: AdviceChange, _ number: Int) -> Int {
    let changed = Set(change.before.map(\.id))
    let room = rooms[number].reduce(0) { changed.contains($1.key) ? $0 : $0 + $1.value }
    guard room > 0 else { return 0 }
    guard !keepsSets(change) else { return roomAtSpots(of: changed, number) }
    guard stand.rule.refresh == .fixed, stand.rule.rank == .center else { return room }
    let freed = freed(by: change, number)
    let most = mostAlerts[number] * (options.purpose?.greatestWeight ?? 1)
    return min(room, freed * min(most, room) + roomAtSpots(of: changed, number))
  }

  /// Returns the room of the stories that share a spot with the changed ones.
  private func roomAtSpots(of changed: Set<String>, _ number: Int) -> Int {
    let spots = Set(changed.compactMap { stand.spots[$0] })
    guard !spots.isEmpty else { return 0 }
    return rooms[number].reduce(0) { sum, room in
      guard !changed.contains(room.key), let spot = stand.spots[room.key], spots.contains(spot)
      else { return sum }
      return sum + room.value
    }
  }

  /// Returns how often a slot may become free for another story, over all of a person's lookups.
  private func freed(by change: AdviceChange, _ number: Int) -> Int {
    var freed = 0
    for renewal in stand.runs[number].tracks.lazy.flatMap(\.run.renewals) {
      guard renewal.influenceMeters.isFinite else { continue }
      func isNear(_ place: Place, _ slack: Double) -> Bool {
        place.coordinate.distanceMeters(to: renewal.coordinate)
          <= renewal.influenceMeters + slack
      }
      let now = change.before.count { isNear($0, 0.01) }
      let then = change.after.map { isNear($0, -0.01) ? 1 : 0 } ?? 0
      freed += max(0, now - then)
    }
    return freed
  }
}

/// How near a path comes to a story while its circle is watched.
///
/// Applies to fixed lookups that rank by center. A story can be watched after a lookup only if its
/// center, before or after the change, is no farther than the last watched place.
struct WatchedApproach {
  /// Exceeds any rounding error in a distance, in meters.
  private static let slackMeters = 0.01

  let run: PersonRun
  let person: PersonTracks

  /// Returns a lower bound, in meters, for the distance from the story to the watched paths.
  ///
  /// Infinite if the story is watched neither before nor after the change.
  func leastMeters(from place: Place, before: [Place]) -> Double {
    let center = Position(place.coordinate)
    var least = Double.infinity
    for (kept, track) in zip(run.tracks, person.tracks) {
      let renewals = kept.run.renewals
      for (number, renewal) in renewals.enumerated() {
        let isWatched = (before + [place]).contains {
          $0.coordinate.distanceMeters(to: renewal.coordinate)
            <= renewal.influenceMeters + Self.slackMeters
        }
        guard isWatched else { continue }
        let end = number + 1 < renewals.count ? renewals[number + 1].fix : track.fixes.count - 1
        guard renewal.fix <= end else { continue }
        least = min(least, Self.leastMeters(from: center, of: track, renewal.fix...end))
      }
    }
    return least - Self.slackMeters
  }

  /// Returns a lower bound for the distance between a point and part of a track.
  ///
  /// If two fixes are a and b meters from the center and c meters apart, the triangle inequality keeps
  /// every point between them at least (a + b − c) / 2 meters away from the center.
  private static func leastMeters(
    from center: Position, of track: RecordedTrack, _ range: ClosedRange<Int>
  ) -> Double {
    var last = Position(track.fixes[range.lowerBound].coordinate)
    var lastMeters = Geodesic.distanceMeters(center, last)
    var least = lastMeters
    for fix in track.fixes[range].dropFirst() {
      let position = Position(fix.coordinate)
      let meters = Geodesic.distanceMeters(center, position)
      let way = Geodesic.distanceMeters(last, position)
      least = min(least, (lastMeters + meters - way) / 2)
      (last, lastMeters) = (position, meters)
    }
    return least
  }
}

/// An upper bound for what any allowed changes can reach, to state how good advice is.
///
/// For one person and one story, and the rules that `GainBound.isProved(for:)` accepts:
///
/// - A story whose circle and dates stay alerts at most once for each of its entries, at most as
///   often as its cooldown allows, and where that is once, only if it alerts with every place
///   watched. If no change can free a slot, it alerts no more often than now.
/// - A story that changes alerts at most as often as its cooldown allows, and never if the path
///   stays out of reach of its largest circle at its nearest position.
///
/// A change alters one story, or else none of these bounds. So a number of changes reaches at most
/// the sum of the first bounds, and the differences to the second ones of as many stories.
struct BestPossible {
  private let stand: AdviceStand
  private let persons: [PersonTracks]
  private let mostAlerts: [Int]
  private let options: AdviceOptions
  private let spots: [Int: [Place]]

  init(_ stand: AdviceStand, persons: [PersonTracks], mostAlerts: [Int], _ options: AdviceOptions) {
    (self.stand, self.persons) = (stand, persons)
    (self.mostAlerts, self.options) = (mostAlerts, options)
    let places = stand.trial.places.places.filter { stand.spots[$0.id] != nil }
    spots = Dictionary(grouping: places) { stand.spots[$0.id] ?? 0 }
  }

  /// The bound, weighted for the purpose; nil if nothing is proved.
  var points: Int? {
    guard options.mostAfterwards == nil, GainBound.isProved(for: stand.trial.options) else {
      return nil
    }
    var (sum, differences) = (0, [Int]())
    for place in stand.trial.places.places {
      let weight = options.weight(of: place.id)
      guard weight > 0 else { continue }
      var difference = 0
      for number in persons.indices {
        let kept = keptAlerts(of: place, number)
        let changed = max(kept, changedAlerts(of: place, number))
        // Without a cooldown that bounds it, a larger circle may be entered any number of times.
        guard changed < PersonTracks.unbounded else { return nil }
        sum += weight * kept
        difference += weight * (changed - kept)
      }
      if difference > 0 { differences.append(difference) }
    }
    return sum + differences.sorted(by: >).prefix(options.mostChanges).reduce(0, +)
  }

  /// The most alerts of a story that stays as it is.
  private func keptAlerts(of place: Place, _ number: Int) -> Int {
    guard let story = stand.runs[number].stories[place.id] else { return 0 }
    let most = min(mostAlerts[number], story.entries)
    if options.chance != nil || options.kinds.contains(.hours) || stand.spots[place.id] != nil {
      return most
    }
    guard mayFreeSlots else { return story.alerts }
    return mostAlerts[number] == 1 ? story.oracleAlerts : most
  }

  /// The most alerts of a story after any changes of it.
  private func changedAlerts(of place: Place, _ number: Int) -> Int {
    let kinds = options.kinds
    if !kinds.isDisjoint(with: [.radius, .position, .merge]) {
      // A merged story has the largest circle at its spot.
      let merged = kinds.contains(.merge) ? stand.spots[place.id].flatMap { spots[$0] } : nil
      if (merged ?? [place]).contains(where: { mayReach($0, number, from: place) }) {
        return mostAlerts[number]
      }
    }
    let entries = stand.runs[number].stories[place.id]?.entries ?? 0
    return kinds.contains(.dates) ? min(mostAlerts[number], entries) : 0
  }

  /// Whether the path may enter the largest circle that a story has or may get, at another's center.
  private func mayReach(_ place: Place, _ number: Int, from other: Place) -> Bool {
    let apart = place.coordinate.distanceMeters(to: other.coordinate)
    // Approaches are known no farther than this beyond the reach.
    guard apart <= CandidateFinder.certainMeters else { return true }
    let radius = max(place.radiusMeters, options.kinds.contains(.radius) ? greatestRadiusMeters : 0)
    let move = options.kinds.contains(.position) ? options.moveWithinMeters : 0
    let least = stand.approaches.leastMeters(of: number, from: place.id)
    return least - apart - 0.01 <= radius + move
  }

  private var greatestRadiusMeters: Double {
    min(options.radiusRangeMeters.upperBound, AdviceOptions.greatestRadiusMeters)
  }

  /// Whether a change may let the phone watch a story that it does not watch now.
  private var mayFreeSlots: Bool {
    let rule = stand.rule
    guard rule.limit != nil else { return false }
    let isByCenter = rule.refresh == .fixed && rule.rank == .center
    let freeing: Set<AdviceOptions.Kind> = [.position, .merge, .drop, .rule]
    return !options.kinds.isDisjoint(with: isByCenter ? freeing : freeing.union([.radius]))
  }
}
