/// How an import treats what it finds.
public struct ImportOptions: Equatable, Sendable {
  /// Whether the first refused row ends the import, leaving the store as it was.
  public var isStrict: Bool
  /// The radius in metres of a place that says none; above 0, at most 20,000,000.
  public var defaultRadiusMeters: Double

  /// How many places an import may have, over all its files.
  ///
  /// Their positions and ids are held in memory until all are read, some 70 bytes each and the id.
  public var placeLimit: Int

  /// How many places an import may have unless told otherwise.
  public static let defaultPlaceLimit = 20_000_000

  /// Makes options; what is left out has its default.
  public init(
    isStrict: Bool = false, defaultRadiusMeters: Double = Place.defaultRadiusMeters,
    placeLimit: Int = ImportOptions.defaultPlaceLimit
  ) {
    self.isStrict = isStrict
    self.defaultRadiusMeters = defaultRadiusMeters
    self.placeLimit = placeLimit
  }
}
