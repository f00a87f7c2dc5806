/// Where a session finds the places near a path.
///
/// One session asks one source; sources are not shared between tasks.
public protocol PlaceSource: AnyObject {
  /// Answers what an engine asks; a failure is kept in ``lastFailure``.
  func answer(_ request: CandidateRequest) -> CandidateAnswer
  /// The place with a key, or nil when it is gone.
  func place(forKey key: Int64) throws -> Place?
  /// Whether there is a place with a key; false if that cannot be read.
  func hasPlace(forKey key: Int64) -> Bool
  /// How many places there are.
  var placeCount: Int { get throws }
  /// The sentence of the last failure, nil when there was none.
  var lastFailure: String? { get }
}

extension PlaceSource {
  /// Whether there is a place with a key; reads it.
  public func hasPlace(forKey key: Int64) -> Bool { (try? place(forKey: key)) != nil }
}
