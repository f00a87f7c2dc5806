import Geodesy

/// The edges that a path can meet within some metres of a point; all others are farther away.
struct NearEdges: Sendable {
  /// An edge, as a circle that needs no vector.
  struct Edge: Sendable {
    var center: Coordinate
    var radiusMeters: Double
  }

  /// Most edges that are looked at one by one.
  static var mostCount: Int { 8 }
  /// More than the errors of the distances that bounds are made of, in metres.
  static var toleranceMeters: Double { 0.01 }

  /// The point.
  var center = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
  /// How far about it only ``edges`` can be met, in metres.
  var radiusMeters = 0.0
  /// A disc of that radius.
  var disc = SafeDisc.nothing
  /// The edges, ``count`` of them.
  var edges = InlineArray<8, Edge>(
    repeating: Edge(
      center: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 0))
  /// How many they are.
  var count = 0
}

/// How near the edges of a set are to a point.
struct EdgeSurvey {
  /// The edges nearer than ``wantedMeters`` are told apart, if they are not too many.
  let wantedMeters: Double
  /// Which regions they are of.
  private(set) var regions = InlineArray<8, Int>(repeating: 0)
  /// How many they are; more than ``NearEdges/mostCount`` when they are too many.
  private(set) var count = 0
  /// A lower bound of the distance of the nearest edge.
  private(set) var leastMeters = Double.infinity
  /// A lower bound of the distance of the nearest edge that is not told apart.
  private(set) var leastBeyondMeters = Double.infinity

  init(wantedMeters: Double) {
    self.wantedMeters = wantedMeters
  }

  @inline(__always)
  mutating func note(_ meters: Double, region: Int) {
    leastMeters = min(leastMeters, meters)
    guard meters < wantedMeters else {
      leastBeyondMeters = min(leastBeyondMeters, meters)
      return
    }
    if count < NearEdges.mostCount { regions[count] = region }
    count += 1
  }

  /// Whether the near edges are so few that each can be looked at.
  var isUseful: Bool { count <= NearEdges.mostCount }
}
