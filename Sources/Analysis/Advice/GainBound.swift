import Fencepost
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

  init(
    _ stand: AdviceStand, persons: [PersonTracks], mostAlerts: [Int], _ options: AdviceOptions
  ) {
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
    for number in persons.indices {
      // A radius that does not change what is watched matters only to paths nearby.
      if keepsSets(change), !comesNear(number, change) { continue }
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

  private func comesNear(_ number: Int, _ change: AdviceChange) -> Bool {
    let radius = max(change.before[0].radiusMeters, change.after?.radiusMeters ?? 0)
    return stand.approaches.leastMeters(of: number, from: change.before[0].id) - 0.01 <= radius
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
