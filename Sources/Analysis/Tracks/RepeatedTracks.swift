import FencepostGeodesy
package import FencepostTracks

/// Tracks that repeat the fixes of another, found before an analysis so that each trip counts once.
///
/// A track is a copy of another if at least nine of ten of its fixes are also in the other: the same second, at
/// most two metres apart. So a recording that was exported in another format is found, also thinned or cut to an
/// eighth of its fixes, and two people in one car are not copies of each other. Without times both must cross the
/// same cells of a ten-thousandth of a degree. Of copies the one with most fixes counts, of these the first
/// by name: the outcome does not depend on the order of the files.
package struct RepeatedTracks: Sendable {
  /// A track that is not counted.
  package struct Copy: Equatable, Sendable {
    /// The track.
    package var path: String
    /// The track that it repeats, which counts.
    package var original: String
    /// The share of its fixes that the other has too, 0.9 … 1.
    package var share: Double
  }

  /// A sampled fix as it is looked up.
  private struct Key: Hashable {
    var hash: UInt64
    var south: Int32
    var west: Int32

    /// Cells of a hundredth of a degree keep apart those who travel at the same time elsewhere.
    init(_ sample: TrackOutline.Sample) {
      hash = sample.hash
      south = Int32((sample.coordinate.latitudeDegrees * 100).rounded())
      west = Int32((sample.coordinate.longitudeDegrees * 100).rounded())
    }
  }

  /// The copies, in the order of their names.
  package private(set) var copies: [Copy] = []

  /// Compares tracks.
  ///
  /// - Parameter outlines: The tracks' outlines, in any order.
  package init(_ outlines: [TrackOutline]) {
    let sorted = outlines.sorted {
      $0.fixes != $1.fixes ? $0.fixes > $1.fixes : Self.precedes($0.path, $1.path)
    }
    var counted: [Key: [Int]] = [:]
    for (number, outline) in sorted.enumerated() {
      let keys = outline.samples.map { Key($0) }
      var votes: [Int: Int] = [:]
      for key in keys {
        for other in counted[key] ?? [] { votes[other, default: 0] += 1 }
      }
      let best = votes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.lazy
        .compactMap { vote in
          outline.shareAsCopy(of: sorted[vote.key]).map { (sorted[vote.key].path, $0) }
        }.first
      if let (original, share) = best {
        copies.append(Copy(path: outline.path, original: original, share: share))
      } else {
        for key in keys { counted[key, default: []].append(number) }
      }
    }
    copies.sort { Self.precedes($0.path, $1.path) }
  }

  /// The order of names by their bytes, which no language changes.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

/// Reads tracks for the first time, over the cores.
package struct TrackSurvey: Sendable {
  /// The outlines of the tracks that can be read, in the order of their files.
  package private(set) var outlines: [TrackOutline] = []

  private final class Reader {}

  /// Reads tracks; standard input and pipes are passed over, because they can be read only once.
  ///
  /// - Parameters:
  ///   - paths: The tracks' files.
  ///   - options: How bytes become fixes.
  ///   - jobs: How many tracks to read at a time, at least 1.
  ///   - onTrack: Called after each track with how many were read.
  /// - Throws: Nothing of its own: a track that cannot be read has no outline.
  package init(
    _ paths: [String], options: FixStream.Options, jobs: Int, onTrack: (Int) -> Void = { _ in }
  ) async throws {
    let readable = paths.filter { TrackFiles.canBeReadAgain($0) }
    let readers = (0..<max(1, min(jobs, readable.count))).map { _ in Reader() }
    var outlines: [TrackOutline] = []
    var count = 0
    try await OrderedTaskPool(readers).run(count: readable.count) { _, number in
      TrackOutline(path: readable[number], options: options)
    } handOver: { outline in
      if let outline { outlines.append(outline) }
      count += 1
      onTrack(count)
    }
    self.outlines = outlines
  }
}
