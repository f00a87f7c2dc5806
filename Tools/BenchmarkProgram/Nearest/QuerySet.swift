import FencepostGeodesy

/// Points from which the nearest places are asked for.
struct QuerySet {
  var name: String
  var coordinates: [Coordinate]

  /// Up to 1.5 km from random places, one having nothing to do with the next.
  static func city(_ world: WorldPlaces, _ count: Int) -> QuerySet {
    var random = SplitMix64(seed: 11)
    return QuerySet(
      name: "city",
      coordinates: (0..<count).map { _ in
        let place = world[random.index(below: world.count)].point.coordinate
        let plane = LocalPlane(
          latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
        let direction = random.direction()
        let distance = random.uniform(0, 1_500)
        return plane.point(
          eastMeters: direction.x * distance, northMeters: direction.y * distance
        ).coordinate
      })
  }

  /// Every 500 m of a drive.
  static func track(_ count: Int) -> QuerySet {
    var ruler = LocalDistance()
    var coordinates: [Coordinate] = []
    var last: Coordinate?
    for point in Journey(kind: .drive, seed: 7) {
      let here = point.point.coordinate
      if let last, ruler.meters(from: last, to: here) < 500 { continue }
      last = here
      coordinates.append(here)
      if coordinates.count == count { break }
    }
    return QuerySet(name: "track", coordinates: coordinates)
  }

  /// Anywhere on Earth, far from everything as a rule.
  static func world(_ count: Int) -> QuerySet {
    var random = SplitMix64(seed: 13)
    return QuerySet(
      name: "world",
      coordinates: (0..<max(1, count / 10)).map { _ in
        Coordinate(
          latitudeDegrees: random.uniform(-85, 85), longitudeDegrees: random.uniform(-180, 180))
      })
  }
}
