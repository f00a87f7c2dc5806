public import FencepostMonitoring

/// Answers an engine's questions from a store.
///
/// Not for two tasks at once; each session makes its own.
public final class StoreSource: PlaceSource {
  private let reader: PlaceReader
  private let cache: NearestCache
  private var known: [Int64: Place] = [:]

  /// The sentence of the last failure, nil when there was none.
  public private(set) var lastFailure: String?

  /// Makes a source that reads through `reader`.
  public init(reader: PlaceReader) {
    self.reader = reader
    cache = NearestCache(reader)
  }

  /// Answers what an engine asks; a failure is kept in ``lastFailure``.
  public func answer(_ request: CandidateRequest) -> CandidateAnswer {
    do throws(PlaceStoreError) {
      return .found(try cache.regions(request))
    } catch {
      lastFailure = error.description
      return .failed
    }
  }

  /// The place with a key, or nil when it is gone.
  public func place(forKey key: Int64) throws -> Place? {
    if let place = known[key] { return place }
    guard let place = try reader.place(forKey: key) else { return nil }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[key] = place
    return place
  }

  /// Whether there is a place with a key; not, where that cannot be read.
  public func hasPlace(forKey key: Int64) -> Bool {
    // Asked for its index a dictionary makes no copy of the place.
    known.index(forKey: key) != nil || (try? place(forKey: key)) != nil
  }

  /// How many places there are.
  public var placeCount: Int {
    get throws { try reader.count() }
  }

  /// Places along a path come again and again; this many are kept, one or two megabytes.
  private static var mostKnown: Int { 4096 }
}
