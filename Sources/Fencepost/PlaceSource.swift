public import FencepostMonitoring
public import FencepostPlaces

/// Finds the places near a path for a session.
///
/// One session asks one source; sources are not shared between tasks.
public protocol PlaceSource: AnyObject {
  /// Answers an engine's request; on failure sets ``lastFailure``.
  func answer(_ request: CandidateRequest) -> CandidateAnswer
  /// The place with a key; nil if there is none.
  func place(forKey key: Int64) throws -> Place?
  /// Whether there is a place with a key; false if unreadable.
  func hasPlace(forKey key: Int64) -> Bool
  /// How many places there are.
  var placeCount: Int { get throws }
  /// The sentence of the last failure; nil if there was none.
  var lastFailure: String? { get }
}

extension PlaceSource {
  /// Whether there is a place with a key, for a source that must read it to know.
  public func hasPlace(forKey key: Int64) -> Bool { (try? place(forKey: key)) != nil }
}
