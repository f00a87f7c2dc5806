public import FencepostMonitoring
public import FencepostTime

/// How an import treats faults and missing values.
public struct ImportOptions: Equatable, Sendable {
  /// Whether the first refused row ends the import, leaving the store unchanged.
  public var isStrict: Bool
  /// The radius in metres of a place without one; above 0, at most 20,000,000.
  public var defaultRadiusMeters: Double

  /// What becomes of areas and lines.
  public var shapes: Shapes

  /// What an import does with areas and lines.
  public enum Shapes: String, CaseIterable, Sendable {
    /// They are no places.
    case refuse
    /// Their centroid is a place; holes are taken off areas.
    case centroid
  }

  /// Whether dates in tables such as 3/4/2026 begin with the day or the month; nil to decide by the table.
  public var dateOrder: DateOrder?

  /// Which caches of geocaching.com are left out.
  public var skips: Set<Skip>

  /// Caches that an import may leave out.
  public enum Skip: String, CaseIterable, Sendable {
    /// Caches that the owner of the file has found.
    case found
    /// Caches that are archived or unavailable for now.
    case archived
  }

  /// How many places the files of an import may have in all.
  ///
  /// Until all are read, some 80 bytes each and their ids are in memory.
  public var placeLimit: Int

  /// The default of ``placeLimit``.
  public static let defaultPlaceLimit = 20_000_000

  /// Makes options.
  public init(
    isStrict: Bool = false, defaultRadiusMeters: Double = Place.defaultRadiusMeters,
    shapes: Shapes = .refuse, dateOrder: DateOrder? = nil, skips: Set<Skip> = [],
    placeLimit: Int = ImportOptions.defaultPlaceLimit
  ) {
    self.isStrict = isStrict
    self.defaultRadiusMeters = defaultRadiusMeters
    self.shapes = shapes
    self.dateOrder = dateOrder
    self.skips = skips
    self.placeLimit = placeLimit
  }
}
