import FencepostFormats
import FencepostGeodesy

/// Finds the centroids of GeoJSON geometries other than points.
enum GeoJSONShape {
  static let types: Set<String> = [
    "Polygon", "MultiPolygon", "LineString", "MultiLineString", "GeometryCollection",
  ]

  static func centroid(of geometry: JSONValue) -> Coordinate? {
    var centroid = ShapeCentroid()
    guard add(geometry, to: &centroid) else { return nil }
    return centroid.coordinate
  }

  private static func add(_ geometry: JSONValue, to centroid: inout ShapeCentroid) -> Bool {
    let coordinates = geometry.member("coordinates")
    switch geometry.member("type")?.plainText {
    case "Point": return add(.array([coordinates ?? .null]), as: .points, to: &centroid)
    case "MultiPoint": return add(coordinates, as: .points, to: &centroid)
    case "LineString": return add(coordinates, as: .line, to: &centroid)
    case "MultiLineString": return all(coordinates) { add($0, as: .line, to: &centroid) }
    case "Polygon": return addPolygon(coordinates, to: &centroid)
    case "MultiPolygon": return all(coordinates) { addPolygon($0, to: &centroid) }
    case "GeometryCollection": return all(geometry.member("geometries")) { add($0, to: &centroid) }
    default: return false
    }
  }

  private static func addPolygon(_ rings: JSONValue?, to centroid: inout ShapeCentroid) -> Bool {
    var part = ShapeCentroid.Part.outline
    return all(rings) { ring in
      defer { part = .hole }
      return add(ring, as: part, to: &centroid)
    }
  }

  private static func add(
    _ positions: JSONValue?, as part: ShapeCentroid.Part, to centroid: inout ShapeCentroid
  ) -> Bool {
    centroid.begin(part)
    defer { centroid.end() }
    return all(positions) { position in
      guard case .array(let numbers) = position, numbers.count >= 2,
        let longitude = numbers[0].double, let latitude = numbers[1].double
      else { return false }
      let vertex = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      guard vertex.isValid else { return false }
      centroid.add(vertex)
      return true
    }
  }

  private static func all(_ value: JSONValue?, _ body: (JSONValue) -> Bool) -> Bool {
    guard case .array(let elements)? = value else { return false }
    return elements.allSatisfy(body)
  }
}
