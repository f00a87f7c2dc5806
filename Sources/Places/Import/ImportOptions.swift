/// How an import treats what it finds.
public struct ImportOptions: Equatable, Sendable {
  /// Whether the first refused row ends the import, leaving the store as it was.
  public var isStrict: Bool
  /// The radius in metres of a place that says none; above 0, at most 20,000,000.
  public var defaultRadiusMeters: Double

  /// Makes options; what is left out has its default.
  public init(
    isStrict: Bool = false, defaultRadiusMeters: Double = Place.defaultRadiusMeters
  ) {
    self.isStrict = isStrict
    self.defaultRadiusMeters = defaultRadiusMeters
  }
}
