#if Command
import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Synchronization

/// Finds the places near a device and the names of watched ones.
///
/// For the server's thread only. While another program locks the store, lookups pause for a second
/// and the map shows circles without names and the previous nearby places. If the store's file is
/// replaced, lookups move to the new file; if it is gone, they stop.
final class PlaceLookup {
  private let stories: StoriesInUse
  /// The number of the store that the reader reads.
  private var storeNumber = 0
  private var reader: PlaceReader?
  /// Places by key, as read since the store last changed.
  private var known: [Int64: Place] = [:]
  private var knownHome: HomeView?
  /// When the store may be asked again, on the server's clock in milliseconds.
  private var closedUntil: Int64 = 0
  /// Whether the file was replaced, so that keys may refer to other places.
  private var hasSwitched = false
  /// Counts the versions of the store seen so far.
  private(set) var version = 0

  /// The most places to remember.
  private static var mostKnown: Int { 4096 }
  /// The most places that decide what the map shows at first.
  private static var sampledPlaces: Int { 200 }
  private static var lockWaitMilliseconds: Int { 50 }

  init(_ stories: StoriesInUse) {
    self.stories = stories
  }

  /// Calls `body` with a snapshot of the store, then releases it.
  func ask<Result>(nowMilliseconds: Int64, _ body: (PlaceLookup) -> Result) -> Result {
    isOpen = nowMilliseconds >= closedUntil && open()
    if !isOpen, nowMilliseconds >= closedUntil { closedUntil = nowMilliseconds + 1000 }
    now = nowMilliseconds
    defer {
      // If this fails, so does the next lookup, which reports it.
      try? reader?.endSnapshot()
      isOpen = false
    }
    return body(self)
  }

  private var isOpen = false
  private var now: Int64 = 0

  /// Begins a snapshot of the store; false if it cannot be read now.
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

  /// A reader of the store that the session uses, whose file may have been replaced.
  private func currentReader() throws(PlaceStoreError) -> PlaceReader {
    let (store, number) = stories.current
    if number != storeNumber {
      (reader, storeNumber, hasSwitched) = (nil, number, true)
      noteChange()
    }
    guard let reader else {
      return try store.makeReader(lockWaitMilliseconds: Self.lockWaitMilliseconds)
    }
    guard reader.isDisplaced else { return reader }
    let successor = try reader.reopened()
    hasSwitched = true
    noteChange()
    return successor
  }

  /// Forgets what was read, because the store may have changed.
  private func noteChange() {
    known.removeAll()
    knownHome = nil
    version += 1
  }

  /// The place of a region; nil if unknown.
  ///
  /// This lookup and the session may briefly see different versions of the store.
  func place(of region: Region) -> Place? {
    guard let place = place(forKey: region.key) else { return nil }
    return hasSwitched && place.coordinate != region.circle.center.coordinate ? nil : place
  }

  /// The place with a key; nil for an unknown key or a store that cannot be read.
  private func place(forKey key: Int64) -> Place? {
    if let place = known[key] { return place }
    guard let place = answer({ reader throws(PlaceStoreError) in try reader.place(forKey: key) })
    else { return nil }
    guard let place else { return nil }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[key] = place
    return place
  }

  /// The places nearest to a point; nil if the store cannot be read.
  func near(_ coordinate: Coordinate, count: Int) -> [Place]? {
    let found = answer { reader throws(PlaceStoreError) in
      try reader.nearest(to: coordinate, count: count, rank: .center)
    }
    return found?.compactMap { place(forKey: $0.key) }
  }

  /// Where the places are; nil if the store is empty or cannot be read.
  var home: HomeView? {
    if let knownHome { return knownHome }
    let positions = answer { reader throws(PlaceStoreError) in
      try reader.sample(Self.sampledPlaces)
    }
    knownHome = positions.flatMap { HomeView(of: $0) }
    return knownHome
  }

  /// Asks the reader; after a failure, the store rests for a second and the answer is nil.
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

/// The store that a session follows, which it may replace by another.
///
/// Thread-safe.
///
/// The session replaces it after a reload, and the server's thread notices by the number.
final class StoriesInUse: Sendable {
  private let state: Mutex<(store: PlaceStore, number: Int)>

  init(_ store: PlaceStore) { state = Mutex((store, 0)) }

  /// The store, and how many there were before it.
  var current: (store: PlaceStore, number: Int) { state.withLock { $0 } }

  func replace(by store: PlaceStore) { state.withLock { $0 = (store, $0.number + 1) } }
}
#endif
