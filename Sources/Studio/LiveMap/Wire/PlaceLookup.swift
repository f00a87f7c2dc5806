import Geodesy
import Monitoring
import Places

/// Finds the places near a device, and the names of those that are monitored, on the server's thread.
///
/// A store that another program is writing is left alone for a second: the map shows circles without
/// names meanwhile, and goes on with what was near before. Another file that takes the place of the
/// store's is taken up, and one that is gone is not asked.
final class PlaceLookup {
  private let store: PlaceStore
  private var reader: PlaceReader?
  private var known: [Int64: Place] = [:]
  private var closedUntil: Int64 = 0
  /// Whether another file was taken up, in which keys mean other places.
  private var hasSwitched = false
  /// Counts the states of the store that were seen.
  private(set) var version = 0

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
      let reader = try currentReader()
      self.reader = reader
      if try reader.refreshSnapshot() { noteChange() }
      return true
    } catch {
      return false
    }
  }

  private func currentReader() throws(PlaceStoreError) -> PlaceReader {
    guard let reader else {
      return try store.makeReader(lockWaitMilliseconds: Self.lockWaitMilliseconds)
    }
    guard reader.isDisplaced else { return reader }
    let successor = try reader.reopened()
    hasSwitched = true
    noteChange()
    return successor
  }

  private func noteChange() {
    known.removeAll()
    version += 1
  }

  /// The place that a region is around; nil where it is not known.
  ///
  /// The session may not have taken up yet what is read here, or the other way round.
  func place(of region: Region) -> Place? {
    guard let place = place(forKey: region.key) else { return nil }
    return hasSwitched && place.coordinate != region.circle.center.coordinate ? nil : place
  }

  /// The place of a key; nil where there is none or the store does not answer.
  private func place(forKey key: Int64) -> Place? {
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
