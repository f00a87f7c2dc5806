import Fencepost
import FencepostMonitoring

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

  init(
    _ stand: AdviceStand, persons: [PersonTracks], mostAlerts: [Int], _ options: AdviceOptions
  ) {
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
    let radius = max(
      place.radiusMeters, options.kinds.contains(.radius) ? greatestRadiusMeters : 0)
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
