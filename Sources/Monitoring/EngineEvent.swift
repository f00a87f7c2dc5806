public import FencepostGeodesy

/// Something the engine found between two vertices, or at one.
public enum EngineEvent: Hashable, Sendable {
  /// The path crossed the edge of a monitored circle.
  case crossing(Crossing)
  /// The device has been inside a circle for so long that its stay is a dwell.
  ///
  /// Where and when are those of the dwell, the rest is that of the enter.
  case dwell(Crossing)
  /// The store was asked for the nearest places.
  case refresh(Refresh)

  /// How far along the segment that ends at the current fix, 0 … 1 of its length.
  public var fraction: Double {
    switch self {
    case .crossing(let crossing), .dwell(let crossing): crossing.fraction
    case .refresh(let refresh): refresh.fraction
    }
  }
}

/// Where, when and which way the path crossed a circle's edge.
///
/// Where crossings wait for a confirmation, where and when are those of the confirmation.
public struct Crossing: Hashable, Sendable {
  /// The place's key in the store.
  public var key: Int64
  /// Whether the path came into the circle; false if it left.
  public var isEnter: Bool
  /// Where the path crossed.
  public var coordinate: Coordinate
  /// When, interpolated along the segment, in milliseconds since 1970; nil without times.
  public var timeMilliseconds: Int64?
  /// How far along the segment that ends at the current fix, 0 … 1 of its length.
  public var fraction: Double
  /// Distance to the circle's centre at that point, in metres.
  public var distanceMeters: Double
  /// Whether the path was broken, so that only the states at both ends are known.
  public var isAcrossBreak: Bool
  /// When the path met the edge, in milliseconds since 1970; nil without times.
  public var crossedMilliseconds: Int64?

  /// Makes a crossing of its parts.
  package init(
    key: Int64, isEnter: Bool, coordinate: Coordinate, timeMilliseconds: Int64?, fraction: Double,
    distanceMeters: Double, isAcrossBreak: Bool = false, crossedMilliseconds: Int64? = nil
  ) {
    self.key = key
    self.isEnter = isEnter
    self.coordinate = coordinate
    self.timeMilliseconds = timeMilliseconds
    self.fraction = fraction
    self.distanceMeters = distanceMeters
    self.isAcrossBreak = isAcrossBreak
    self.crossedMilliseconds = crossedMilliseconds
  }
}

/// A crossing with its circle.
struct FoundCrossing: Sendable {
  var crossing: Crossing
  var circle: Circle
}

/// A renewal of the monitored set, or a failed attempt at one.
public struct Refresh: Hashable, Sendable {
  /// Where the store was asked.
  public var coordinate: Coordinate
  /// When, in milliseconds since 1970; nil without times.
  public var timeMilliseconds: Int64?
  /// How far along the segment that ends at the current fix, 0 … 1 of its length.
  public var fraction: Double
  /// Number of regions monitored afterwards.
  public var monitored: Int
  /// Keys of the regions that were added, ascending.
  public var added: [Int64]
  /// Keys of the regions that were removed, ascending.
  public var removed: [Int64]
  /// Keys of the added regions that already contained the device, ascending: what a phone finds too
  /// late.
  public var foundInside: [Int64]
  /// Distance to the farthest monitored centre in metres; nil if nothing or everything is
  /// monitored.
  public var radiusMeters: Double?
  /// Distance to the nearest unmonitored edge, in metres; infinite if there is none, nil if the rule
  /// does not ask for it.
  public var reachMeters: Double?
  /// Whether the store did not answer, so that the set stayed as it was.
  public var hasFailed: Bool
}
