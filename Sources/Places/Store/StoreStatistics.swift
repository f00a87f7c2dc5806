import FencepostMonitoring
package import FencepostGeodesy

/// Statistics of a store.
package struct StoreStatistics: Equatable, Sendable {
  /// The extremes, median, and first and last decile of some numbers.
  package struct Distribution: Equatable, Sendable {
    package var least: Double
    package var tenth: Double
    package var median: Double
    package var ninetieth: Double
    package var greatest: Double

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

  package var count: Int
  package var distinctPositions: Int
  /// The radii in meters; nil in an empty store.
  package var radiiMeters: Distribution?
  package var box: CoordinateBox?
  /// The distance in meters from a sampled place to its 20th nearest neighbor; nil if it has fewer.
  package var twentiethNeighborMeters: Distribution?
  /// The largest number of circles around the center of any sampled place.
  package var mostOverlapping: Int
  package var sampledPlaces: Int
  package var fileBytes: Int
}

extension PlaceStore {
  /// Measures the contents of a store, and the density at up to `sampleLimit` places.
  ///
  /// - Complexity: O(n log n), plus about 100 µs per sampled place.
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
      sampledPlaces: survey.sample.count,
      fileBytes: memory == nil ? StoreFileStamp(path: path)?.byteCount ?? 0 : 0)
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
}
