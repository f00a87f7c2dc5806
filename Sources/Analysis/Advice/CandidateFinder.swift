import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime

/// Finds the changes that can matter, each based on something that happened on a track.
///
/// Radii come from how near tracks pass, positions from the nearest points of tracks, mergers from
/// stories at one spot, and removals from the lookups before missed entries. The number of changes
/// grows with the encounters of tracks and stories, not with the number of places.
struct CandidateFinder {
  /// The step between proposed radii, in meters.
  static let radiusStepMeters = 5.0
  /// How far inside a circle a path must come to enter it for certain, in meters.
  static let certainMeters = 1.0
  /// How many of the passing tracks to try as the target of a move.
  static let mostAims = 6
  /// The minimum distance between a moved story and any other, in meters.
  static let leastApartMeters = 10.0

  /// The radii to try for stories that a simulated phone often loses, in meters.
  static let phoneRadiiMeters = [150.0, 200, 250, 300]
  static let mostWorst = 16

  let stand: AdviceStand
  let options: AdviceOptions
  /// The weighted due alerts that the simulated phone loses over all runs, by story.
  private let lostOnPhone: [String: Int]

  init(stand: AdviceStand, options: AdviceOptions) {
    self.stand = stand
    self.options = options
    var lost: [String: Int] = [:]
    for run in stand.runs { lost.merge(run.simulated?.lost ?? [:], uniquingKeysWith: +) }
    for id in lost.keys { lost[id]? *= options.weight(of: id) }
    lostOnPhone = lost.filter { $0.value > 0 }
  }

  var changes: [AdviceChange] {
    guard options.mostAfterwards == nil else { return losing }
    var changes: [AdviceChange] = []
    let happenings = StoryHappenings(stand)
    if options.kinds.contains(.radius) { changes += radii(happenings) }
    if options.kinds.contains(.position) { changes += positions(happenings) }
    if options.kinds.contains(.merge) { changes += mergers }
    if options.kinds.contains(.drop) { changes += drops }
    if options.kinds.contains(.dates) { changes += dates(happenings) }
    if options.kinds.contains(.hours) { changes += shorterHours }
    if options.kinds.contains(.rule) { changes += rules }
    return changes
  }

  // MARK: Radii

  private func radii(_ happenings: StoryHappenings) -> [AdviceChange] {
    let worst = Set(
      lostOnPhone.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostWorst)
        .map(\.key))
    return stand.trial.places.places.flatMap { place -> [AdviceChange] in
      var radii: Set<Double> = []
      for approach in stand.approaches[place.id] {
        let isOutside = approach.distanceMeters > place.radiusMeters
        if isOutside { radii.insert(radius(reaching: approach.distanceMeters)) }
      }
      // The path was already inside when the circle became watched; a smaller one is entered later.
      for meters in happenings.insideMeters[place.id] ?? [] {
        radii.insert(radius(beneath: meters))
      }
      if worst.contains(place.id) {
        radii.formUnion(Self.phoneRadiiMeters.filter { $0 > place.radiusMeters })
      }
      return changes(of: place, toRadii: radii)
    }
  }

  /// The changes to those of some radii that are allowed, ascending.
  func changes(of place: Place, toRadii radii: Set<Double>) -> [AdviceChange] {
    radii.filter {
      options.radiusRangeMeters.contains($0) && $0 <= AdviceOptions.greatestRadiusMeters
        && $0 != place.radiusMeters
    }.sorted().map {
      var after = place
      after.radiusMeters = $0
      return AdviceChange(.radius, [place], after: after)
    }
  }

  /// The weighted due alerts of a change's stories that a simulated phone loses in a mean run.
  func lostOnPhone(by change: AdviceChange) -> Int {
    let runs = stand.runs.lazy.compactMap(\.simulated?.byRun.count).max() ?? 0
    let lost = change.before.reduce(0) { $0 + lostOnPhone[$1.id, default: 0] }
    return runs > 0 ? (lost + runs - 1) / runs : 0
  }

  /// Returns the smallest allowed radius that a path at a distance certainly enters.
  private func radius(reaching meters: Double) -> Double {
    let step = Self.radiusStepMeters
    let radius = ((meters + Self.certainMeters) / step).rounded(.up) * step
    return max(radius, (options.radiusRangeMeters.lowerBound / step).rounded(.up) * step)
  }

  /// Returns the largest step that does not contain a point at a distance.
  func radius(beneath meters: Double) -> Double {
    let step = Self.radiusStepMeters
    return ((meters - Self.certainMeters) / step).rounded(.down) * step
  }

  // MARK: Positions

  private func positions(_ happenings: StoryHappenings) -> [AdviceChange] {
    guard options.moveWithinMeters > 0 else { return [] }
    return stand.trial.places.places.flatMap { place -> [AdviceChange] in
      let lost = happenings.lostTracks[place.id] ?? []
      var targets: [Place] = []
      for approach in stand.approaches[place.id] where targets.count < Self.mostAims {
        let isOutside = approach.distanceMeters > place.radiusMeters
        let isLost = lost.contains(.init(person: approach.person, track: approach.track))
        guard isOutside || isLost else { continue }
        // Outside the circle, move just far enough. If it lost by rank, move as near as allowed.
        let needed =
          isOutside
          ? (approach.distanceMeters - place.radiusMeters + Self.certainMeters).rounded(.up)
          : min(approach.distanceMeters, allowedMeters(for: place))
        guard needed >= Self.certainMeters, needed <= allowedMeters(for: place),
          let moved = move(place, towards: approach.coordinate, meters: needed),
          !targets.contains(where: { $0.coordinate == moved.coordinate })
        else { continue }
        targets.append(moved)
      }
      return targets.map { AdviceChange(.position, [place], after: $0) }
    }
  }

  /// Returns 0 for a story already moved, so that the bound applies to its original position.
  private func allowedMeters(for place: Place) -> Double {
    stand.moved.contains(place.id) ? 0 : options.moveWithinMeters
  }

  /// Moves a story toward a point; nil if it would come too close to another story.
  private func move(_ place: Place, towards target: Coordinate, meters: Double) -> Place? {
    let course = Geodesic.inverse(from: place.coordinate, to: target)
    var moved = place
    moved.coordinate =
      Geodesic.direct(
        from: place.coordinate, azimuthDegrees: course.startAzimuthDegrees, distanceMeters: meters
      ).rounded(toStepsPerDegree: 1e6)
    let others = AdviceStand.neighbors(
      of: moved, in: stand.trial.places, withinMeters: Self.leastApartMeters)
    return others.isEmpty ? moved : nil
  }

  // MARK: Dates

  /// For each story that its dates held back, the nearest dates that admit every entry.
  private func dates(_ happenings: StoryHappenings) -> [AdviceChange] {
    stand.trial.places.places.compactMap { place in
      let times = happenings.heldBackTimes[place.id] ?? []
      guard let first = times.min(), let last = times.max() else { return nil }
      var after = place
      if let published = place.publishedMilliseconds, first < published {
        after.publishedMilliseconds = midnight(before: first)
      }
      if let expires = place.expiresMilliseconds, last >= expires {
        after.expiresMilliseconds = midnight(before: last, daysLater: 1)
      }
      return AdviceChange(.dates, [place], after: after)
    }
  }

  /// The start of the local day of a time, or of a later day, in milliseconds since 1970.
  private func midnight(before milliseconds: Int64, daysLater days: Int = 0) -> Int64 {
    let date = LocalTime(atMilliseconds: milliseconds, in: options.zone).date
    return options.zone.milliseconds(
      date: CivilDate(daysSince1970: date.daysSince1970 + days), secondOfDay: 0)
  }

  // MARK: Mergers

  private var mergers: [AdviceChange] {
    AdviceStand.spots(of: stand.trial).flatMap { spot in
      // Stories that are valid at different times must stay separate.
      Dictionary(grouping: spot) { [$0.publishedMilliseconds, $0.expiresMilliseconds] }.values
        .filter { $0.count > 1 }.map { AdviceChange(merging: $0) }
    }.filter { change in
      // A story to help may go only into another one to help.
      change.after.map { options.protects($0) } ?? false
        || !change.removed.contains(where: options.protects)
    }.sorted { $0.before[0].id < $1.before[0].id }
  }
}

// Proposes removing stories that no track comes near but that take a slot from one that is passed.
extension CandidateFinder {
  /// One change per set of stories whose slots would have caught a lost entry.
  ///
  /// A missed story at rank 23 of 20 needs three slots. They come from watched stories that no path
  /// would enter even with the largest circle. Those that were in the way most often go first, so
  /// that one change helps many entries.
  var drops: [AdviceChange] {
    guard let slots = stand.rule.slots else { return [] }
    let blockings = blockings(slots: slots)
    var times: [String: Int] = [:]
    for blocking in blockings { for id in blocking.ids { times[id, default: 0] += 1 } }
    var bundles: Set<[String]> = []
    for blocking in blockings where blocking.ids.count >= blocking.needed {
      let ids = blocking.ids.sorted { (times[$1] ?? 0, $0) < (times[$0] ?? 0, $1) }
      bundles.insert(ids.prefix(blocking.needed).sorted())
    }
    return bundles.sorted { ($0.count, $0[0]) < ($1.count, $1[0]) }.map { ids in
      AdviceChange(.drop, ids.compactMap { stand.trial.places.place(withID: $0) })
    }
  }

  /// For each lost entry, the slots that it lacked and the watched stories that no path can enter.
  private func blockings(slots: Int) -> [(needed: Int, ids: [String])] {
    let stories = stand.trial.stories
    var blockings: [(needed: Int, ids: [String])] = []
    for track in stand.runs.lazy.flatMap(\.tracks) {
      var monitored: Set<Int> = []
      var next = 0
      let renewals = track.run.renewals
      for entry in track.run.entries where entry.cause == .late || entry.cause == .missed {
        while next < renewals.count,
          (renewals[next].fix, renewals[next].fraction) < (entry.fix, entry.fraction)
        {
          monitored.subtract(renewals[next].removed)
          monitored.formUnion(renewals[next].added)
          next += 1
        }
        guard let rank = entry.atRefresh?.rank, rank > slots else { continue }
        let ids = monitored.map { stories.stories[$0] }.filter { story in
          // No path enters the largest circle that the story has or may get.
          let reach = max(story.radiusMeters, options.radiusRangeMeters.upperBound)
          let nearest = stand.approaches[story.id].first?.distanceMeters ?? .infinity
          return nearest > reach && options.purpose?.weights[story.id] == nil
        }.map(\.id)
        blockings.append((rank - slots, ids))
      }
    }
    return blockings
  }
}

// Proposes other rules that the phone allows.
extension CandidateFinder {
  /// Significant changes to try, besides the shortest that the phone notices, in meters.
  private static let distancesMeters = [100.0, 250, 500, 1000]

  /// All other rules that may notice more.
  ///
  /// They raise the limit to the phone's, look up places more often or adaptively, and rank by
  /// center or by edge.
  var rules: [AdviceChange] {
    guard let limit = stand.rule.limit else { return [] }
    let most = options.mostRegions
    let raised = most.map { max(limit, $0) }
    return (limit == raised ? [limit] : [limit, raised])
      .flatMap { renewals(of: stand.rule.with(\.limit, $0)) }
      .filter { $0 != stand.rule }.map { AdviceChange(.rule, rule: $0) }
  }

  private func renewals(of rule: MonitoringOptions) -> [MonitoringOptions] {
    guard rule.refresh == .fixed else { return [rule] }
    let least = options.leastSignificantChangeMeters
    let now = rule.significantChangeMeters
    let distances = Set(Self.distancesMeters + [least]).filter { $0 >= least && $0 < now }
    // A phone that wakes the app after a distance cannot be asked for lookups in between.
    let adaptive = options.chance == nil ? [rule.with(\.refresh, .adaptive)] : []
    return adaptive
      + ([now] + distances.sorted(by: >)).flatMap { distance in
        MonitoringOptions.Rank.allCases.map {
          rule.with(\.significantChangeMeters, distance).with(\.rank, $0)
        }
      }
  }
}

extension MonitoringOptions {
  func with<Value>(_ option: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var changed = self
    changed[keyPath: option] = value
    return changed
  }
}

extension AdviceChange {
  /// Merges stories into the one with the best priority, or the lowest id among equals.
  ///
  /// It keeps its id, title, address and category and takes the largest radius. The titles and
  /// blurbs of the others are appended to its blurb; their addresses and categories are lost.
  init(merging stories: [Place]) {
    let sorted = stories.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    var kept = sorted[0]
    for other in sorted.dropFirst() {
      kept.radiusMeters = max(kept.radiusMeters, other.radiusMeters)
      let told = [other.title, other.blurb].filter { !$0.isEmpty }.joined(separator: ": ")
      kept.blurb = [kept.blurb, told].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
    self.init(.merge, sorted, after: kept)
  }
}
