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
    let simulator = TrackSimulator(chance, stories, source: places, session: options)
    let scene = TrackScene(
      recorder, entries: pass.devices[0].entries, nearestMeters: approach.finish().nearestMeters)
    var courses: [PhoneCourse] = []
    let chances = simulator.run(scene, &courses)
    return Task.isCancelled ? nil : chances
  }
}
