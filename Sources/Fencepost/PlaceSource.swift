public import Monitoring
public import Places

/// Where a session finds the places near a path.
///
/// One session asks one source; sources are not shared between tasks.
public protocol PlaceSource: AnyObject {
  /// Answers what an engine asks; a failure is kept in ``lastFailure``.
  func answer(_ request: CandidateRequest) -> CandidateAnswer
  /// The place with a key, or nil when it is gone.
  func place(forKey key: Int64) throws -> Place?
  /// How many places there are.
  var placeCount: Int { get throws }
  /// The sentence of the last failure, nil when there was none.
  var lastFailure: String? { get }
}
