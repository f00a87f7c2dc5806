public import FencepostMonitoring

/// Answers an engine's queries from a store.
///
/// Not thread-safe; each session makes its own.
public final class StoreSource: PlaceSource {
  private let reader: PlaceReader
  private let cache: NearestCache
  private var known: [Int64: Place] = [:]

  /// The last failure as a sentence; nil without one.
  public private(set) var lastFailure: String?

  /// Makes a source that reads through `reader`.
  public init(reader: PlaceReader) {
    self.reader = reader
    cache = NearestCache(reader)
  }

  /// Answers an engine's query; keeps a failure in ``lastFailure``.
  public func answer(_ request: CandidateRequest) -> CandidateAnswer {
    do throws(PlaceStoreError) {
      return .found(try cache.regions(request))
    } catch {
      lastFailure = error.description
      return .failed
    }
  }

  /// The place with a key; nil if it was deleted.
  public func place(forKey key: Int64) throws -> Place? {
    if let place = known[key] { return place }
    guard let place = try reader.place(forKey: key) else { return nil }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[key] = place
    return place
  }

  /// The key of the place with an id; nil if there is none.
  public func key(forID id: String) throws -> Int64? { try reader.place(withID: id)?.key }

  /// Whether there is a place with a key; false if unreadable.
  public func hasPlace(forKey key: Int64) -> Bool {
    // A lookup of the index copies no place.
    known.index(forKey: key) != nil || (try? place(forKey: key)) != nil
  }

  /// How many places there are.
  public var placeCount: Int {
    get throws { try reader.count() }
  }

  /// How many places are kept, as those along a path recur: one or two megabytes.
  private static var mostKnown: Int { 4096 }
}

extension NearestCache {
  /// The regions that answer an engine's request.
  ///
  /// - Throws: ``PlaceStoreError``.
  package func regions(_ request: CandidateRequest) throws(PlaceStoreError) -> [Region] {
    let neighbors =
      switch request.question {
      case .nearestCenters(let count):
        try nearest(to: request.coordinate, count: count, rank: .center)
      case .nearestEdges(let count, let margin):
        try nearest(to: request.coordinate, count: count, rank: .edge(exitMarginMeters: margin))
      case .containing:
        try containing(request.coordinate)
      }
    return neighbors.map { Region(key: $0.key, circle: $0.circle) }
  }
}
