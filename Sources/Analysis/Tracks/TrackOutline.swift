import FencepostFiles
package import FencepostFixes
import FencepostGeodesy
package import FencepostTracks

/// A track's start time, number of fixes, and a sample of its fixes.
///
/// The sample decides whether two tracks are the same recording. It holds the fixes whose seconds
/// have the lowest hashes, so two recordings of one trip sample the same seconds, whatever their
/// order, format and number of fixes.
package struct TrackOutline: Sendable {
  struct Sample: Sendable {
    /// The hash of the fix's second, or of its cell on the ground if it has no time.
    var hash: UInt64
    var coordinate: Coordinate
  }

  static let mostSamples = 64

  package let path: String
  package private(set) var fixes = 0
  /// The earliest time in milliseconds since 1970; nil if the track has no times.
  package private(set) var firstMilliseconds: Int64?
  private(set) var samples: [Sample] = []
  /// Whether the sample holds every second of the track.
  private(set) var isComplete = true

  /// The largest hash in the sample, once it is full.
  private var greatest = UInt64.max
  private var waiting: [Sample] = []

  package init(path: String, fixes: [Fix]) {
    self.path = path
    for fix in fixes { take(fix) }
    settle()
  }

  /// Reads a track; nil if it cannot be read to its end or has no fixes.
  package init?(path: String, options: FixStream.Options) {
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
      key = Self.cell(of: fix.coordinate)
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

  private static func cell(of coordinate: Coordinate) -> UInt64 {
    let south = UInt32(truncatingIfNeeded: Int((coordinate.latitudeDegrees * 1e4).rounded()))
    let west = UInt32(truncatingIfNeeded: Int((coordinate.longitudeDegrees * 1e4).rounded()))
    return UInt64(south) << 32 | UInt64(west)
  }

  /// The SplitMix64 finalizer, which gives the same hashes in every run.
  private static func hash(_ key: UInt64, isTimed: Bool) -> UInt64 {
    var mixed = key &+ (isTimed ? 0x9E37_79B9_7F4A_7C15 : 0x3C6E_F372_FE94_F82A)
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension TrackOutline {
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
