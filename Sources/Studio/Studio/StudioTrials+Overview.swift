import Fencepost
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting

/// What the studio's table of stories shows besides the results: distances, and cells by day.
extension StudioTrials {
  /// How near the tracks come to the centers of a question's changed stories, or of the store's
  /// stories if it changes none, as JSON.
  ///
  /// `stories` are the IDs, left out for the store's stories, which are in its order. `millimeters`
  /// and `tracks` are of the nearest track; -1 without tracks.
  ///
  /// - Complexity: O(f log f + s log f) for f fixes and s stories.
  func nearest(_ question: StudioQuestion) async -> [UInt8] {
    let changed = question.changes.sorted { $0.key < $1.key }.compactMap(\.value)
    let places = question.changes.isEmpty ? base : changed
    let (tracks, rule) = (scene.tracks, scene.setting.session.monitoring)
    // Away from the actor, so that other questions need not wait.
    let found = await Task.detached {
      let forest = PathForest(tracks.map { $0.stretches(under: rule) })
      var guess: Int?
      return places.map { place in
        let found = forest.nearest(
          to: Position(place.coordinate), withinMillimeters: nil, guess: guess)
        guess = found?.path ?? guess
        return found
      }
    }.value
    let ids = question.changes.isEmpty ? [] : places.map(\.id)
    return StudioWire.object {
      $0.array("stories", ids) { $0.append(json: $1) }
      $0.array("millimeters", found) { $0.append(decimal: $1?.millimeters ?? -1) }
      $0.array("tracks", found) { $0.append(decimal: $1?.path ?? -1) }
    }
  }

  /// The entries of the newest question by story, track and local day, as JSON.
  ///
  /// `cells` has eight numbers for each: story, track, days since 1970, alerts, suppressed, late,
  /// missed, and the chance of an alert on that track in thousandths; -1 if unknown.
  func cells() -> [UInt8] {
    struct Key: Hashable {
      let (story, track, day): (String, Int, Int)
    }
    let zone = scene.zone
    var counts: [Key: [Int]] = [:]
    for (track, kept) in keptRuns.enumerated() {
      guard let kept else { continue }
      for entry in kept.run.entries {
        let day = entry.timeMilliseconds.map { DayCounter.day(of: $0, in: zone) } ?? -1
        let key = Key(story: kept.stories.stories[entry.story].id, track: track, day: day)
        let kind = entry.isAlert ? 0 : entry.suppression != nil ? 1 : entry.cause == .late ? 2 : 3
        counts[key, default: [0, 0, 0, 0]][kind] += 1
      }
    }
    var shares: [Int: [String: Int]] = [:]
    for (track, found) in (chances?.found ?? []).enumerated() {
      for story in found?.stories ?? [] where story.isEntered {
        guard let chances, let share = story.chance.probability else { continue }
        let id = chances.trial.stories.stories[story.story].id
        shares[track, default: [:]][id] = Int((share * 1000).rounded())
      }
    }
    let ids = Set(counts.keys.map(\.story)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let rows = counts.map { key, counts in
      [numbers[key.story] ?? 0, key.track, key.day] + counts
        + [shares[key.track]?[key.story] ?? -1]
    }.sorted { $0.lexicographicallyPrecedes($1) }
    return StudioWire.object {
      $0.array("stories", ids) { $0.append(json: $1) }
      $0.array("cells", rows.joined()) { $0.append(decimal: $1) }
    }
  }
}

extension RecordedTrack {
  /// Calls `body` with each position, and whether the path runs straight to it from the one before.
  func forEachVertex(under rule: MonitoringOptions, _ body: (Coordinate, Bool) -> Void) {
    let breaks = PathBreaks(
      maxGapMilliseconds: rule.maxGapMilliseconds,
      maxSpeedMetersPerSecond: rule.maxSpeedMetersPerSecond)
    var last: Fix?
    for fix in fixes {
      let isJoined = last.map { last in
        (rule.joinsSegments || last.segmentIndex == fix.segmentIndex) && breaks.joins(last, fix)
      }
      body(fix.coordinate, isJoined ?? false)
      last = fix
    }
  }

  /// The path for searches, in stretches.
  fileprivate func stretches(under rule: MonitoringOptions) -> [PathTree] {
    var (blocks, stretches) = (PathBlocks(), [PathTree]())
    forEachVertex(under: rule) { coordinate, isJoined in
      if let full = blocks.take(coordinate, isJoined: isJoined) { stretches.append(full) }
    }
    return stretches + [blocks.finish()].compactMap(\.self)
  }
}
