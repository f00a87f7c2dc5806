import Geodesy
import Monitoring
import Places

/// Finds the places near a device, and the names of those that are monitored, on the server's thread.
///
/// A store that another program is writing is left alone for a second: the map shows circles without
/// names meanwhile, and goes on with what was near before.
final class PlaceLookup {
  private let store: PlaceStore
  private var reader: PlaceReader?
  private var known: [Int64: Place] = [:]
  private var closedUntil: Int64 = 0

  private static var mostKnown: Int { 4096 }
  private static var lockWaitMilliseconds: Int { 50 }

  init(_ store: PlaceStore) {
    self.store = store
  }

  /// Calls `body` with answers from the newest state of the store, and lets go of it after.
  func ask<Result>(nowMilliseconds: Int64, _ body: (PlaceLookup) -> Result) -> Result {
    isOpen = nowMilliseconds >= closedUntil && open()
    if !isOpen, nowMilliseconds >= closedUntil { closedUntil = nowMilliseconds + 1000 }
    now = nowMilliseconds
    defer {
      // A reader that fails here fails again at the next question, which is where it is noticed.
      try? reader?.endSnapshot()
      isOpen = false
    }
    return body(self)
  }

  private var isOpen = false
  private var now: Int64 = 0

  private func open() -> Bool {
    do {
      let reader =
        try self.reader ?? store.makeReader(lockWaitMilliseconds: Self.lockWaitMilliseconds)
      self.reader = reader
      if try reader.refreshSnapshot() { known.removeAll() }
      return true
    } catch {
      return false
    }
  }

  /// The place of a key; nil where there is none or the store does not answer.
  func place(forKey key: Int64) -> Place? {
    if let place = known[key] { return place }
    guard let place = answer({ reader throws(PlaceStoreError) in try reader.place(forKey: key) })
    else { return nil }
    guard let place else { return nil }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[key] = place
    return place
  }

  /// The places nearest to a point; nil where the store does not answer.
  func near(_ coordinate: Coordinate, count: Int) -> [Place]? {
    let found = answer { reader throws(PlaceStoreError) in
      try reader.nearest(to: coordinate, count: count, rank: .center)
    }
    return found?.compactMap { place(forKey: $0.key) }
  }

  private func answer<Answer>(
    _ ask: (PlaceReader) throws(PlaceStoreError) -> Answer
  ) -> Answer? {
    guard isOpen, let reader else { return nil }
    do throws(PlaceStoreError) {
      return try ask(reader)
    } catch {
      isOpen = false
      closedUntil = now + 1000
      return nil
    }
  }
}
