public import FencepostMonitoring
public import FencepostTime

/// How an import treats faults and missing values.
///
/// One value serves all files of an import. The defaults accept what can be read and report the
/// rest.
public struct ImportOptions: Equatable, Sendable {
  /// Whether the first refused row ends the import and leaves the store unchanged.
  public var isStrict: Bool
  /// The radius of places without one, in meters: above 0, at most 20,000,000.
  public var defaultRadiusMeters: Double

  /// How to treat areas and lines.
  public var shapes: Shapes

  /// How an import treats areas and lines.
  ///
  /// A story has a point and a radius, so an area or line can only be imported as its center.
  public enum Shapes: String, CaseIterable, Sendable {
    /// Refuses them.
    case refuse
    /// Imports their centroid, with holes subtracted from areas.
    case centroid
  }

  /// Whether days or months come first in dates such as 3/4/2026, or nil to infer it per table.
  public var dateOrder: DateOrder?

  /// The zone of dates that name none, and of times without an offset.
  ///
  /// A date without a time is a whole local day: a story is published when it begins and expires
  /// when it ends.
  public var zone: ClockZone

  /// The maximum number of places in all files of an import.
  ///
  /// Each takes about 80 bytes of memory plus its id until all files are read.
  public var placeLimit: Int

  /// The default for ``placeLimit``.
  public static let defaultPlaceLimit = 20_000_000

  /// Creates options.
  public init(
    isStrict: Bool = false, defaultRadiusMeters: Double = Place.defaultRadiusMeters,
    shapes: Shapes = .refuse, dateOrder: DateOrder? = nil,
    zone: ClockZone = .utc, placeLimit: Int = ImportOptions.defaultPlaceLimit
  ) {
    self.isStrict = isStrict
    self.defaultRadiusMeters = defaultRadiusMeters
    self.shapes = shapes
    self.dateOrder = dateOrder
    self.zone = zone
    self.placeLimit = placeLimit
  }
}
