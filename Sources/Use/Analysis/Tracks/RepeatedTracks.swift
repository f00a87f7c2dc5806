import FencepostFiles
package import FencepostFixes
import FencepostGeodesy
package import FencepostTracks

/// Finds tracks that repeat another, so that each trip counts once.
///
/// A track is a copy if at least 90 % of its fixes are in the other, at the same second and at most
/// 2 m away. This finds recordings exported in another format, thinned, or cut to an eighth, but
/// not those of two people in one car. Tracks without times must cross the same cells of 0.0001°.
/// The copy with the most fixes counts, or else the first by name.
package struct RepeatedTracks: Sendable {
  /// A track that is left out because it repeats another.
  ///
  /// Reports list copies, so that a track left out by mistake is noticed.
  package struct Copy: Equatable, Sendable {
    /// The copy's file.
    package var path: String
    /// The track it repeats, which counts.
    package var original: String
    /// The share of its fixes that the original has too, 0.9 to 1.
    package var share: Double
  }

  /// What two copies of a fix have in common, by which candidates for a comparison are found.
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

  /// The copies, sorted by path.
  package private(set) var copies: [Copy] = []

  /// Finds the copies among outlined tracks.
  ///
  /// - Complexity: O(n log n) for n outlines, if few tracks share a second and a place.
  package init(_ outlines: [TrackOutline]) {
    let sorted = outlines.sorted {
      $0.fixes != $1.fixes ? $0.fixes > $1.fixes : Self.precedes($0.path, $1.path)
    }
    var counted: [Key: [Int]] = [:]
    for (number, outline) in sorted.enumerated() {
      let keys = outline.samples.map { Key($0) }
      var votes: [Int: Int] = [:]
      for other in keys.lazy.flatMap({ counted[$0] ?? [] }) { votes[other, default: 0] += 1 }
      let best = votes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.lazy.compactMap { vote in
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

/// A track's start time, number of fixes, and a sample of its fixes.
///
/// The sample decides whether two tracks are the same recording. It holds the fixes whose seconds
/// have the lowest hashes, so two recordings of one trip sample the same seconds, whatever their
/// order, format and number of fixes.
package struct TrackOutline: Sendable {
  /// One sampled fix.
  struct Sample: Sendable {
    /// The hash of the fix's second, or of its cell on the ground if it has no time.
    var hash: UInt64
    var coordinate: Coordinate
  }

  static let mostSamples = 64

  /// The track's file.
  package let path: String
  /// The number of accepted fixes.
  package private(set) var fixes = 0
  /// The earliest time in milliseconds since 1970; nil if the track has no times.
  package private(set) var firstMilliseconds: Int64?
  private(set) var samples: [Sample] = []
  /// Whether the sample holds every second of the track.
  private(set) var isComplete = true

  /// The largest hash in the sample, once it is full.
  private var greatest = UInt64.max
  private var waiting: [Sample] = []

  /// Outlines a track in memory.
  package init(path: String, fixes: [Fix]) {
    self.path = path
    for fix in fixes { take(fix) }
    settle()
  }

  /// Reads a track; nil if it cannot be read to its end or has no fixes.
  package init?(path: String, options: FixStreamOptions) {
    self.path = path
    do throws(FixSourceError) {
      var reader = try FixReader(path: path, options: options)
      var batch = FixBatch()
      while try reader.read(into: &batch) {
        if Task.isCancelled { return nil }
        for fix in batch.fixes { take(fix) }
      }
    } catch {
      // The analysis reports the error when it reads the track.
      return nil
    }
    settle()
    if fixes == 0 { return nil }
  }

  private mutating func take(_ fix: Fix) {
    fixes += 1
    let key: UInt64
    if let time = fix.timeMilliseconds {
      firstMilliseconds = min(firstMilliseconds ?? time, time)
      key = UInt64(bitPattern: time >= 0 ? time / 1000 : (time - 999) / 1000)
    } else {
      // A cell of 0.0001°.
      let south = UInt32(truncatingIfNeeded: Int((fix.coordinate.latitudeDegrees * 1e4).rounded()))
      let west = UInt32(truncatingIfNeeded: Int((fix.coordinate.longitudeDegrees * 1e4).rounded()))
      key = UInt64(south) << 32 | UInt64(west)
    }
    let hash = Self.hash(key, isTimed: fix.timeMilliseconds != nil)
    guard hash <= greatest else { return isComplete = false }
    waiting.append(Sample(hash: hash, coordinate: fix.coordinate))
    if waiting.count >= 4 * Self.mostSamples { settle() }
  }

  /// Merges waiting fixes into the sample, keeping the first fix of each second.
  private mutating func settle() {
    var all = samples
    var seen = Set(samples.map(\.hash))
    for sample in waiting where seen.insert(sample.hash).inserted { all.append(sample) }
    waiting.removeAll(keepingCapacity: true)
    all.sort { $0.hash < $1.hash }
    if all.count > Self.mostSamples {
      isComplete = false
      all.removeLast(all.count - Self.mostSamples)
    }
    if all.count == Self.mostSamples { greatest = all[all.count - 1].hash }
    samples = all
  }

  private static func hash(_ key: UInt64, isTimed: Bool) -> UInt64 {
    (key &+ (isTimed ? 0x9E37_79B9_7F4A_7C15 : 0x3C6E_F372_FE94_F82A)).mixed
  }
}

extension TrackOutline {
  /// Outlines the readable tracks among some, in parallel, in their order.
  ///
  /// Standard input and pipes are skipped, because they can be read only once. `onTrack` receives
  /// the number of tracks read so far.
  package static func all(
    of paths: [String], options: FixStreamOptions, jobs: Int, onTrack: (Int) -> Void = { _ in }
  ) async throws -> [TrackOutline] {
    let readable = paths.filter { TrackFiles.canBeReadAgain($0) }
    var outlines: [TrackOutline] = []
    var count = 0
    try await OrderedTaskPool(jobs: jobs, for: readable.count) {}.run { _, number in
      TrackOutline(path: readable[number], options: options)
    } handOver: { outline in
      if let outline { outlines.append(outline) }
      count += 1
      onTrack(count)
    }
    return outlines
  }

  /// The distance up to which two fixes of one second are the same, in meters.
  ///
  /// More than any format rounds; less than two receivers side by side differ all the time.
  private static let mostMetersApart = 2.0
  /// The share of fixes that a copy must have in common with the original.
  private static let leastShare = 0.9
  /// With fewer fixes in common, only a complete sample is evidence.
  private static let leastEvidence = 8

  /// Returns the share of fixes that another track also has, if this track is a copy of it.
  ///
  /// Both samples hold every fix up to the lower of their largest hashes. The share of fixes up to
  /// there is an unbiased estimate of the share in the whole track.
  func shareAsCopy(of other: TrackOutline) -> Double? {
    let limit = min(isComplete ? .max : greatest, other.isComplete ? .max : other.greatest)
    var common = 0
    var next = 0
    let own = samples.prefix { $0.hash <= limit }
    for sample in own {
      while next < other.samples.count, other.samples[next].hash < sample.hash { next += 1 }
      guard next < other.samples.count, other.samples[next].hash == sample.hash else { continue }
      let meters = Geodesic.distanceMeters(sample.coordinate, other.samples[next].coordinate)
      // Without times, the hash already compares cells.
      if meters <= Self.mostMetersApart || firstMilliseconds == nil { common += 1 }
    }
    guard !own.isEmpty else { return nil }
    let share = Double(common) / Double(own.count)
    let isEnough = common >= Self.leastEvidence || (isComplete && common == own.count && common > 1)
    guard share >= Self.leastShare, isEnough else { return nil }
    if firstMilliseconds == nil {
      // Others may take the same road, so tracks without times must match in both directions.
      let others = other.samples.prefix { $0.hash <= limit }.count
      guard Double(common) >= Self.leastShare * Double(others) else { return nil }
    }
    return share
  }
}
