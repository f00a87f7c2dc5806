import FencepostSession
import FencepostGeodesy
import FencepostMonitoring

/// Finds the changes that can matter, each based on something that happened on a track.
///
/// Radii come from how near tracks pass, and positions from the nearest points of tracks. Their
/// number grows with the encounters of tracks and stories, not with the number of places.
struct CandidateFinder {
  /// The step between proposed radii, in meters.
  private static let radiusStepMeters = 5.0
  /// How far inside a circle a path must come to enter it for certain, in meters.
  static let certainMeters = 1.0
  /// How many of the passing tracks to try as the target of a move.
  private static let mostAims = 6
  /// The minimum distance between a moved story and any other, in meters.
  private static let leastApartMeters = 10.0
  /// Significant changes to try, besides the shortest that the phone notices, in meters.
  private static let distancesMeters = [100.0, 250, 500, 1000]
  /// The radii to try for the stories that a simulated phone loses, in meters.
  private static let phoneRadiiMeters = [150.0, 200, 250, 300]
  /// The changes tried on a simulated phone in each round.
  private static let mostTriedOnPhone = 64

  private let state: AdviceState
  private let options: AdviceOptions
  private let losses: AdviceState.Losses
  /// The weighted due alerts that the simulated phone loses over all runs, by story.
  private let lostOnPhone: [String: Int]

  init(_ state: AdviceState, _ options: AdviceOptions) {
    (self.state, self.options) = (state, options)
    losses = AdviceState.Losses(state)
    var lost: [String: Int] = [:]
    for run in state.runs { lost.merge(run.tally.simulated?.lost ?? [:], uniquingKeysWith: +) }
    for id in lost.keys { lost[id]? *= options.weight(of: id) }
    lostOnPhone = lost.filter { $0.value > 0 }
  }

  /// The changes to try, in the order that breaks ties between equal ones.
  ///
  /// A simulated phone takes long to ask, so it tries only the changes that promise most.
  var changes: [AdviceChange] {
    var changes: [AdviceChange] = []
    if options.kinds.contains(.radius) { changes += radii }
    if options.kinds.contains(.position) { changes += positions }
    if options.kinds.contains(.rule) { changes += rules }
    guard options.chance != nil else { return changes }
    return Array(changes.largestFirst(by: promise).prefix(Self.mostTriedOnPhone))
  }

  /// The weighted alerts that a change may gain.
  ///
  /// They are those of the tracks that enter the circle with it, and those that the phone loses in a
  /// mean run. A change of the rule may gain any number.
  private func promise(of change: AdviceChange) -> Int {
    guard let (before, after) = change.story else { return .max }
    let entering = state.approaches[before.id].count {
      $0.distanceMeters > before.radiusMeters
        && after.coordinate.distanceMeters(to: $0.coordinate) <= after.radiusMeters
    }
    let runs = state.runs.lazy.compactMap(\.tally.simulated?.byRun.count).max() ?? 0
    let lost = lostOnPhone[before.id, default: 0]
    return entering * options.weight(of: before.id) + (runs > 0 ? (lost + runs - 1) / runs : 0)
  }

  // MARK: Radii

  private var radii: [AdviceChange] {
    state.whatIf.places.places.flatMap { place -> [AdviceChange] in
      var radii: Set<Double> = []
      let distances = state.approaches[place.id].map(\.distanceMeters)
      radii.formUnion(distances.filter { $0 > place.radiusMeters }.map(radius(reaching:)))
      // The path was already inside when the circle became watched; a smaller one is entered later.
      radii.formUnion((losses.insideMeters[place.id] ?? []).map(radius(beneath:)))
      if lostOnPhone[place.id] != nil {
        radii.formUnion(Self.phoneRadiiMeters.filter { $0 > place.radiusMeters })
      }
      return radii.filter {
        options.radiusRangeMeters.contains($0) && $0 <= AdviceOptions.greatestRadiusMeters
          && $0 != place.radiusMeters
      }.sorted().map {
        var after = place
        after.radiusMeters = $0
        return .story(before: place, after: after)
      }
    }
  }

  /// Returns the smallest allowed radius that a path at a distance certainly enters.
  private func radius(reaching meters: Double) -> Double {
    let step = Self.radiusStepMeters
    let radius = ((meters + Self.certainMeters) / step).rounded(.up) * step
    return max(radius, (options.radiusRangeMeters.lowerBound / step).rounded(.up) * step)
  }

  /// Returns the largest step that does not contain a point at a distance.
  private func radius(beneath meters: Double) -> Double {
    let step = Self.radiusStepMeters
    return ((meters - Self.certainMeters) / step).rounded(.down) * step
  }

  // MARK: Positions

  private var positions: [AdviceChange] {
    guard options.moveWithinMeters > 0 else { return [] }
    return state.whatIf.places.places.flatMap { place -> [AdviceChange] in
      // The bound applies to the original position, so a story moves once.
      guard !state.moved.contains(place.id) else { return [] }
      let lost = losses.tracks[place.id] ?? []
      var targets: [Place] = []
      for approach in state.approaches[place.id] where targets.count < Self.mostAims {
        let isOutside = approach.distanceMeters > place.radiusMeters
        guard isOutside || lost.contains(approach.track) else { continue }
        // Outside the circle, move just far enough. If it lost by rank, move as near as allowed.
        let needed =
          isOutside
          ? (approach.distanceMeters - place.radiusMeters + Self.certainMeters).rounded(.up)
          : min(approach.distanceMeters, options.moveWithinMeters)
        guard needed >= Self.certainMeters, needed <= options.moveWithinMeters,
          let moved = move(place, towards: approach.coordinate, meters: needed),
          !targets.contains(where: { $0.coordinate == moved.coordinate })
        else { continue }
        targets.append(moved)
      }
      return targets.map { .story(before: place, after: $0) }
    }
  }

  /// Moves a story toward a point; nil if it would come too close to another story.
  private func move(_ place: Place, towards target: Coordinate, meters: Double) -> Place? {
    let course = Geodesic.inverse(from: place.coordinate, to: target)
    var moved = place
    moved.coordinate =
      Geodesic.direct(
        from: place.coordinate, azimuthDegrees: course.startAzimuthDegrees, distanceMeters: meters
      ).rounded(toStepsPerDegree: 1e6)
    // At most one of the two nearest is the story itself.
    let others = state.whatIf.places.nearest(to: moved.coordinate, count: 2)
    let other = others.first { $0.key != place.key }
    return other?.centerDistanceMeters ?? .infinity > Self.leastApartMeters ? moved : nil
  }

  // MARK: Rules

  /// All other rules that may notice more.
  ///
  /// They raise the limit to the phone's, look up places more often or adaptively, and rank by
  /// center or by edge.
  private var rules: [AdviceChange] {
    guard let limit = state.rule.limit else { return [] }
    let raised = options.mostRegions.map { max(limit, $0) }
    return (limit == raised ? [limit] : [limit, raised])
      .flatMap { refreshRules(beside: state.rule.with(\.limit, $0)) }
      .filter { $0 != state.rule }.map { .rule($0) }
  }

  private func refreshRules(beside rule: MonitoringOptions) -> [MonitoringOptions] {
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
  fileprivate func with<Value>(_ option: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var changed = self
    changed[keyPath: option] = value
    return changed
  }
}
