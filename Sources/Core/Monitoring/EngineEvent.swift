public import FencepostGeodesy

/// Something that an engine found on the way to a vertex.
///
/// It names places by key only. An alert policy and a session turn it into what a reader sees.
public enum EngineEvent: Hashable, Sendable {
  /// The path crossed the edge of a monitored circle.
  case crossing(Crossing)
  /// The device has stayed inside a circle long enough for a dwell.
  ///
  /// The position and time are those of the dwell, the rest those of the entry.
  case dwell(Crossing)
  /// The store was asked for the nearest places.
  case refresh(Refresh)

  /// The fraction of the segment that ends at the current fix, 0 … 1.
  package var fraction: Double {
    switch self {
    case .crossing(let crossing), .dwell(let crossing): crossing.fraction
    case .refresh(let refresh): refresh.fraction
    }
  }
}

/// An entry into a circle or an exit from it.
///
/// If crossings must be confirmed, the position and time are those of the confirmation.
public struct Crossing: Hashable, Sendable {
  /// The store's key of the place.
  public var key: Int64
  /// Whether the path entered the circle; false if it left.
  public var isEntry: Bool
  /// The position of the crossing.
  public var coordinate: Coordinate
  /// The interpolated time in milliseconds since 1970; nil without times.
  public var timeMilliseconds: Int64?
  /// The fraction of the segment that ends at the current fix, 0 … 1.
  public var fraction: Double
  /// The distance from the circle's center in meters.
  public var distanceMeters: Double
  /// Whether it happened across a break, so that only the sides at both ends are known.
  public var isAcrossBreak: Bool
  /// The time when the path met the edge, in milliseconds since 1970; nil without times.
  public var crossedMilliseconds: Int64?

  /// Creates a crossing; by default, it is on a joined segment and not held for confirmation.
  package init(
    key: Int64, isEntry: Bool, coordinate: Coordinate, timeMilliseconds: Int64?, fraction: Double,
    distanceMeters: Double, isAcrossBreak: Bool = false, crossedMilliseconds: Int64? = nil
  ) {
    self.key = key
    self.isEntry = isEntry
    self.coordinate = coordinate
    self.timeMilliseconds = timeMilliseconds
    self.fraction = fraction
    self.distanceMeters = distanceMeters
    self.isAcrossBreak = isAcrossBreak
    self.crossedMilliseconds = crossedMilliseconds
  }

  /// The former name of ``isEntry``.
  @available(*, deprecated, renamed: "isEntry")
  public var isEnter: Bool {
    get { isEntry }
    set { isEntry = newValue }
  }
}

struct FoundCrossing: Sendable {
  var crossing: Crossing
  var circle: Circle
}

/// A replacement of the monitored set, or a failed attempt.
///
/// It lists only the difference between the old set and the new one. Regions in both are not named.
public struct Refresh: Hashable, Sendable {
  /// The position of the device.
  public var coordinate: Coordinate
  /// The time in milliseconds since 1970; nil without times.
  public var timeMilliseconds: Int64?
  /// The fraction of the segment that ends at the current fix, 0 … 1.
  public var fraction: Double
  /// The number of regions monitored afterward.
  public var monitoredCount: Int
  /// The keys of the added regions in ascending order.
  public var added: [Int64]
  /// The keys of the removed regions in ascending order.
  public var removed: [Int64]
  /// The keys of added regions that already contain the device, ascending; phones find these late.
  public var foundInside: [Int64]
  /// The distance to the farthest monitored center in meters; nil if nothing or all is monitored.
  public var radiusMeters: Double?
  /// The distance to the nearest unmonitored edge in meters, or infinity; nil if not asked for.
  package var reachMeters: Double?
  /// Whether the store did not answer, so that the set stayed as it was.
  package var hasFailed: Bool

  /// The former name of ``monitoredCount``.
  @available(*, deprecated, renamed: "monitoredCount")
  public var monitored: Int {
    get { monitoredCount }
    set { monitoredCount = newValue }
  }
}
