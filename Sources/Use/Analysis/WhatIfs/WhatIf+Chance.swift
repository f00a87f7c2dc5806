import FencepostSession
import FencepostMonitoring
import FencepostPhones

extension WhatIf {
  /// Simulates phones along a track, as an analysis does; nil if the task is canceled.
  ///
  /// - Returns: The results of the phones, and the entries of a perfect phone.
  /// - Throws: ``TrackFailure`` if the store fails.
  package func chances(
    on track: RecordedTrack, _ chance: ChanceOptions
  ) throws(TrackFailure) -> (phones: [TrackChances], entries: [EntryRecord])? {
    guard let (scene, entries) = try scene(of: track) else { return nil }
    var courses: [PhoneCourse] = []
    let chances = simulator(chance).run(scene, &courses)
    return Task.isCancelled ? nil : (chances, entries)
  }

  /// Simulates one story along a track on the first phone, without trying changes.
  ///
  /// - Returns: The result; nil without a phone or if the task is canceled.
  /// - Throws: ``TrackFailure`` if the store fails.
  package func prediction(
    of story: Int, on track: RecordedTrack, _ chance: ChanceOptions
  ) throws(TrackFailure) -> StoryPrediction? {
    guard let (scene, _) = try scene(of: track) else { return nil }
    return simulator(chance).predictions(
      of: stories.stories[story], story, nearest: nil, on: scene, triesChanges: false
    ).first
  }

  private func simulator(_ chance: ChanceOptions) -> TrackSimulator {
    TrackSimulator(chance, stories, source: places, session: options)
  }

  /// A track as simulated phones see it, and its entries; nil if the task is canceled.
  private func scene(
    of track: RecordedTrack
  ) throws(TrackFailure) -> (scene: TrackScene, entries: [EntryRecord])? {
    let phone = LimitedRun(stories, source: places, options: options, ranksMisses: false)
    var runs = ComparedRuns(
      track.name, stories, source: places, rule: options, limited: [phone])
    var recorder = SceneRecorder(stories)
    let isWhole = try runs.follow(track) { recorder.take($0, isJoined: $1) }
    guard isWhole else { return nil }
    let entries = runs.limited[0].entries
    return (recorder.finish(entries: entries), entries)
  }
}
