import FencepostGeodesy

/// How near a track comes to the stories.
///
/// Measuring every story on every track is slow. Otherwise the path is kept to measure only crossed
/// stories, and ``NearestTracks`` finds the nearest track of each story from many paths at once.
struct TrackApproach {
  /// The longest path to keep, in trees (about 60 MB); a longer one is measured as it streams.
  private static let mostStretches = 6

  private let index: StoryIndex
  private let measuresAll: Bool
  /// Measures every story; nil while the path is kept.
  private var all: NearestApproach?
  private var blocks = PathBlocks()
  private var stretches: [PathTree] = []

  init(_ index: StoryIndex, measuresAll: Bool) {
    self.index = index
    self.measuresAll = measuresAll
    all = measuresAll ? NearestApproach(index) : nil
  }

  mutating func reset() {
    if measuresAll { all?.reset() } else { all = nil }
    stretches = []
    _ = blocks.finish()
  }

  mutating func take(_ coordinate: Coordinate, isJoined: Bool) {
    if measuresAll {
      all?.take(coordinate, isJoined: isJoined)
    } else if let full = blocks.take(coordinate, isJoined: isJoined) {
      keep(full)
    }
  }

  /// Ends the track and returns the distance to every story in meters, or else the kept path.
  mutating func finish() -> (nearestMeters: [Double], path: [PathTree]) {
    if measuresAll { _ = all?.finish() } else if let last = blocks.finish() { keep(last) }
    return (all?.distancesMeters ?? [], stretches)
  }

  private mutating func keep(_ stretch: PathTree) {
    stretches.append(stretch)
    guard all != nil || stretches.count > Self.mostStretches else { return }
    if all == nil { all = NearestApproach(index) }
    for kept in stretches { all?.measure(kept) }
    stretches = []
  }
}
