import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import FencepostReporting

/// Writes places in the chosen form.
///
/// CSV and GeoJSON have the columns and properties that `places import` reads.
struct PlaceWriter: ~Copyable {
  private let format: TableFormat
  private let columns: Int
  private let hasDistances: Bool
  private let hasQueries: Bool
  private var output: OutputFile
  private var count = 0
  private var query: String?

  /// Opens the output and writes its head.
  ///
  /// - Parameters:
  ///   - options: the form, and where to.
  ///   - hasDistances: whether the records come from a search.
  ///   - hasQueries: whether they answer several questions.
  /// - Throws: `OutputFailure` if the file cannot be created.
  init(
    _ options: TableArguments, hasDistances: Bool = false, hasQueries: Bool = false
  ) throws(OutputFailure) {
    format = options.chosenFormat
    columns = options.columns
    self.hasDistances = hasDistances
    self.hasQueries = hasQueries
    output = try OutputFile(path: options.output.path)
    begin()
  }

  /// Writes a record.
  mutating func write(_ record: PlaceRecord) throws(OutputFailure) {
    switch format {
    case .ndjson:
      output.buffer.append(jsonObject: record)
      output.buffer.append("\n")
    case .csv:
      output.buffer.append(csvRow: record, hasQueries: hasQueries)
      output.buffer.append("\r\n")
    case .geojson: writeFeature(record)
    case .text: writeRow(record)
    }
    count += 1
    try output.flushIfFull()
  }

  /// Completes the document and the output.
  mutating func finish() throws(OutputFailure) {
    if format == .geojson { output.buffer.append(count > 0 ? "\n]}\n" : "]}\n") }
    try output.finish()
  }

  private mutating func begin() {
    switch format {
    case .ndjson: break
    case .csv:
      if hasQueries { output.buffer.append("query,") }
      if hasDistances { output.buffer.append("rank,distance,edge,") }
      output.buffer.append("id,title,lat,lon,radius,blurb,url,category,priority,published,expires")
      output.buffer.append("\r\n")
    case .geojson:
      output.buffer.append("{\"type\":\"FeatureCollection\",\"features\":[")
    case .text:
      let distances = hasDistances ? ["DISTANCE", "EDGE"] : []
      writeRow(["ID", "TITLE", "LAT", "LON", "RADIUS"] + distances)
    }
  }

  private mutating func writeFeature(_ record: PlaceRecord) {
    output.buffer.append(count > 0 ? ",\n" : "\n")
    output.buffer.appendObject {
      $0.member("type", "Feature")
      $0.object("geometry") {
        $0.member("type", "Point")
        let coordinate = record.place.coordinate
        $0.array("coordinates", [coordinate.longitudeDegrees, coordinate.latitudeDegrees]) {
          $0.append(exactly: $1)
        }
      }
      $0.key("properties")
      $0.append(jsonObject: record)
    }
  }

  private mutating func writeRow(_ record: PlaceRecord) {
    let place = record.place
    var cells = [
      place.id, place.title,
      Self.degrees(place.coordinate.latitudeDegrees),
      Self.degrees(place.coordinate.longitudeDegrees),
      Self.distance(place.radiusMeters),
    ]
    if let found = record.found {
      cells += [Self.distance(found.distanceMeters), Self.distance(found.edgeMeters)]
      if found.query != query {
        query = found.query
        output.buffer.append(verbatim: "\n\(found.query?.forTerminal ?? "")\n")
      }
    }
    writeRow(cells)
  }

  /// Writes a line of cells: id and title to the left, numbers to the right.
  private mutating func writeRow(_ cells: [String]) {
    let numberColumns = [10, 10, 10, 10, 10]
    let numbers = cells.dropFirst(2)
    let free = columns - numbers.count * 12 - 2
    let idColumns = min(28, max(8, free * 2 / 5))
    output.buffer.append(cell: cells[0], columns: idColumns)
    output.buffer.append("  ")
    output.buffer.append(cell: cells[1], columns: min(60, max(4, free - idColumns)))
    for (number, width) in zip(numbers, numberColumns) {
      output.buffer.append("  ")
      output.buffer.append(cell: number, columns: width, isRight: true)
    }
    output.buffer.append("\n")
  }

  /// Degrees with five decimals, about a metre, so that the column aligns.
  private static func degrees(_ value: Double) -> String {
    let text = text(value, decimals: 5)
    let decimals = text.reversed().prefix { $0 != "." }.count
    return text + String(repeating: "0", count: max(0, 5 - decimals))
  }

  private static func text(_ value: Double, decimals: Int) -> String {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append(value, decimals: decimals)
    return buffer.text
  }

  private static func distance(_ meters: Double) -> String {
    meters < 100_000
      ? "\(text(meters, decimals: 1)) m" : "\(text(meters / 1000, decimals: 1)) km"
  }
}
