package import FencepostMonitoring

/// Answers an engine's requests from an index of stories, so that no store is read for them.
///
/// Never fails. Each session needs its own.
package final class StorySource: PlaceSource {
  private let index: StoryIndex

  /// Answers from an index, which many sources may share.
  package init(_ index: StoryIndex) { self.index = index }

  /// Answers with the stories that the engine asks for; never fails.
  package func answer(_ request: CandidateRequest) -> CandidateAnswer {
    .found(index.regions(request))
  }

  /// The place with a key, without its blurb and address; nil for an unknown key.
  package func place(forKey key: Int64) -> Place? {
    index.index(ofKey: key).map { index.place(of: $0) }
  }

  /// The key of the place with an id; nil for an unknown id.
  package func key(forID id: String) -> Int64? {
    index.index(ofID: id).map { index.key(of: $0) }
  }

  /// Whether a story has this key.
  package func hasPlace(forKey key: Int64) -> Bool { index.index(ofKey: key) != nil }

  /// The number of stories.
  package var placeCount: Int { index.count }

  /// Always nil, because memory does not fail.
  package var lastFailure: String? { nil }
}
