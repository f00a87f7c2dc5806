import FencepostGeodesy

/// Places clustered as real ones are: in cities of very different sizes, some between them, and
/// ``Metro``.
///
/// Place number `index` is the same whenever it is asked for, so that bounds and queries need no
/// file.
struct WorldPlaces {
  /// A place, without its words.
  struct Place {
    var point: GridPoint
    var radiusMeters: Int
    var city: Int
  }

  private struct City {
    var plane: LocalPlane
    var radiusMeters: Double
  }

  /// South, north, west and east in degrees of areas like the continents; one spans 180°.
  private static let lands: [(south: Double, north: Double, west: Double, east: Double)] = [
    (25, 55, -125, -65), (-40, 10, -80, -40), (36, 62, -10, 40),
    (-34, 32, -15, 48), (8, 55, 60, 145), (-45, -10, 113, 185),
  ]
  private static let cityCount = 4_000
  private static let seed: UInt64 = 20

  let count: Int
  private let metroCount: Int
  private let metroStride: Int
  private let cities: [City]
  /// Sum of the weights of the cities up to and including each.
  private let cumulative: [Double]

  /// Lays out a world.
  ///
  /// - Parameters:
  ///   - count: How many places.
  ///   - isDense: Whether the metro is fuller than usual.
  ///   - isCity: Whether there is nothing but the metro.
  init(count: Int, isDense: Bool = false, isCity: Bool = false) {
    self.count = count
    metroCount =
      isCity ? count : min(count / 4, isDense ? Metro.densePlaceCount : Metro.placeCount)
    metroStride = max(1, count / max(1, metroCount))
    var cities: [City] = []
    var cumulative: [Double] = []
    var sum = 0.0
    for rank in 0..<Self.cityCount {
      var random = SplitMix64(seed: Self.seed + 1, item: rank)
      // Zipf's law, flattened at the top as that of cities is.
      let weight = 1 / Double(rank + 8)
      sum += weight
      cumulative.append(sum)
      let spot = Self.landSpot(&random)
      cities.append(
        City(
          plane: LocalPlane(latitudeDegrees: spot.latitude, longitudeDegrees: spot.longitude),
          radiusMeters: 60_000 * weight.squareRoot()))
    }
    self.cities = cities
    self.cumulative = cumulative
  }

  subscript(index: Int) -> Place {
    var random = SplitMix64(seed: Self.seed, item: index)
    let radius = Self.radiusMeters(&random)
    if index % metroStride == 0, index / metroStride < metroCount {
      let spot = Metro.spot(&random, coreShare: 0.4)
      return Place(
        point: Metro.plane.point(eastMeters: spot.east, northMeters: spot.north),
        radiusMeters: radius, city: 0)
    }
    if random.unit() < 0.85 {
      let number = cityNumber(random.unit())
      let city = cities[number]
      let direction = random.direction()
      let distance = city.radiusMeters * random.unit() * random.unit()
      return Place(
        point: city.plane.point(
          eastMeters: direction.x * distance, northMeters: direction.y * distance),
        radiusMeters: radius, city: number + 1)
    }
    let spot = Self.landSpot(&random)
    return Place(
      point: GridPoint(latitudeDegrees: spot.latitude, longitudeDegrees: spot.longitude),
      radiusMeters: radius, city: -1)
  }

  /// Most have the default; a few are whole quarters.
  private static func radiusMeters(_ random: inout SplitMix64) -> Int {
    let share = random.unit()
    if share < 0.8 { return 100 }
    if share < 0.95 { return Int(random.uniform(50, 250)) }
    if share < 0.999 { return Int(random.uniform(250, 1_000)) }
    return Int(random.uniform(2_000, 10_000))
  }

  private static func landSpot(
    _ random: inout SplitMix64
  ) -> (latitude: Double, longitude: Double) {
    let land = lands[random.index(below: lands.count)]
    return (random.uniform(land.south, land.north), random.uniform(land.west, land.east))
  }

  /// The city in whose share of the weights a number of 0 ..< 1 falls.
  private func cityNumber(_ share: Double) -> Int {
    let wanted = share * (cumulative.last ?? 0)
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] <= wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
