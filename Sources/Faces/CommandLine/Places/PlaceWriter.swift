#if Command
import FencepostGeodesy
import FencepostMonitoring
import FencepostReporting

/// Writes places in the chosen format.
///
/// Call ``begin(_:)`` once, then ``append(_:_:to:)`` for each place, then ``end(_:)``.
///
/// CSV and GeoJSON have the columns and properties that `places import` reads.
struct PlaceWriter {
  /// Where a place stands in the answer to a query.
  struct Found {
    /// The name of the point; nil if there is only one.
    var query: String?
    /// By distance, from 1.
    var rank: Int
    var distanceMeters: Double
    /// The distance to the circle's edge in meters, from either side.
    var edgeMeters: Double
  }

  private let format: TableFormat
  var layout = TextLayout()
  /// Whether each place comes with its rank and distances.
  var hasDistances = false
  /// Whether places answer several points, each with a name.
  var hasQueries = false
  /// Whether texts are written unchanged, so that an import restores every byte.
  ///
  /// Otherwise a table for people changes texts that a spreadsheet would take for formulas.
  var isExact = false
  /// The places written so far; the first GeoJSON feature has no comma before it.
  private var count = 0
  /// The point whose heading was written last, in text.
  private var query: String?

  init(_ format: TableFormat) { self.format = format }

  /// The media type and bytes of a `csv` or `geojson` file; nil for other formats.
  static func file(
    _ places: [Place], _ form: String, isExact: Bool = false
  ) -> (type: String, body: [UInt8])? {
    let types = ["csv": "text/csv; charset=utf-8", "geojson": "application/geo+json"]
    guard let type = types[form], let format = TableFormat(rawValue: form) else { return nil }
    var output = OutputBuffer()
    var writer = PlaceWriter(format)
    writer.isExact = isExact
    writer.begin(&output)
    for place in places { writer.append(place, to: &output) }
    writer.end(&output)
    return (type, Array(output.text.utf8))
  }

  /// Writes what stands before the first place: a header, a heading, or nothing.
  mutating func begin(_ output: inout OutputBuffer) {
    switch format {
    case .ndjson: break
    case .csv:
      if hasQueries { output.append("query,") }
      if hasDistances { output.append("rank,distance,edge,") }
      output.append("id,title,lat,lon,radius,blurb,url,category,priority,published,expires\r\n")
    case .geojson: output.append("{\"type\":\"FeatureCollection\",\"features\":[")
    case .text:
      let distances = hasDistances ? ["DISTANCE", "EDGE"] : []
      appendRow(["ID", "TITLE", "LAT", "LON", "RADIUS"] + distances, to: &output)
    }
  }

  /// Writes a place, and where it stands in an answer if it is part of one.
  mutating func append(_ place: Place, _ found: Found? = nil, to output: inout OutputBuffer) {
    switch format {
    case .ndjson:
      output.append(jsonObject: place, found)
      output.append("\n")
    case .csv: appendCSV(place, found, to: &output)
    case .geojson:
      output.append(count > 0 ? ",\n" : "\n")
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
        $0.append(jsonObject: place, found)
      }
    case .text: appendText(place, found, to: &output)
    }
    count += 1
  }

  /// Writes what stands after the last place.
  func end(_ output: inout OutputBuffer) {
    if format == .geojson { output.append(count > 0 ? "\n]}\n" : "]}\n") }
  }

  /// Appends a row whose columns are those of the header.
  ///
  /// Numbers are in full, so that an import restores the place.
  private func appendCSV(_ place: Place, _ found: Found?, to output: inout OutputBuffer) {
    if let found {
      if hasQueries {
        output.append(csv: found.query ?? "")
        output.append(",")
      }
      output.append(decimal: found.rank)
      for meters in [found.distanceMeters, found.edgeMeters] {
        output.append(",")
        output.append(meters, decimals: 1)
      }
      output.append(",")
    }
    append(place.id, to: &output)
    output.append(",")
    append(place.title, to: &output)
    for degrees in [place.coordinate.latitudeDegrees, place.coordinate.longitudeDegrees] {
      output.append(",")
      output.append(exactly: degrees)
    }
    output.append(",")
    let radius = place.radiusMeters.description
    output.append(verbatim: radius)
    // Exactly three decimals might be read as thousands, so write a fourth.
    if radius.utf8.dropLast(3).last == UInt8(ascii: ".") { output.append("0") }
    for text in [place.blurb, place.url, place.category] {
      output.append(",")
      append(text, to: &output)
    }
    output.append(",")
    output.append(decimal: place.priority)
    for milliseconds in [place.publishedMilliseconds, place.expiresMilliseconds] {
      output.append(",")
      if let milliseconds { output.append(instant: milliseconds) }
    }
    output.append("\r\n")
  }

  /// Appends a cell of a table, changed for spreadsheets unless the table must be exact.
  private func append(_ text: String, to output: inout OutputBuffer) {
    guard isExact else { return output.append(csv: text) }
    // RFC 4180, without any other change.
    if !text.isEmpty { output.append(verbatim: "\"\(text.replacing("\"", with: "\"\""))\"") }
  }

  // MARK: Text

  /// Appends a row for people, and before the first of a point a heading with its name.
  private mutating func appendText(
    _ place: Place, _ found: Found?, to output: inout OutputBuffer
  ) {
    var cells = [
      place.id, place.title, Self.degrees(place.coordinate.latitudeDegrees),
      Self.degrees(place.coordinate.longitudeDegrees), Self.distance(place.radiusMeters),
    ]
    if let found {
      cells += [Self.distance(found.distanceMeters), Self.distance(found.edgeMeters)]
      if found.query != query {
        query = found.query
        output.append(verbatim: "\n\(found.query?.forTerminal ?? "")\n")
      }
    }
    appendRow(cells, to: &output)
  }

  /// Appends a line of cells: ID and title on the left, numbers on the right.
  private func appendRow(_ cells: [String], to output: inout OutputBuffer) {
    let numbers = cells.dropFirst(2)
    let free = layout.columns - numbers.count * 12 - 2
    let idColumns = min(28, max(8, free * 2 / 5))
    output.append(cell: cells[0], columns: idColumns, isName: true)
    output.append("  ")
    output.append(cell: cells[1], columns: min(44, max(4, free - idColumns)))
    for number in numbers {
      output.append("  ")
      output.append(cell: number, columns: 10, isRight: true)
    }
    output.append("\n")
  }

  /// Degrees with five decimals, about one meter, so that the column aligns.
  private static func degrees(_ value: Double) -> String {
    let text = OutputBuffer.text(value, decimals: 5)
    let decimals = text.reversed().prefix { $0 != "." }.count
    return text + String(repeating: "0", count: max(0, 5 - decimals))
  }

  /// A length for people, in kilometers from 100 km on.
  private static func distance(_ meters: Double) -> String {
    if ShownUnits.current == .imperial { return ReportNumber.distance(meters) }
    return meters < 100_000
      ? "\(OutputBuffer.text(meters, decimals: 1)) m"
      : "\(OutputBuffer.text(meters / 1000, decimals: 1)) km"
  }
}

extension OutputBuffer {
  /// A number with at most this many decimals.
  static func text(_ value: Double, decimals: Int) -> String {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append(value, decimals: decimals)
    return buffer.text
  }

  /// Appends a finite number with the shortest digits that round-trip.
  mutating func append(exactly number: Double) { append(verbatim: number.description) }

  /// Appends a place as a JSON object.
  ///
  /// Positions and radii are the user's data and keep all digits; distances have one decimal.
  fileprivate mutating func append(jsonObject place: Place, _ found: PlaceWriter.Found?) {
    appendObject {
      if let found {
        if let query = found.query { $0.member("query", query) }
        $0.member("rank", found.rank)
        $0.member("distance", found.distanceMeters, decimals: 1)
        $0.member("edge", found.edgeMeters, decimals: 1)
      }
      $0.member("id", place.id)
      $0.member("title", place.title)
      for (key, number) in [
        ("lat", place.coordinate.latitudeDegrees), ("lon", place.coordinate.longitudeDegrees),
        ("radius", place.radiusMeters),
      ] {
        $0.key(named: key)
        $0.append(exactly: number)
      }
      $0.member("blurb", place.blurb)
      $0.member("url", place.url)
      $0.member("category", place.category)
      $0.member("priority", place.priority)
      $0.member("published", jsonTime: place.publishedMilliseconds)
      $0.member("expires", jsonTime: place.expiresMilliseconds)
    }
  }
}
#endif
