import FencepostFixes
import FencepostGeodesy

extension TrackSession.LastFix {
  /// The members besides those of a coordinate, which stand beside them.
  private enum CodingKeys: String, CodingKey {
    case timeMilliseconds, segmentIndex
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let coordinate = try Coordinate(from: decoder)
    (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    timeMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .timeMilliseconds)
    segmentIndex = try values.decode(Int32.self, forKey: .segmentIndex)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try fix.coordinate.encode(to: encoder)
    try values.encodeIfPresent(timeMilliseconds, forKey: .timeMilliseconds)
    try values.encode(segmentIndex, forKey: .segmentIndex)
  }
}
