import FencepostGeodesy
package import FencepostTracks

/// Finds tracks that repeat another, so that each trip counts once.
///
/// A track is a copy if at least 90 % of its fixes are in the other, at the same second and at most
/// 2 m away. This finds recordings exported in another format, thinned, or cut to an eighth, but
/// not those of two people in one car. Tracks without times must cross the same cells of 0.0001°.
/// The copy with the most fixes counts, or else the first by name.
package struct RepeatedTracks: Sendable {
  package struct Copy: Equatable, Sendable {
    package var path: String
    /// The track it repeats, which counts.
    package var original: String
    /// The share of its fixes that the original has too, 0.9 to 1.
    package var share: Double
  }

  private struct Key: Hashable {
    var hash: UInt64
    var south: Int32
    var west: Int32

    /// Cells of 0.01° separate tracks recorded at the same time in other places.
    init(_ sample: TrackOutline.Sample) {
      hash = sample.hash
      south = Int32((sample.coordinate.latitudeDegrees * 100).rounded())
      west = Int32((sample.coordinate.longitudeDegrees * 100).rounded())
    }
  }

  package private(set) var copies: [Copy] = []

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

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

/// Reads tracks in parallel before the analysis, to outline them.
package struct TrackSurvey: Sendable {
  /// The outlines of the readable tracks, in the order of the files.
  package private(set) var outlines: [TrackOutline] = []

  private final class Reader {}

  /// Reads tracks, skipping standard input and pipes, which can be read only once.
  ///
  /// An unreadable track has no outline. `onTrack` receives the number of tracks read so far.
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
