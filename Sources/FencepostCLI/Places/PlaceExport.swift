import FencepostGeodesy
import FencepostMonitoring
import FencepostReporting

/// Places as the files that `places list` writes and `places import` reads.
enum PlaceExport {
  /// A file of places.
  ///
  /// - Parameters:
  ///   - places: The places.
  ///   - form: `csv` or `geojson`.
  /// - Returns: The file's media type and its bytes; nil for any other form.
  static func file(_ places: [Place], _ form: String) -> (type: String, body: [UInt8])? {
    var output = OutputBuffer()
    switch form {
    case "csv":
      writeCSV(places, to: &output)
      return ("text/csv; charset=utf-8", Array(output.text.utf8))
    case "geojson":
      writeGeoJSON(places, to: &output)
      return ("application/geo+json", Array(output.text.utf8))
    default: return nil
    }
  }

  private static func writeCSV(_ places: [Place], to output: inout OutputBuffer) {
    output.append("id,title,lat,lon,radius,blurb,url,category,priority,published,expires\r\n")
    for place in places {
      output.append(csvRow: PlaceRecord(place: place), hasQueries: false)
      output.append("\r\n")
    }
  }

  private static func writeGeoJSON(_ places: [Place], to output: inout OutputBuffer) {
    output.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
    for (offset, place) in places.enumerated() {
      if offset > 0 { output.append(",\n") }
      output.appendObject {
        $0.member("type", "Feature")
        $0.object("geometry") {
          $0.member("type", "Point")
          let coordinate = place.coordinate
          $0.array("coordinates", [coordinate.longitudeDegrees, coordinate.latitudeDegrees]) {
            $0.append(exactly: $1)
          }
        }
        $0.key("properties")
        $0.append(jsonObject: PlaceRecord(place: place))
      }
    }
    output.append("\n]}\n")
  }
}
