import Fencepost
import FencepostMonitoring
import FencepostPhones

extension WhatIf {
  /// Simulates phones along a track, as an analysis does; nil if the task is canceled.
  ///
  /// - Throws: ``TrackFailure`` if the store fails.
  package func chances(
    on track: RecordedTrack, _ chance: ChanceOptions
  ) throws(TrackFailure) -> [TrackChances]? {
    guard let scene = try scene(of: track) else { return nil }
    var courses: [PhoneCourse] = []
    let chances = simulator(chance).run(scene, &courses)
    return Task.isCancelled ? nil : chances
  }

  /// Simulates one story along a track on the first phone, without trying changes.
  ///
  /// - Returns: The result; nil without a phone or if the task is canceled.
  /// - Throws: ``TrackFailure`` if the store fails.
  package func prediction(
    of story: Int, on track: RecordedTrack, _ chance: ChanceOptions
  ) throws(TrackFailure) -> StoryPrediction? {
    guard let scene = try scene(of: track) else { return nil }
    return simulator(chance).predictions(
      of: stories.stories[story], story, nearest: nil, on: scene, triesChanges: false
    ).first
  }

  private func simulator(_ chance: ChanceOptions) -> TrackSimulator {
    TrackSimulator(chance, stories, source: places, session: options)
  }

  /// A track as simulated phones see it; nil if the task is canceled.
  private func scene(of track: RecordedTrack) throws(TrackFailure) -> TrackScene? {
    let phone = LimitedRun(stories, source: places, options: options, ranksMisses: false)
    var runs = ComparedRuns(
      track.name, stories, source: places, rule: options, limited: [phone])
    var approach = TrackApproach(stories, measuresAll: true)
    var recorder = PathRecorder()
    let isWhole = try runs.follow(track) { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      recorder.take(point, isJoined: isJoined)
    }
    guard isWhole else { return nil }
    return TrackScene(
      recorder, entries: runs.limited[0].entries, nearestMeters: approach.finish().nearestMeters)
  }
}
