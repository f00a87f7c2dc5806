import FencepostGeodesy

/// How near a track came to the stories: measured at once for every story, or kept so that it can be asked.
///
/// Measuring every story costs stories × tracks. A path that is kept answers for the stories that were crossed, and
/// ``NearestTracks`` finds the nearest track of all stories from many paths at once.
struct TrackApproach {
  /// The longest path that is kept, in stretches, about 60 MB; a longer one is measured as it streams by.
  private static let mostStretches = 6

  private let index: StoryIndex
  private let measuresAll: Bool
  /// The distance of every story; nil while the path is kept.
  private var all: NearestApproach?
  private var blocks = PathBlocks()
  private var stretches: [PathTree] = []

  /// Begins without a track.
  ///
  /// - Parameters:
  ///   - index: All places.
  ///   - measuresAll: Whether every story's distance is wanted for every track.
  init(_ index: StoryIndex, measuresAll: Bool) {
    self.index = index
    self.measuresAll = measuresAll
    all = measuresAll ? NearestApproach(index) : nil
  }

  /// Begins a track.
  mutating func reset() {
    if measuresAll { all?.reset() } else { all = nil }
    stretches = []
    _ = blocks.finish()
  }

  /// Takes the path's next vertex.
  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if measuresAll {
      all?.take(coordinate, isJoined: isJoined)
    } else if let full = blocks.take(coordinate, isJoined: isJoined) {
      keep(full)
    }
  }

  /// Ends the track.
  ///
  /// - Returns: The distance of every story in metres, or else the path's stretches.
  mutating func finish() -> (nearestMeters: [Double], path: [PathTree]) {
    if measuresAll { _ = all?.finish() } else if let last = blocks.finish() { keep(last) }
    return (all?.distancesMeters ?? [], stretches)
  }

  private mutating func keep(_ stretch: PathTree) {
    stretches.append(stretch)
    guard all != nil || stretches.count > Self.mostStretches else { return }
    // The path became too long to keep.
    if all == nil { all = NearestApproach(index) }
    for kept in stretches { all?.measure(kept) }
    stretches = []
  }
}
