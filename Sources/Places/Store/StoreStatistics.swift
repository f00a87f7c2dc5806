import FencepostMonitoring
import FencepostFiles
import FencepostFormats
package import FencepostGeodesy
import Glibc

/// Figures about a store.
package struct StoreStatistics: Equatable, Sendable {
  /// The extremes, deciles and median of some numbers.
  package struct Distribution: Equatable, Sendable {
    /// The least number.
    package var least: Double
    /// A tenth of the numbers is at most this.
    package var tenth: Double
    /// Half of the numbers are at most this.
    package var median: Double
    /// Nine tenths of the numbers are at most this.
    package var ninetieth: Double
    /// The greatest number.
    package var greatest: Double

    /// Describes numbers; nil if there are none.
    init?(_ numbers: [Double]) {
      let sorted = numbers.sorted()
      guard let first = sorted.first, let last = sorted.last else { return nil }
      func value(_ share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
      least = first
      tenth = value(0.1)
      median = value(0.5)
      ninetieth = value(0.9)
      greatest = last
    }
  }

  /// The number of places.
  package var count: Int
  /// The number of different spots.
  package var distinctPositions: Int
  /// Their radii in metres; nil in an empty store.
  package var radiiMeters: Distribution?
  /// The box around them; nil in an empty store.
  package var box: CoordinateBox?
  /// The distance in metres from a sampled place to the 20th nearest other; nil if there are fewer.
  package var twentiethNeighborMeters: Distribution?
  /// The most circles that contain a sampled place's centre.
  package var mostOverlapping: Int
  /// At how many places the two figures above were sampled.
  package var sampledPlaces: Int
  /// The file's size in bytes; 0 in memory.
  package var fileBytes: Int
}

extension PlaceStore {
  /// Counts and measures what the store holds.
  ///
  /// - Parameter sampleLimit: At how many places at most, evenly spread over the table, the density is
  ///   measured.
  /// - Returns: The figures.
  /// - Complexity: O(n log n) for the table, some 100 µs for each sampled place.
  /// - Throws: ``PlaceStoreError``.
  package func statistics(sampleLimit: Int = 2000) throws(PlaceStoreError) -> StoreStatistics {
    let reader = try makeReader()
    let count = try reader.count()
    let stride = max(1, count / max(1, sampleLimit))
    var survey = Survey(stride: stride)
    try reader.list { place in
      survey.add(place)
      return true
    }
    var distances: [Double] = []
    var most = 0
    for coordinate in survey.sample {
      let near = try reader.nearest(to: coordinate, count: 21, rank: .center)
      if near.count == 21, let last = near.last { distances.append(last.centerDistanceMeters) }
      most = max(most, try reader.containing(coordinate).count)
    }
    return StoreStatistics(
      count: survey.radii.count, distinctPositions: survey.spots.count,
      radiiMeters: StoreStatistics.Distribution(survey.radii), box: survey.box,
      twentiethNeighborMeters: StoreStatistics.Distribution(distances), mostOverlapping: most,
      sampledPlaces: survey.sample.count, fileBytes: fileBytes)
  }

  private struct Survey {
    let stride: Int
    var radii: [Double] = []
    var spots: Set<Coordinate> = []
    var sample: [Coordinate] = []
    var box: CoordinateBox?

    init(stride: Int) { self.stride = stride }

    mutating func add(_ place: Place) {
      let spot = place.coordinate.canonical
      if radii.count % stride == 0 { sample.append(spot) }
      radii.append(place.radiusMeters)
      spots.insert(spot)
      let (x, y) = (spot.longitudeDegrees, spot.latitudeDegrees)
      let old =
        box ?? CoordinateBox(westDegrees: x, southDegrees: y, eastDegrees: x, northDegrees: y)
      box = CoordinateBox(
        westDegrees: min(old.westDegrees, x), southDegrees: min(old.southDegrees, y),
        eastDegrees: max(old.eastDegrees, x), northDegrees: max(old.northDegrees, y))
    }
  }

  private var fileBytes: Int {
    guard memory == nil else { return 0 }
    var status = stat()
    // `status` is ours and of the size the system expects.
    return unsafe stat(path.fileNameBytes, &status) == 0 ? Int(status.st_size) : 0
  }
}
