import Fencepost
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// What a change of stories cannot gain more than, in alerts of the device.
///
/// The objective is not submodular: a change may gain more after another one, as dropping two stories lets in what
/// dropping either does not. So a gain of an earlier round bounds nothing, and only what is proved here lets a
/// candidate be passed over. For one person, with the rules that ``isProved(for:)`` names:
///
/// - A device reports no entry that the oracle does not have, and a story alerts at most as often as the cool-down
///   allows. So a changed story gains at most that, and nothing where no path comes into its circle, or not
///   while the circle is watched (see `WatchedApproach`).
/// - The other stories' circles stay, so each gains at most its entries, and no more than the cool-down allows, less
///   the alerts that it has: their room.
/// - They gain nothing at all unless they are monitored where they were not, or the policy decides otherwise about
///   their entries. The policy joins what is at one spot, and nothing else that counts alerts.
/// - With fixed refreshes that rank by centre, the refreshes stay where they are, and a radius moves nothing in or
///   out. A story that leaves the set of one refresh lets one other in until the next.
struct GainBound {
  private let stand: AdviceStand
  private let persons: [PersonTracks]
  private let isProved: Bool
  /// Most alerts of one story, by person.
  private let mostAlerts: [Int]
  /// Room of each story by id, by person.
  private let rooms: [[String: Int]]

  init(_ stand: AdviceStand, persons: [PersonTracks], mostAlerts: [Int]) {
    self.stand = stand
    self.persons = persons
    self.mostAlerts = mostAlerts
    isProved = Self.isProved(for: stand.trial.options)
    rooms = zip(stand.runs, mostAlerts).map { run, most in
      run.stories.compactMapValues { story in
        let room = min(most, story.entries) - story.alerts
        return room > 0 ? room : nil
      }
    }
  }

  /// Whether nothing looks back or ahead along the path, so that a crossing is one of the path alone.
  static func isPlain(_ rule: MonitoringOptions) -> Bool {
    !rule.confirmation.isNeeded && rule.test == .path && rule.exitMarginMeters == 0
      && !rule.trustsAccuracy
  }

  /// Whether the bound is proved for the rules of a session.
  static func isProved(for options: TrackSession.Options) -> Bool {
    isPlain(options.monitoring) && options.monitoring.initial == .silent
      && options.alertsOn == .enter && options.alerts.pendingSlots == nil
      && options.alerts.maxAlertSpeedMetersPerSecond == nil
  }

  /// More than any change can gain; `Int.max` where nothing is proved.
  func mostGain(of change: AdviceChange) -> Int {
    guard isProved, change.kind != .rule else { return .max }
    let circles = AdviceStand.circles(of: change)
    var most = 0
    for number in persons.indices {
      // A radius that moves nothing in or out concerns only those who come near.
      if keepsSets(change), !comesNear(number, change) { continue }
      guard stand.runs[number].maySee(circles, on: persons[number], rule: stand.rule) else {
        continue
      }
      most += own(change, number) + others(change, number)
    }
    return most
  }

  /// Whether the change moves no story in or out of any monitored set.
  private func keepsSets(_ change: AdviceChange) -> Bool {
    stand.rule.limit == nil
      || (change.kind == .radius && stand.rule.refresh == .fixed && stand.rule.rank == .center)
  }

  /// The least distance of a person's path from where a story is after the change, or less.
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
    let now = change.before.reduce(0) { $0 + (stand.runs[number].stories[$1.id]?.alerts ?? 0) }
    guard let after = change.after, leastMeters(number, after, change) <= after.radiusMeters,
      isWatched(number, after, change)
    else { return -now }
    return mostAlerts[number] - now
  }

  /// Whether the path may come into the circle while the device watches it.
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
    return min(room, freed * min(mostAlerts[number], room) + roomAtSpots(of: changed, number))
  }

  /// The room of the stories that share a spot with those that are changed.
  private func roomAtSpots(of changed: Set<String>, _ number: Int) -> Int {
    let spots = Set(changed.compactMap { stand.spots[$0] })
    guard !spots.isEmpty else { return 0 }
    return rooms[number].reduce(0) { sum, room in
      guard !changed.contains(room.key), let spot = stand.spots[room.key], spots.contains(spot)
      else { return sum }
      return sum + room.value
    }
  }

  /// How many times a slot may become free for another story, over all refreshes of a person.
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

/// How near a path comes to a story while its circle is watched, under fixed refreshes that rank by centre.
///
/// An entry that the device reports happens between a refresh whose set has the story and the next one. The
/// set has it only if its centre, as it is or as it was, is no farther than the last one of the set.
struct WatchedApproach {
  /// More than any rounding of a distance, in metres.
  private static let slackMeters = 0.01

  let run: PersonRun
  let person: PersonTracks

  /// How near the watched parts of the paths may come to a story.
  ///
  /// - Parameters:
  ///   - place: The story with its change.
  ///   - before: The stories that the change replaces.
  /// - Returns: A distance in metres that they are never nearer than; infinite without any.
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

  /// By the triangle's inequality no point between two fixes is nearer than half of what their distances exceed
  /// the way between them by.
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
