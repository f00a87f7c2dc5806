import FencepostGeodesy

/// The number of decimals of each quantity.
enum Decimals {
  /// Degrees: a unit of the seventh decimal is 11 mm or less.
  static var degrees: Int { 7 }
  /// Metres: the geometry promises a tenth.
  static var meters: Int { 1 }
  /// The fraction of a segment: 10 cm on 1,000 km.
  static var fraction: Int { 7 }
}

extension OutputBuffer {
  /// Appends the members `lat` and `lon`.
  mutating func members(of coordinate: Coordinate) {
    member("lat", coordinate.latitudeDegrees, decimals: Decimals.degrees)
    member("lon", coordinate.longitudeDegrees, decimals: Decimals.degrees)
  }

  /// Appends an instant as a JSON string, or `null`.
  mutating func append(jsonTime milliseconds: Int64?) {
    guard let milliseconds else { return append("null") }
    append(UInt8(ascii: "\""))
    append(instant: milliseconds)
    append(UInt8(ascii: "\""))
  }

  /// Appends a position as GeoJSON writes it: `[longitude,latitude]`.
  mutating func append(geoJSON coordinate: Coordinate) {
    append(UInt8(ascii: "["))
    append(coordinate.longitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: ","))
    append(coordinate.latitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: "]"))
  }
}
