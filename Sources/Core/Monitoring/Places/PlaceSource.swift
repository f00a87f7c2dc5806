/// Finds the places near a path; each session needs its own, not shared between tasks.
///
/// ``PlaceIndex`` has its places in memory, and may be shared all the same. Other sources read a
/// database. Keys must name the same places for as long as the source is used.
public protocol PlaceSource: AnyObject {
  /// Answers an engine's request, or fails and describes the failure in ``lastFailure``.
  func answer(_ request: CandidateRequest) -> CandidateAnswer
  /// The place with a key, or nil if it was deleted.
  func place(forKey key: Int64) throws -> Place?
  /// The key of the place with an id; nil for an unknown id.
  ///
  /// Only needed if keys can change: it finds places again when a snapshot is restored.
  func key(forID id: String) throws -> Int64?
  /// Whether there is a place with a key; false if it cannot be read.
  func hasPlace(forKey key: Int64) -> Bool
  /// The number of places.
  var placeCount: Int { get throws }
  /// The last failure as a sentence, or nil.
  var lastFailure: String? { get }
}

extension PlaceSource {
  /// Nil by default: a place without its former key was deleted.
  public func key(forID id: String) throws -> Int64? { nil }

  /// Tries to read the place by default; an error counts as no place.
  public func hasPlace(forKey key: Int64) -> Bool { (try? place(forKey: key)) != nil }
}
