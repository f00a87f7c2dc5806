import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Finds the changes that can matter: every one of them is made of something that happened on a track.
///
/// A radius is taken from how near tracks come, a position from where they are nearest, a merger from stories that share
/// a spot, a dropped story from the refreshes before a missed entry. Their number grows with the encounters of tracks
/// and stories, not with the places, and each kind has a bound for a single story.
struct CandidateFinder {
  /// Radii are proposed in steps of this, in metres.
  static let radiusStepMeters = 5.0
  /// How far within a circle a path must come to count as certain to enter it, in metres.
  static let certainMeters = 1.0
  /// How many of the tracks that miss a story are tried as the aim of a move.
  static let mostAims = 6
  /// How near a moved story may come to another one, in metres.
  static let leastApartMeters = 10.0

  let stand: AdviceStand
  let options: AdviceOptions

  /// The changes to try, each once.
  var changes: [AdviceChange] {
    var changes: [AdviceChange] = []
    let happenings = StoryHappenings(stand)
    if options.kinds.contains(.radius) { changes += radii(happenings) }
    if options.kinds.contains(.position) { changes += positions(happenings) }
    if options.kinds.contains(.merge) { changes += mergers }
    if options.kinds.contains(.drop) { changes += drops }
    if options.kinds.contains(.rule) { changes += rules }
    return changes
  }

  // MARK: Radii

  private func radii(_ happenings: StoryHappenings) -> [AdviceChange] {
    stand.trial.places.places.flatMap { place -> [AdviceChange] in
      var radii: Set<Double> = []
      for approach in stand.approaches[place.id] {
        let isOutside = approach.distanceMeters > place.radiusMeters
        if isOutside { radii.insert(radius(reaching: approach.distanceMeters)) }
      }
      // The path was inside before the circle was watched: a smaller one is entered later.
      for meters in happenings.insideMeters[place.id] ?? [] {
        radii.insert(radius(beneath: meters))
      }
      let range = options.radiusRangeMeters
      return radii.filter { range.contains($0) && $0 != place.radiusMeters }.sorted().map {
        var after = place
        after.radiusMeters = $0
        return AdviceChange(.radius, [place], after: after)
      }
    }
  }

  /// The least radius of the steps that a path at a distance certainly enters.
  private func radius(reaching meters: Double) -> Double {
    let step = Self.radiusStepMeters
    let radius = ((meters + Self.certainMeters) / step).rounded(.up) * step
    return max(radius, (options.radiusRangeMeters.lowerBound / step).rounded(.up) * step)
  }

  /// The greatest radius of the steps that does not contain a point at a distance.
  private func radius(beneath meters: Double) -> Double {
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
        // Outside, as far as needed; lost for its rank, as near to the path as may be.
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

  /// How far a story may be moved: once, so that the bound is about where it was to begin with.
  private func allowedMeters(for place: Place) -> Double {
    stand.moved.contains(place.id) ? 0 : options.moveWithinMeters
  }

  /// A story moved towards a point; nil if it would come upon another one.
  private func move(_ place: Place, towards target: Coordinate, meters: Double) -> Place? {
    let course = Geodesic.inverse(from: place.coordinate, to: target)
    var moved = place
    moved.coordinate =
      Geodesic.direct(
        from: place.coordinate, azimuthDegrees: course.startAzimuthDegrees, distanceMeters: meters
      ).shortened
    let others = AdviceStand.neighbors(
      of: moved, in: stand.trial.places, withinMeters: Self.leastApartMeters)
    return others.isEmpty ? moved : nil
  }

  // MARK: Mergers

  private var mergers: [AdviceChange] {
    AdviceStand.spots(
      of: stand.trial.places, withinMeters: stand.trial.options.alerts.spotMeters
    ).flatMap { spot in
      // Stories that are not valid at the same times remain apart.
      Dictionary(grouping: spot) { [$0.publishedMilliseconds, $0.expiresMilliseconds] }.values
        .filter { $0.count > 1 }.map { StoryMerger.merge($0) }
    }.sorted { $0.before[0].id < $1.before[0].id }
  }
}

extension Coordinate {
  /// The coordinate with six decimals, a tenth of a metre.
  fileprivate var shortened: Coordinate {
    Coordinate(
      latitudeDegrees: (latitudeDegrees * 1e6).rounded() / 1e6,
      longitudeDegrees: (longitudeDegrees * 1e6).rounded() / 1e6)
  }
}

// Other rules that the phone allows.
extension CandidateFinder {
  /// The significant changes that are tried besides the least that the phone notices, in metres.
  private static let distancesMeters = [100.0, 250, 500, 1000]

  /// Each rule that differs, without those that could only see less.
  ///
  /// The limit is raised to the phone's; the set is renewed after shorter distances, or adaptively; and places are
  /// ranked by centre or by edge.
  var rules: [AdviceChange] {
    guard let limit = stand.rule.limit else { return [] }
    let most = options.mostRegions
    let raised = most.map { max(limit, $0) }
    var rules: [MonitoringOptions] = []
    for limit in limit == raised ? [limit] : [limit, raised] {
      var rule = stand.rule
      rule.limit = limit
      rules += renewals(of: rule)
    }
    return rules.filter { $0 != stand.rule }.map { AdviceChange(rule: $0) }
  }

  private func renewals(of rule: MonitoringOptions) -> [MonitoringOptions] {
    var adaptive = rule
    adaptive.refresh = .adaptive
    guard rule.refresh == .fixed else { return [rule] }
    let least = options.leastSignificantChangeMeters
    let now = rule.significantChangeMeters
    let distances = Set(Self.distancesMeters + [least]).filter { $0 >= least && $0 < now }
    var rules = [adaptive]
    for distance in [now] + distances.sorted(by: >) {
      for rank in MonitoringOptions.Rank.allCases {
        var other = rule
        other.significantChangeMeters = distance
        other.rank = rank
        rules.append(other)
      }
    }
    return rules
  }
}

// Stories that nobody can meet, and that keep a slot from one that was passed.
extension CandidateFinder {
  /// One change for each set of stories whose slots would have let an entry be seen.
  ///
  /// A missed story at rank 23 of 20 needs three slots. They come from the stories in the set that no path comes near
  /// enough to meet, even in the greatest circle; those that stood in the way most often go first, so that one change
  /// serves many entries.
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
      AdviceChange(.drop, ids.compactMap { stand.trial.places.place(withID: $0) }, after: nil)
    }
  }

  /// A lost entry, and the stories in the set that nobody can meet.
  private struct Blocking {
    /// How many slots the story lacked.
    var needed: Int
    var ids: [String]
  }

  private func blockings(slots: Int) -> [Blocking] {
    let stories = stand.trial.stories
    var blockings: [Blocking] = []
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
        let ids = monitored.filter { !isMet($0) }.map { stories.stories[$0].id }
        blockings.append(Blocking(needed: rank - slots, ids: ids))
      }
    }
    return blockings
  }

  /// Whether a path comes into the greatest circle that a story has or may get.
  private func isMet(_ story: Int) -> Bool {
    let story = stand.trial.stories.stories[story]
    let reach = max(story.radiusMeters, options.radiusRangeMeters.upperBound)
    return (stand.approaches[story.id].first?.distanceMeters ?? .infinity) <= reach
  }
}

/// Makes one story of several at one spot.
enum StoryMerger {
  /// The change that keeps the story that matters most, by priority and then by id.
  ///
  /// It keeps its id, title, address and category, takes the greatest radius, and its blurb goes on with the titles and
  /// blurbs of the others, so that none of their texts is lost; only their addresses and categories are.
  static func merge(_ stories: [Place]) -> AdviceChange {
    let sorted = stories.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    var kept = sorted[0]
    for other in sorted.dropFirst() {
      kept.radiusMeters = max(kept.radiusMeters, other.radiusMeters)
      let told = [other.title, other.blurb].filter { !$0.isEmpty }.joined(separator: ": ")
      kept.blurb = [kept.blurb, told].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
    return AdviceChange(.merge, sorted, after: kept)
  }
}
