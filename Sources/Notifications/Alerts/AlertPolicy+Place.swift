public import FencepostMonitoring

extension AlertPolicy.Entry {
  /// Makes an entry into a place's circle.
  ///
  /// - Parameters:
  ///   - place: The place, of which the id, position, priority and validity count.
  ///   - timeMilliseconds: When the path entered, in milliseconds since 1970, or nil if unknown.
  ///   - speedMetersPerSecond: The speed at that moment in metres a second, NaN if unknown.
  public init(_ place: Place, timeMilliseconds: Int64?, speedMetersPerSecond: Double = .nan) {
    self.init(
      placeID: place.id, center: place.coordinate, timeMilliseconds: timeMilliseconds,
      speedMetersPerSecond: speedMetersPerSecond, priority: place.priority,
      publishedMilliseconds: place.publishedMilliseconds,
      expiresMilliseconds: place.expiresMilliseconds)
  }
}
