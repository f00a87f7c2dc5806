#if Command
import FencepostSession
import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces

/// Answers a live session's engines from a store that other programs may change.
///
/// No lock is held between queries, and each query sees the store's latest state: an edit takes
/// effect at the next refresh, a new title at the next event. While another program locks the
/// store, a query waits and input is still received. If the store fails or its file disappears,
/// that is reported once, the monitored set stays, and events use the stories as last read.
final class LivePlaces: PlaceSource {
  /// What to do while another program locks the store.
  struct Waiting {
    /// Called repeatedly; receives input for about 20 ms and returns whether to wait longer.
    var pass: () -> Bool
    /// Called once, when the wait begins.
    var onLock: () -> Void
  }

  private var reader: PlaceReader
  private var stories = LiveStories()
  /// Set by the runner, which goes on to receive input.
  var waiting = Waiting(pass: { false }, onLock: {})
  var say: (String) -> Void = { _ in }

  private(set) var lastFailure: String?
  /// The queries so far, by which a session sees whether there was one.
  private(set) var askCount = 0
  /// Whether a query was abandoned because the program is ending, which voids its results.
  private(set) var isAbandoned = false
  private var isFailureReported = false
  /// Whether the store's file was replaced by one that cannot be used.
  private var isDisplaced = false
  /// The file at that path at the last attempt.
  private var triedStamp: StoreFileStamp?

  init(reader: PlaceReader) { self.reader = reader }

  var hasFailed: Bool { isFailureReported || isDisplaced }

  // MARK: Queries

  func answer(_ request: CandidateRequest) -> CandidateAnswer {
    askCount += 1
    do throws(PlaceStoreError) {
      let regions = try patiently { () throws(PlaceStoreError) -> [Region] in
        let regions = try reader.regions(request)
        try stories.prepare(for: regions, reader)
        return regions
      }
      if isFailureReported { say("\(reader.path): the store answers again") }
      isFailureReported = false
      return .found(regions)
    } catch {
      lastFailure = error.description
      report(error)
      return .failed
    }
  }

  func place(forKey key: Int64) throws -> Place? {
    askCount += 1
    do throws(PlaceStoreError) {
      return try patiently { () throws(PlaceStoreError) in try stories.story(ofKey: key, reader) }
    } catch {
      report(error)
      guard !isAbandoned, let story = stories.lastStory(ofKey: key) else { throw error }
      return story
    }
  }

  func key(forID id: String) throws -> Int64? {
    try patiently { () throws(PlaceStoreError) in try reader.place(withID: id)?.key }
  }

  var placeCount: Int {
    get throws { try patiently { () throws(PlaceStoreError) in try reader.count() } }
  }

  private func report(_ error: PlaceStoreError) {
    guard !isFailureReported, !isAbandoned, !reader.isDisplaced else { return }
    isFailureReported = true
    say("\(error); the watched stories stay the same until it answers")
  }

  /// Queries the store's latest state, repeatedly while the store is locked.
  private func patiently<Answer>(
    _ ask: () throws(PlaceStoreError) -> Answer
  ) throws(PlaceStoreError) -> Answer {
    var isWaiting = false
    while true {
      guard !reader.isDisplaced else { throw PlaceStoreError(code: .missing, path: reader.path) }
      do throws(PlaceStoreError) {
        if try reader.refreshSnapshot() { stories.noteChange() }
        let answer = try ask()
        try reader.endSnapshot()
        return answer
      } catch {
        // Ignore this failure, because the query's own failure is reported.
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

  // MARK: Replacement

  func replace(with successor: PlaceReader) {
    reader = successor
    stories = LiveStories()
    isDisplaced = false
    isFailureReported = false
  }

  /// Opens the file at the store's path if it was replaced.
  ///
  /// The monitored set must then be refreshed, because keys now refer to other places.
  func takeUpReplacement() -> Bool {
    guard reader.isDisplaced else {
      if isDisplaced { say("\(reader.path): the store is back") }
      isDisplaced = false
      return false
    }
    let stamp = reader.fileStamp
    guard !isDisplaced || stamp != triedStamp else { return false }
    do throws(PlaceStoreError) {
      let successor = try reader.reopened()
      replace(with: successor)
      say("\(successor.path): the file was replaced; following the stories of the new one")
      return true
    } catch {
      if !isDisplaced { say("\(error); the watched stories stay the same until the store is back") }
      isDisplaced = true
      // A locked file may soon be complete and still look the same.
      triedStamp = error.code == .locked ? nil : stamp
      return false
    }
  }
}

/// The stories of monitored places, as last read.
///
/// Events need their titles and texts, also when the store is locked or gone.
private struct LiveStories {
  /// Stories from the store's latest state; nil for a deleted place.
  private var present: [Int64: Place?] = [:]
  /// Stories from earlier states, in case the store fails.
  private var former: [Int64: Place] = [:]

  /// Marks all stories as outdated after the store has changed.
  mutating func noteChange() {
    if former.count > Self.mostKept { former.removeAll() }
    for (key, place) in present { if let place { former[key] = place } }
    present.removeAll()
  }

  mutating func prepare(for regions: [Region], _ reader: PlaceReader) throws(PlaceStoreError) {
    // An unlimited set can be large, so its stories are read on demand.
    guard regions.count <= Self.mostPrepared else { return }
    for region in regions {
      former[region.key] = nil
      if present[region.key] == nil { try read(region.key, reader) }
    }
  }

  /// The story of a monitored place; nil if it was deleted.
  mutating func story(
    ofKey key: Int64, _ reader: PlaceReader
  ) throws(PlaceStoreError) -> Place? {
    if let place = present[key] { return place }
    try read(key, reader)
    guard let place = present[key] ?? nil else { return nil }
    // A key may have been reused for another place.
    if let before = former[key], before.id != place.id { return nil }
    return place
  }

  /// The story as last read; nil if never read.
  func lastStory(ofKey key: Int64) -> Place? { (present[key] ?? nil) ?? former[key] }

  private mutating func read(_ key: Int64, _ reader: PlaceReader) throws(PlaceStoreError) {
    let place = try reader.place(forKey: key)
    if present.count >= Self.mostKept { noteChange() }
    present[key] = .some(place)
  }

  /// About 2 MB; places along a path recur.
  private static var mostKept: Int { 4096 }
  private static var mostPrepared: Int { 64 }
}
#endif
