package import FencepostGeodesy

/// A spot where more circles overlap than can be monitored, over all tracks.
package struct CrowdedSpot: Equatable, Sendable {
  /// A cell of a thousandth of a degree, which identifies a spot.
  package struct Cell: Hashable, Comparable, Sendable {
    /// South edge in thousandths of a degree.
    package var south: Int
    /// West edge in thousandths of a degree.
    package var west: Int

    /// The cell that holds a coordinate.
    package init(_ coordinate: Coordinate) {
      south = Int((coordinate.latitudeDegrees * 1000).rounded(.down))
      west = Int((coordinate.longitudeDegrees * 1000).rounded(.down))
    }

    /// South to north, then west to east.
    package static func < (a: Cell, b: Cell) -> Bool {
      (a.south, a.west) < (b.south, b.west)
    }
  }

  /// Where most circles contained a device.
  package var coordinate: Coordinate
  /// How many did.
  package var circles: Int
  /// How many tracks were in more circles here than can be monitored.
  package var tracks: Int

  /// Makes a spot of its parts.
  package init(coordinate: Coordinate, circles: Int, tracks: Int) {
    self.coordinate = coordinate
    self.circles = circles
    self.tracks = tracks
  }

  /// Adds a spot of other tracks in the same cell.
  package mutating func join(_ other: CrowdedSpot) {
    tracks += other.tracks
    // Equally crowded: the southernmost, then the westernmost, so that the order does not matter.
    let isBetter =
      (other.circles, -other.coordinate.latitudeDegrees, -other.coordinate.longitudeDegrees)
      > (circles, -coordinate.latitudeDegrees, -coordinate.longitudeDegrees)
    guard isBetter else { return }
    circles = other.circles
    coordinate = other.coordinate
  }
}
