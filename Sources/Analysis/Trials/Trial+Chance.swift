import Fencepost
import FencepostMonitoring
import FencepostPhones

extension Trial {
  /// Simulates phones along a track, as an analysis does; nil if the task is canceled.
  ///
  /// - Throws: ``TrackFailure`` if the store fails.
  package func chances(
    on track: RecordedTrack, _ chance: ChanceOptions
  ) throws(TrackFailure) -> [TrackChances]? {
    let device = DeviceRun(stories, source: places, options: options, ranksMisses: false)
    var pass = TrackPass(track.name, stories, source: places, rule: options, devices: [device])
    var approach = TrackApproach(stories, measuresAll: true)
    var recorder = PathRecorder()
    let isWhole = try pass.follow(track) { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      recorder.take(point, isJoined: isJoined)
    }
    guard isWhole else { return nil }
    let crossed = StoryVerdict.all(
      of: pass.devices[0].entries, insideAtStart: pass.oracle.insideAtStart)
    let simulator = TrackSimulator(chance, stories, source: places, rule: options.monitoring)
    let chances = simulator.run(
      track.name, recorder.fixes, crossed: crossed, nearestMeters: approach.finish().nearestMeters)
    return Task.isCancelled ? nil : chances
  }

  /// Simulates one story along a track on the first phone, with its own radius only.
  ///
  /// - Returns: The result; nil without a phone or if the task is canceled.
  /// - Throws: ``TrackFailure`` if the store fails.
  package func prediction(
    of story: Int, on track: RecordedTrack, _ chance: ChanceOptions
  ) throws(TrackFailure) -> StoryPrediction? {
    let device = DeviceRun(stories, source: places, options: options, ranksMisses: false)
    var pass = TrackPass(track.name, stories, source: places, rule: options, devices: [device])
    var recorder = PathRecorder()
    let isWhole = try pass.follow(track) { recorder.take($0, isJoined: $1) }
    guard isWhole else { return nil }
    let entries = pass.devices[0].entries
    let verdict = StoryVerdict(
      story: story, entries: entries,
      indices: entries.indices.filter { entries[$0].story == story },
      isInsideAtStart: pass.oracle.insideAtStart.contains(story))
    return TrackSimulator(chance, stories, source: places, rule: options.monitoring).predictions(
      of: story, radiusMeters: stories.stories[story].radiusMeters, verdict, track.name,
      recorder.fixes, triesRadii: false
    ).first
  }
}
