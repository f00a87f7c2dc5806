import Fencepost
import Geodesy
import Monitoring
import Places

/// Answers the engines of a live session from a store that others may write to meanwhile.
///
/// Between two questions no lock is held. Each question sees what the store holds then: a change is
/// seen at the next refresh, a new title at the next event. While another program has the store
/// locked a question waits, and input is taken in meanwhile. Where the store fails, or its file is
/// gone, that is said once, what is monitored stays, and its stories are told as they were read last.
final class LivePlaces: PlaceSource {
  /// What happens while the store is locked.
  struct Waiting {
    /// Called again and again; takes in input, returns after some ten milliseconds, and says whether
    /// to go on waiting.
    var pass: () -> Bool
    /// Told once when it begins.
    var onLock: () -> Void
  }

  private var reader: PlaceReader
  private var cache: NearestCache
  private var stories = LiveStories()
  /// What happens while the store is locked.
  var waiting = Waiting(pass: { false }, onLock: {})
  /// Told sentences for the user.
  var say: (String) -> Void = { _ in }

  /// The sentence of the last failure, nil when there was none.
  private(set) var lastFailure: String?
  /// How many questions were answered so far.
  private(set) var askCount = 0
  /// Whether a question was given up because the program ends; what follows from its answer is void.
  private(set) var isAbandoned = false
  /// Whether it was said that the store fails.
  private var isFailureTold = false
  /// Whether another file stands at the store's path, and cannot be used.
  private var isDisplaced = false
  /// What stood there when it was tried last.
  private var triedStamp: StoreFileStamp?

  init(reader: PlaceReader) {
    self.reader = reader
    cache = NearestCache(reader)
  }

  // MARK: Questions

  func answer(_ request: CandidateRequest) -> CandidateAnswer {
    askCount += 1
    do throws(PlaceStoreError) {
      let regions = try patiently { () throws(PlaceStoreError) -> [Region] in
        let regions = try cache.regions(request)
        try stories.prepare(for: regions, reader)
        return regions
      }
      if isFailureTold { say("\(reader.path): the store answers again") }
      isFailureTold = false
      return .found(regions)
    } catch {
      lastFailure = error.description
      tell(error)
      return .failed
    }
  }

  func place(forKey key: Int64) throws -> Place? {
    askCount += 1
    do throws(PlaceStoreError) {
      return try patiently { () throws(PlaceStoreError) in try stories.story(ofKey: key, reader) }
    } catch {
      tell(error)
      guard !isAbandoned, let story = stories.lastStory(ofKey: key) else { throw error }
      return story
    }
  }

  var placeCount: Int {
    get throws { try patiently { () throws(PlaceStoreError) in try reader.count() } }
  }

  /// Says once that the store fails.
  private func tell(_ error: PlaceStoreError) {
    guard !isFailureTold, !isAbandoned, !reader.isDisplaced else { return }
    isFailureTold = true
    say("\(error); what is monitored stays until it answers")
  }

  /// Asks on the newest state of the store, and again as long as the store is locked.
  private func patiently<Answer>(
    _ ask: () throws(PlaceStoreError) -> Answer
  ) throws(PlaceStoreError) -> Answer {
    var isWaiting = false
    while true {
      guard !reader.isDisplaced else {
        throw PlaceStoreError(code: .missing, path: reader.path)
      }
      do throws(PlaceStoreError) {
        if try cache.refreshSnapshot() { stories.noteChange() }
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

  // MARK: Another file

  /// Takes up the file that stands at the store's path, where it is another one than before.
  ///
  /// - Returns: Whether it is; what is monitored must be asked for anew then, as keys mean other places.
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
      reader = successor
      cache = NearestCache(successor)
      stories = LiveStories()
      isDisplaced = false
      isFailureTold = false
      say("\(successor.path): another file stands there now; its places are followed")
      return true
    } catch {
      if !isDisplaced { say("\(error); what is monitored stays until a store is there") }
      isDisplaced = true
      // One that is being written may be whole the next moment, and looks the same.
      triedStamp = error.code == .locked ? nil : stamp
      return false
    }
  }
}

/// The stories of the places that are monitored, as they were read last.
private struct LiveStories {
  /// Those of the store's present state.
  private var present: [Int64: Place?] = [:]
  /// Those of a state before, for when the store fails.
  private var former: [Int64: Place] = [:]

  /// The store has changed: what was read may be so no more.
  mutating func noteChange() {
    if former.count > Self.mostKept { former.removeAll() }
    for (key, place) in present { if let place { former[key] = place } }
    present.removeAll()
  }

  /// Reads the stories of places that are going to be monitored.
  mutating func prepare(for regions: [Region], _ reader: PlaceReader) throws(PlaceStoreError) {
    // Without a limit of the set it grows, and its stories are read when they are met.
    guard regions.count <= Self.mostPrepared else { return }
    for region in regions {
      former[region.key] = nil
      if present[region.key] == nil { try read(region.key, reader) }
    }
  }

  /// The story of a place that is monitored, nil where there is none any more.
  mutating func story(
    ofKey key: Int64, _ reader: PlaceReader
  ) throws(PlaceStoreError) -> Place? {
    if let place = present[key] { return place }
    try read(key, reader)
    guard let place = present[key] ?? nil else { return nil }
    // A key may be used again for another place.
    if let before = former[key], before.id != place.id { return nil }
    return place
  }

  /// The story as it was read last, nil where it never was.
  func lastStory(ofKey key: Int64) -> Place? { (present[key] ?? nil) ?? former[key] }

  private mutating func read(_ key: Int64, _ reader: PlaceReader) throws(PlaceStoreError) {
    let place = try reader.place(forKey: key)
    if present.count >= Self.mostKept { noteChange() }
    present[key] = .some(place)
  }

  /// Places along a path come again and again; this many are kept, about two megabytes.
  private static var mostKept: Int { 4096 }
  private static var mostPrepared: Int { 64 }
}
