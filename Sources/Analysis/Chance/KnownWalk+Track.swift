import Fencepost
package import FencepostMonitoring
package import FencepostPhones

extension KnownWalk {
  /// Follows a track as a replay does, past the circles that are valid on it.
  ///
  /// Fixes without time are left out.
  ///
  /// - Throws: ``TrackFailure`` if a lookup fails.
  package init(_ track: RecordedTrack, past circles: PlaceIndex) throws(TrackFailure) {
    var recorder = PathRecorder()
    var pass = TrackPass(track.name, StoryIndex([]), source: circles, rule: .init(), devices: [])
    _ = try pass.follow(track) { recorder.take($0, isJoined: $1) }
    let path = recorder.fixes.map { fix in
      var fix = fix
      fix.seconds += Double(recorder.firstMilliseconds) / 1000
      return fix
    }
    let (first, last) = (path.first?.seconds ?? 0, path.last?.seconds ?? 0)
    func seconds(_ milliseconds: Int64?) -> Double? { milliseconds.map { Double($0) / 1000 } }
    let valid = circles.places.filter {
      seconds($0.publishedMilliseconds) ?? -.infinity <= last
        && seconds($0.expiresMilliseconds) ?? .infinity > first
    }
    self.init(
      path: PhonePath(path), key: recorder.key,
      circles: valid.map {
        PhoneStory(key: subjectKey($0.id), coordinate: $0.coordinate, radiusMeters: $0.radiusMeters)
      },
      watched: valid.map {
        let from = seconds($0.publishedMilliseconds) ?? -.infinity
        return from...max(from, seconds($0.expiresMilliseconds) ?? .infinity)
      })
  }
}
