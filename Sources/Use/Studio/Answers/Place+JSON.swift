#if Command
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring

extension Place {
  /// Reads a place; only `id`, `lat` and `lon` are required.
  init(_ node: JSONNode) throws(JSONPathError) {
    let latitude = try node.member("lat")
    let coordinate = Coordinate(
      latitudeDegrees: try latitude.double(), longitudeDegrees: try node.member("lon").double())
    self.init(id: try Self.id(in: node), coordinate: coordinate)
    title = try node.optionalMember("title")?.string() ?? ""
    blurb = try node.optionalMember("blurb")?.string() ?? ""
    url = try node.optionalMember("url")?.string() ?? ""
    category = try node.optionalMember("category")?.string() ?? ""
    priority = try node.optionalMember("priority")?.integer() ?? 0
    radiusMeters = try node.optionalMember("radius")?.double() ?? Place.defaultRadiusMeters
    publishedMilliseconds = try node.optionalMember("published")?.instantMilliseconds()
    expiresMilliseconds = try node.optionalMember("expires")?.instantMilliseconds()
  }

  /// The member `id` or `identifier`, which may be a text or a whole number.
  private static func id(in node: JSONNode) throws(JSONPathError) -> String {
    let name = try node.optionalMember("id") == nil ? "identifier" : "id"
    guard let id = try node.optionalMember(name) else { throw node.error("\"id\" is missing") }
    if case .number = id.value { return "\(try id.integer())" }
    return try id.string()
  }
}
#endif
