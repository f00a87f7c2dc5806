import Fencepost
import FencepostMonitoring

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
      AdviceChange(.drop, ids.compactMap { stand.trial.places.place(withID: $0) }, after: nil)
    }
  }

  /// A lost entry, and the watched stories that no path can enter.
  private struct Blocking {
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
          .filter { options.purpose?.weights[$0] == nil }
        blockings.append(Blocking(needed: rank - slots, ids: ids))
      }
    }
    return blockings
  }

  /// Returns whether a path enters the largest circle that a story has or may get.
  private func isMet(_ story: Int) -> Bool {
    let story = stand.trial.stories.stories[story]
    let reach = max(story.radiusMeters, options.radiusRangeMeters.upperBound)
    return (stand.approaches[story.id].first?.distanceMeters ?? .infinity) <= reach
  }
}
