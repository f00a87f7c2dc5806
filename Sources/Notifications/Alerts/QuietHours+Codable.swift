extension QuietHours: Codable {
  private enum CodingKeys: CodingKey { case start, end, zone }

  /// Reads quiet hours; throws if `start` equals `end`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let hours = QuietHours(
      start: try values.decode(TimeOfDay.self, forKey: .start),
      end: try values.decode(TimeOfDay.self, forKey: .end),
      zone: try values.decode(ClockZone.self, forKey: .zone))
    guard let hours else {
      throw DecodingError.dataCorruptedError(
        forKey: .end, in: values,
        debugDescription: "quiet hours cannot end at the time they start")
    }
    self = hours
  }

  /// Writes the times and the zone.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(start, forKey: .start)
    try values.encode(end, forKey: .end)
    try values.encode(zone, forKey: .zone)
  }
}
