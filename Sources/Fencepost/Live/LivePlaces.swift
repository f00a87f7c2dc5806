import Geodesy
import Monitoring
import Places

/// Answers the engines of a live session from a store that others may write to meanwhile.
///
/// Between two questions no lock is held. Each question sees what the store holds then: a change is
/// seen at the next refresh, a new title at the next event. While another program has the store
/// locked a question waits, and input is taken in meanwhile.
final class LivePlaces: PlaceSource {
  /// What happens while the store is locked.
  struct Waiting {
    /// Called again and again; takes in input, returns after some ten milliseconds, and says whether
    /// to go on waiting.
    var pass: () -> Bool
    /// Told once when it begins.
    var onLock: () -> Void
  }

  private let reader: PlaceReader
  private let cache: NearestCache
  private var known: [Int64: Place?] = [:]
  /// What happens while the store is locked.
  var waiting = Waiting(pass: { false }, onLock: {})

  /// The sentence of the last failure, nil when there was none.
  private(set) var lastFailure: String?
  /// How many questions were answered so far.
  private(set) var askCount = 0
  /// Whether a question was given up because the program ends; what follows from its answer is void.
  private(set) var isAbandoned = false

  init(reader: PlaceReader) {
    self.reader = reader
    cache = NearestCache(reader)
  }

  func answer(_ request: CandidateRequest) -> CandidateAnswer {
    askCount += 1
    do throws(PlaceStoreError) {
      return try patiently { () throws(PlaceStoreError) in
        .found(try neighbors(request).map { Region(key: $0.key, circle: $0.circle) })
      }
    } catch {
      lastFailure = error.description
      return .failed
    }
  }

  private func neighbors(_ request: CandidateRequest) throws(PlaceStoreError) -> [Neighbor] {
    switch request.question {
    case .nearestCenters(let count):
      try cache.nearest(to: request.coordinate, count: count, rank: .center)
    case .nearestEdges(let count, let margin):
      try cache.nearest(
        to: request.coordinate, count: count, rank: .edge(exitMarginMeters: margin))
    case .containing:
      try cache.containing(request.coordinate)
    }
  }

  func place(forKey key: Int64) throws -> Place? {
    askCount += 1
    return try patiently { () throws(PlaceStoreError) in
      if let place = known[key] { return place }
      let place = try reader.place(forKey: key)
      if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
      known[key] = .some(place)
      return place
    }
  }

  var placeCount: Int {
    get throws { try patiently { () throws(PlaceStoreError) in try reader.count() } }
  }

  /// Asks on the newest state of the store, and again as long as the store is locked.
  private func patiently<Answer>(
    _ ask: () throws(PlaceStoreError) -> Answer
  ) throws(PlaceStoreError) -> Answer {
    var isWaiting = false
    while true {
      do throws(PlaceStoreError) {
        if try cache.refreshSnapshot() { known.removeAll() }
        let answer = try ask()
        try reader.endSnapshot()
        return answer
      } catch {
        // A reader that failed keeps no snapshot that matters; the failure itself is reported.
        try? reader.endSnapshot()
        guard error.code == .locked else { throw error }
        if !isWaiting { waiting.onLock() }
        isWaiting = true
        guard waiting.pass() else {
          isAbandoned = true
          throw error
        }
      }
    }
  }

  /// Places along a path come again and again; this many are kept, some hundred kilobytes.
  private static var mostKnown: Int { 1024 }
}
