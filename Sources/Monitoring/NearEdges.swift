import Geodesy

/// The edges that a path can meet within some metres of a point; all others are farther away.
struct NearEdges: Sendable {
  /// An edge, as a circle that needs no vector.
  struct Edge: Sendable {
    var center: Coordinate
    var radiusMeters: Double
    /// The number of its region in the monitored set.
    var region: Int
    /// Until the path is so long, in metres, the edge cannot be met.
    ///
    /// Who is so far from an edge cannot come to it on a shorter way: what the distance was when it
    /// was measured and how long the path was then, together, need no measuring at the next vertex.
    var clearUntilMeters: Double
  }

  /// Some of the edges, a bit each.
  struct Selection {
    private var bits: UInt16 = 0

    var isEmpty: Bool { bits == 0 }

    @inline(__always)
    mutating func insert(_ index: Int) { bits |= 1 << UInt16(truncatingIfNeeded: index) }

    @inline(__always)
    func contains(_ index: Int) -> Bool { bits & 1 << UInt16(truncatingIfNeeded: index) != 0 }
  }

  /// Most edges that are looked at one by one.
  static var mostCount: Int { 12 }
  /// More than the errors of the distances that bounds are made of, in metres.
  static var toleranceMeters: Double { 0.01 }

  /// The point.
  var center = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
  /// How far about it only ``edges`` can be met, in metres.
  var radiusMeters = 0.0
  /// A disc of that radius.
  var disc = SafeDisc.nothing
  /// Until the path is so long, in metres, it cannot get out of there.
  var withinUntilMeters = 0.0
  /// The edges, ``count`` of them.
  var edges = InlineArray<12, Edge>(
    repeating: Edge(
      center: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: 0, region: 0,
      clearUntilMeters: 0))
  /// How many they are.
  var count = 0
}

/// How near the edges of a set are to a point.
struct EdgeSurvey {
  /// An edge that is told apart: of which region it is, and a lower bound of its distance.
  private struct Entry {
    var region: Int
    var meters: Double
  }

  /// Only edges nearer than this are told apart: those wanted, and when they are too many, those
  /// nearer than the farthest of them.
  private var limitMeters: Double
  private var entries = InlineArray<12, Entry>(repeating: Entry(region: 0, meters: 0))
  /// Which of them is the farthest, once they are full.
  private var farthest = 0
  /// How many edges are told apart, at most ``NearEdges/mostCount``.
  private(set) var count = 0
  /// A lower bound of the distance of the nearest edge that is not told apart.
  private(set) var leastBeyondMeters = Double.infinity

  /// - Parameter wantedMeters: How near the edges are that are told apart.
  init(wantedMeters: Double) {
    limitMeters = wantedMeters
  }

  /// A lower bound of the distance of the nearest edge.
  var leastMeters: Double {
    var least = leastBeyondMeters
    for index in 0..<count { least = min(least, entries[index].meters) }
    return least
  }

  /// Of an edge that is told apart its region and a lower bound of its distance.
  subscript(index: Int) -> (region: Int, meters: Double) {
    (entries[index].region, entries[index].meters)
  }

  @inline(__always)
  mutating func note(_ meters: Double, region: Int) {
    guard meters < limitMeters else {
      leastBeyondMeters = min(leastBeyondMeters, meters)
      return
    }
    tell(meters, region: region)
  }

  private mutating func tell(_ meters: Double, region: Int) {
    if count < NearEdges.mostCount {
      entries[count] = Entry(region: region, meters: meters)
      count += 1
      guard count == NearEdges.mostCount else { return }
    } else {
      leastBeyondMeters = min(leastBeyondMeters, entries[farthest].meters)
      entries[farthest] = Entry(region: region, meters: meters)
    }
    farthest = 0
    for index in 1..<count where entries[index].meters > entries[farthest].meters {
      farthest = index
    }
    limitMeters = entries[farthest].meters
  }
}
