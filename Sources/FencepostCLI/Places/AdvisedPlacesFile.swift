import FencepostGeodesy
import FencepostMonitoring
import FencepostReporting

/// Writes places so that `places import` has them back as they are, to the last byte.
///
/// A table for people guards its readers' spreadsheets by changing texts that look like formulas. This file is for the
/// import, so that nothing is changed.
enum AdvisedPlacesFile {
  private static let header =
    "id,title,lat,lon,radius,blurb,url,category,priority,published,expires\r\n"

  /// Writes a file, as GeoJSON if its name ends so, else as CSV.
  ///
  /// - Throws: `OutputFailure`.
  static func write(_ places: [Place], to path: String) throws(OutputFailure) {
    var output = try OutputFile(path: path)
    if path.lowercased().hasSuffix(".geojson"),
      let file = PlaceExport.file(places, "geojson")
    {
      output.buffer.append(file.body.span)
    } else {
      output.buffer.append(verbatim: header)
      for place in places {
        append(place, to: &output.buffer)
        try output.flushIfFull()
      }
    }
    try output.finish()
  }

  private static func append(_ place: Place, to output: inout OutputBuffer) {
    let numbers = [
      place.coordinate.latitudeDegrees.description, place.coordinate.longitudeDegrees.description,
      place.radiusInTable,
    ]
    let texts = [place.blurb, place.url, place.category].map(quoted)
    let fields =
      [quoted(place.id), quoted(place.title)] + numbers + texts + ["\(place.priority)"]
    output.append(verbatim: fields.joined(separator: ","))
    for milliseconds in [place.publishedMilliseconds, place.expiresMilliseconds] {
      output.append(",")
      if let milliseconds { output.append(instant: milliseconds) }
    }
    output.append("\r\n")
  }

  /// A field in quotes (RFC 4180), without any other change.
  private static func quoted(_ text: String) -> String {
    text.isEmpty ? "" : "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
