public import FencepostMonitoring

/// Answers an engine's queries from a store.
///
/// Not thread-safe: make one per session.
public final class StoreSource: PlaceSource {
  private let reader: PlaceReader
  private var known: [Int64: Place] = [:]
  /// How many places to keep, because paths return to them; one or two megabytes.
  private static let mostKnown = 4096

  /// The last failure as a sentence, if any.
  public private(set) var lastFailure: String?

  /// Creates a source that reads through `reader`.
  public init(reader: PlaceReader) { self.reader = reader }

  /// Answers an engine's query, and records a failure in ``lastFailure``.
  public func answer(_ request: CandidateRequest) -> CandidateAnswer {
    do throws(PlaceStoreError) {
      return .found(try reader.regions(request))
    } catch {
      lastFailure = error.description
      return .failed
    }
  }

  /// The place with a key, or nil if it was deleted.
  public func place(forKey key: Int64) throws -> Place? {
    if let place = known[key] { return place }
    guard let place = try reader.place(forKey: key) else { return nil }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[key] = place
    return place
  }

  /// The key of the place with an id, or nil.
  public func key(forID id: String) throws -> Int64? { try reader.place(withID: id)?.key }

  /// Whether a place has this key; false if the store cannot be read.
  public func hasPlace(forKey key: Int64) -> Bool {
    // Looking up the index copies no place.
    known.index(forKey: key) != nil || (try? place(forKey: key)) != nil
  }

  /// The number of places.
  public var placeCount: Int { get throws { try reader.count() } }
}
