/// The source of the places near a path.
///
/// Each session has a source of its own; tasks do not share one.
public protocol PlaceSource: AnyObject {
  /// Answers an engine's query; keeps a failure in ``lastFailure``.
  func answer(_ request: CandidateRequest) -> CandidateAnswer
  /// The place with a key; nil if it was deleted.
  func place(forKey key: Int64) throws -> Place?
  /// The key of the place with an id; nil if there is none.
  ///
  /// Asked only when a snapshot is restored and a key means another place than before. A source whose keys
  /// never change need not answer.
  func key(forID id: String) throws -> Int64?
  /// Whether there is a place with a key; false if unreadable.
  func hasPlace(forKey key: Int64) -> Bool
  /// How many places there are.
  var placeCount: Int { get throws }
  /// The last failure as a sentence; nil without one.
  var lastFailure: String? { get }
}

extension PlaceSource {
  /// Nil: a place that does not have its former key is gone.
  public func key(forID id: String) throws -> Int64? { nil }

  /// Whether there is a place with a key, by reading it.
  public func hasPlace(forKey key: Int64) -> Bool { (try? place(forKey: key)) != nil }
}
