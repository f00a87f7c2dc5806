import FencepostFiles
package import FencepostFixes
import FencepostGeodesy
package import FencepostTracks

/// What a first reading of a track finds: when it was, how long it is, and a sample of its fixes.
///
/// The sample decides whether two tracks are the same recording. It holds the fixes whose seconds have the lowest
/// hashes, so that two recordings of one trip sample the same seconds, whatever their order, format and
/// number of fixes.
package struct TrackOutline: Sendable {
  /// A sampled fix.
  struct Sample: Sendable {
    /// The hash of its second, or of its cell on the ground if it has no time.
    var hash: UInt64
    var coordinate: Coordinate
  }

  /// Most fixes of a sample.
  static let mostSamples = 64

  /// The track's file.
  package let path: String
  /// Number of accepted fixes.
  package private(set) var fixes = 0
  /// The earliest time in milliseconds since 1970; nil without times.
  package private(set) var firstMilliseconds: Int64?
  /// The sample, ascending by hash.
  private(set) var samples: [Sample] = []
  /// Whether the sample holds every second of the track.
  private(set) var isComplete = true

  /// The greatest hash of the sample, once that is full.
  private var greatest = UInt64.max
  private var waiting: [Sample] = []

  /// Makes the outline of a track of fixes.
  package init(path: String, fixes: [Fix]) {
    self.path = path
    for fix in fixes { take(fix) }
    settle()
  }

  /// Reads a track; nil if it cannot be read to its end or has no fix.
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
      // The analysis itself reports what is wrong with it.
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

  /// Sorts what waits into the sample; of several fixes of a second the first counts.
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

  /// A cell of a ten-thousandth of a degree.
  private static func cell(of coordinate: Coordinate) -> UInt64 {
    let south = UInt32(truncatingIfNeeded: Int((coordinate.latitudeDegrees * 1e4).rounded()))
    let west = UInt32(truncatingIfNeeded: Int((coordinate.longitudeDegrees * 1e4).rounded()))
    return UInt64(south) << 32 | UInt64(west)
  }

  /// SplitMix64's finisher, which is the same in every run.
  private static func hash(_ key: UInt64, isTimed: Bool) -> UInt64 {
    var mixed = key &+ (isTimed ? 0x9E37_79B9_7F4A_7C15 : 0x3C6E_F372_FE94_F82A)
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension TrackOutline {
  /// How far apart two fixes of one second may be in two copies: more than any format rounds by, less than two
  /// receivers beside each other differ by all the time.
  private static let mostMetersApart = 2.0
  /// The share of its fixes that a copy has in common with the other.
  private static let leastShare = 0.9
  /// With fewer fixes in common only a complete sample is evidence.
  private static let leastEvidence = 8

  /// The share of this track's fixes that another also has, if that makes it a copy of the other.
  ///
  /// Up to the lower of the greatest hashes of two samples both hold every fix, so that the share there
  /// is an unbiased estimate of the share in all.
  func shareAsCopy(of other: TrackOutline) -> Double? {
    let limit = min(isComplete ? .max : greatest, other.isComplete ? .max : other.greatest)
    var common = 0
    var next = 0
    let own = samples.prefix { $0.hash <= limit }
    for sample in own {
      while next < other.samples.count, other.samples[next].hash < sample.hash { next += 1 }
      guard next < other.samples.count, other.samples[next].hash == sample.hash else { continue }
      let meters = Geodesic.distanceMeters(sample.coordinate, other.samples[next].coordinate)
      // Without times the cell has been compared.
      if meters <= Self.mostMetersApart || firstMilliseconds == nil { common += 1 }
    }
    guard !own.isEmpty else { return nil }
    let share = Double(common) / Double(own.count)
    let isEnough = common >= Self.leastEvidence || (isComplete && common == own.count && common > 1)
    guard share >= Self.leastShare, isEnough else { return nil }
    if firstMilliseconds == nil {
      // A road that others take too is no copy: without times both must be the same all the way.
      let others = other.samples.prefix { $0.hash <= limit }.count
      guard Double(common) >= Self.leastShare * Double(others) else { return nil }
    }
    return share
  }
}
