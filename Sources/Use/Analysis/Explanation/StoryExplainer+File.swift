import FencepostMonitoring
package import FencepostTracks

extension StoryExplainer {
  /// Explains a story on the track in a file; nil if the task is canceled.
  ///
  /// - Throws: ``TrackFailure`` if the track cannot be read or the store fails.
  package func explain(
    _ story: Int, on path: String, options: FixStreamOptions = FixStreamOptions()
  ) throws(TrackFailure) -> StoryExplanation? {
    try explain(story, on: path) { (runs, onVertex) throws(TrackFailure) in
      try runs.follow(try FixReader(track: path, options: options), onVertex: onVertex)
    }
  }
}
