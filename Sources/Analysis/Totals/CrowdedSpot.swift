package import FencepostGeodesy

/// A spot inside more circles than a phone can watch, over all tracks.
package struct CrowdedSpot: Equatable, Sendable {
  /// A cell of 0.001° that identifies a spot, with its edges in thousandths of a degree.
  package struct Cell: Hashable, Comparable, Sendable {
    package var south: Int
    package var west: Int

    package init(_ coordinate: Coordinate) {
      south = Int((coordinate.latitudeDegrees * 1000).rounded(.down))
      west = Int((coordinate.longitudeDegrees * 1000).rounded(.down))
    }

    package static func < (a: Cell, b: Cell) -> Bool {
      (a.south, a.west) < (b.south, b.west)
    }
  }

  package var coordinate: Coordinate
  package var circles: Int
  package var tracks: Int

  package init(coordinate: Coordinate, circles: Int, tracks: Int) {
    (self.coordinate, self.circles, self.tracks) = (coordinate, circles, tracks)
  }

  package mutating func join(_ other: CrowdedSpot) {
    tracks += other.tracks
    // Break ties by position, so that the result does not depend on the order of tracks.
    let isBetter =
      (other.circles, -other.coordinate.latitudeDegrees, -other.coordinate.longitudeDegrees)
      > (circles, -coordinate.latitudeDegrees, -coordinate.longitudeDegrees)
    guard isBetter else { return }
    circles = other.circles
    coordinate = other.coordinate
  }
}
