extension Coordinate {
  private enum CodingKeys: String, CodingKey {
    case lat, lon
    /// Written by earlier versions, in one value or another.
    case latitudeDegrees, longitudeDegrees, latitude, longitude
  }

  /// Decodes `lat` and `lon` in degrees, or the longer names that earlier versions wrote.
  ///
  /// A value that has its position among its other members decodes it from its own decoder.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func degrees(_ name: CodingKeys, _ former: CodingKeys...) throws -> Double {
      let found = ([name] + former).first(where: values.contains)
      return try values.decode(Double.self, forKey: found ?? name)
    }
    self.init(
      latitudeDegrees: try degrees(.lat, .latitudeDegrees, .latitude),
      longitudeDegrees: try degrees(.lon, .longitudeDegrees, .longitude))
  }

  /// Encodes `lat` and `lon` in degrees, as in NDJSON.
  ///
  /// A value that has its position among its other members encodes it with its own encoder.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(latitudeDegrees, forKey: .lat)
    try values.encode(longitudeDegrees, forKey: .lon)
  }
}
