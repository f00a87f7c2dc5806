import FencepostFiles
public import FencepostFixes
import FencepostFormats
import FencepostGeodesy
public import FencepostTracks

/// The fixes of a track in memory, for runs that are repeated.
public struct RecordedTrack: Sendable {
  /// The track's name in reports.
  public let name: String
  /// The accepted fixes.
  public let fixes: [Fix]
  /// The numbers of its fixes: how many were rejected and why, and what is to be said of the track.
  public let account: TrackAccount
  /// Where the path is, roughly.
  let hull: PathHull

  /// Reads a track.
  ///
  /// - Parameters:
  ///   - path: The track's file, `-` for standard input.
  ///   - name: The track's name in reports; nil for that of the file.
  ///   - options: How bytes become fixes.
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fix.
  public init(
    path: String, name: String? = nil, options: FixStream.Options = FixStream.Options()
  ) throws(TrackFailure) {
    let name = name ?? (path == "-" ? "stdin" : path.shownFileName)
    var account = TrackAccount(track: name)
    var fixes: [Fix] = []
    do throws(FixSourceError) {
      var reader = try FixReader(path: path, options: options)
      var batch = FixBatch()
      while try reader.read(into: &batch) { fixes += batch.fixes }
      account.note(reader)
    } catch {
      throw TrackFailure(path: name, kind: .fixes(error))
    }
    guard !fixes.isEmpty else {
      throw TrackFailure(path: name, kind: .empty(rejected: account.rejectedByReason))
    }
    self.init(name: name, fixes: fixes, account: account)
  }

  /// Makes a track of its fixes.
  public init(name: String, fixes: [Fix], account: TrackAccount? = nil) {
    self.name = name
    self.fixes = fixes
    self.account = account ?? TrackAccount(track: name)
    hull = PathHull(fixes)
  }

  /// Every piece of a thousand fixes, in order: work is interrupted only between pieces.
  func forEachPiece(_ body: ([Fix]) -> Bool) -> Bool {
    var start = 0
    while start < fixes.count {
      let end = min(start + FixReader.batchCount, fixes.count)
      guard body(Array(fixes[start..<end])) else { return false }
      start = end
    }
    return true
  }
}

/// Spheres that contain a path: says of most circles at once that the path is nowhere near them.
struct PathHull: Sendable {
  private struct Sphere {
    var center: SIMD3<Double>
    var radiusMeters: Double
  }

  private static let verticesPerSphere = 64
  /// Longer segments are taken to pass anywhere.
  private static let longestSegmentMeters = 2_000_000.0
  /// Less than any radius of curvature of the ellipsoid.
  private static let leastCurvatureRadiusMeters = 6_335_000.0

  private var spheres: [Sphere] = []

  init(_ fixes: [Fix]) {
    let vectors = fixes.map { Position($0.coordinate).vector }
    var start = 0
    while start < vectors.count {
      let end = min(start + Self.verticesPerSphere, vectors.count)
      // The segment that leads to the first vertex belongs to it.
      spheres.append(Self.sphere(around: vectors[max(0, start - 1)..<end]))
      start = end
    }
  }

  private static func sphere(around vectors: ArraySlice<SIMD3<Double>>) -> Sphere {
    var low = SIMD3(repeating: Double.infinity)
    var high = -low
    var sag = 0.0
    for (index, vector) in vectors.enumerated() {
      low = pointwiseMin(low, vector)
      high = pointwiseMax(high, vector)
      guard index > 0 else { continue }
      let chord = lengthMeters(vector - vectors[vectors.startIndex + index - 1])
      // How far the geodesic bulges out above its chord, with a margin for the terms left out.
      sag = max(
        sag,
        chord > longestSegmentMeters
          ? .infinity : 1.1 * chord * chord / (8 * leastCurvatureRadiusMeters))
    }
    let center = (low + high) / 2
    let radius = vectors.reduce(0) { max($0, lengthMeters($1 - center)) }
    return Sphere(center: center, radiusMeters: radius + sag)
  }

  /// Whether the path may come within a distance of a circle; true where that is not certain.
  ///
  /// A distance along the ellipsoid is never less than the chord.
  func mayCome(within marginMeters: Double, of circle: Circle) -> Bool {
    let reach = circle.radiusMeters + marginMeters
    return spheres.contains { sphere in
      lengthMeters(sphere.center - circle.center.vector) <= sphere.radiusMeters + reach
    }
  }
}
