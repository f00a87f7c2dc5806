#if Command
import ArgumentParser
import FencepostFiles
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting

/// The command `places nearest`: finds the stories nearest to one point or to each point of a file.
///
/// Rows of the file that are no points are reported and skipped, and the exit status is 65. Memory
/// does not grow with the file.
struct PlacesNearestCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "nearest", abstract: "Find the stories nearest to a point.",
    discussion: """
      The nearest story comes first. Stories at the same distance are sorted by id. \
      Distances are exact on the ellipsoid. With --rank edge, the distance to the edge of \
      the circle counts, from inside as well as outside.

      A file of points must be CSV with a header that names lat and lon. The results name \
      each point by its id if there is a column id, else by its row number.

      Examples:
        fencepost places nearest --store stories.sqlite --at 39.9496,-75.1503
        fencepost places nearest --store stories.sqlite --queries stops.csv --count 3
      """)

  /// What distances are measured to: the centers of circles or their edges.
  enum RankArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
    case center
    case edge

    /// The order of the store; circles have no margin here.
    var rank: NearestRank {
      switch self {
      case .center: .center
      case .edge: .edge(exitMarginMeters: 0)
      }
    }
  }

  @OptionGroup var store: StoreArguments

  @Option(
    // South and west begin with a minus, which must not be taken for an option.
    parsing: .unconditional,
    "lat,lon", "Find stories near this point: latitude and longitude in decimal degrees.")
  var at: Coordinate?

  @Option(
    "file", "Find stories near each point in a CSV file. Use \"-\" for standard input.",
    completion: .file())
  var queries: String?

  @Option(name: .shortAndLong, "n", "Find at most N stories per point.")
  var count = 20

  @Option("rank", "center or edge: measure to the center or to the edge of a circle.")
  var rank = RankArgument.center

  @OptionGroup var table: TableArguments
  @OptionGroup var units: UnitArguments

  var shownUnits: ShownUnits { units.units }

  func validate() throws {
    try require((at == nil) != (queries == nil), "use either --at or --queries")
    try require(count >= 1, "--count must be at least 1")
  }

  /// Answers the points in the order of the file, each as soon as it is read.
  ///
  /// If no row is a point, an existing output file keeps its contents.
  func run() async throws {
    try FileUse(writing: [("--output", table.output.path)]).check(reading: [store.store, queries])
    let reader = try PlaceStore(path: store.store).makeReader()
    if queries != nil { try reader.mapFile() }
    // If this is not a list of queries, leave the output unchanged.
    var file = try queries.map { try QueryFile.open($0) }
    var output = try OutputFile(path: table.output.path)
    var writer = table.writer
    (writer.hasDistances, writer.hasQueries) = (true, queries != nil)
    writer.begin(&output.buffer)
    var log = FailureLog()
    var answered = 0
    if let at { try answer(at, named: nil, from: reader, with: &writer, to: &output) }
    while let next = try file?.next() {
      switch next {
      case .success(let query):
        try answer(query.coordinate, named: query.name, from: reader, with: &writer, to: &output)
        answered += 1
      // A bad row does not stop the others.
      case .failure(let failure): log.note(failure)
      }
      try Task.checkCancellation()
    }
    // Without a result, keep the file's previous contents.
    if answered > 0 || log.status == .done || !table.output.isFile {
      writer.end(&output.buffer)
      try output.finish()
    }
    try log.conclude()
  }

  /// Writes the stories nearest to a point, with their ranks from 1.
  ///
  /// `query` is the name of the point in a file; nil for the only point.
  private func answer(
    _ coordinate: Coordinate, named query: String?, from reader: PlaceReader,
    with writer: inout PlaceWriter, to output: inout OutputFile
  ) throws {
    let neighbors = try reader.nearest(to: coordinate, count: count, rank: rank.rank)
    let places = try reader.places(forKeys: neighbors.map(\.key))
    for (rank, (neighbor, place)) in zip(1..., zip(neighbors, places)) {
      guard let place else { continue }
      let found = PlaceWriter.Found(
        query: query, rank: rank, distanceMeters: neighbor.centerDistanceMeters,
        edgeMeters: abs(neighbor.centerDistanceMeters - neighbor.circle.radiusMeters))
      writer.append(place, found, to: &output.buffer)
      try output.flushIfFull()
    }
  }
}

/// Reads query points from delimited text with a header.
///
/// The text may be compressed. Columns are found by their names: `lat` or `latitude`; `lon`, `lng`,
/// `long` or `longitude`; and `id`.
struct QueryFile: ~Copyable {
  /// A point, and the name by which results refer to it.
  struct Query {
    /// The column `id`, or else the row's number from 1.
    var name: String
    /// Always valid.
    var coordinate: Coordinate
  }

  private var source: InflatedSource
  /// Nil after the dialect is known.
  private var head: CSVHead? = CSVHead()
  private var reader = CSVReader()
  private var isAtEnd = false
  private var columns: (latitude: Int, longitude: Int, id: Int?) = (0, 0, nil)
  /// The rows after the header so far, bad ones included.
  private var rows = 0

  /// Opens a file and reads its header; `-` is standard input.
  static func open(_ path: String) throws -> QueryFile {
    var file = QueryFile(source: try InflatedSource(path: path))
    guard try file.nextRecord() else {
      throw CommandFailure(
        .inputBad, "\(file.source.name): the file is empty; it must begin with a header")
    }
    guard let columns = columns(file.reader) else {
      throw file.fault("the first line must be a header that names the columns lat and lon")
    }
    file.columns = columns
    return file
  }

  /// The columns of a header; nil if it lacks a required one.
  private static func columns(
    _ header: borrowing CSVReader
  ) -> (latitude: Int, longitude: Int, id: Int?)? {
    var names: [String] = []
    for index in 0..<header.fieldCount {
      names.append(header.string(index).lowercased().filter { !$0.isWhitespace })
    }
    guard let latitude = names.firstIndex(where: { ["lat", "latitude"].contains($0) }),
      let longitude = names.firstIndex(where: {
        ["lon", "lng", "long", "longitude"].contains($0)
      })
    else { return nil }
    return (latitude, longitude, names.firstIndex(of: "id"))
  }

  /// Returns the next point, or what is wrong with its row; nil at the end.
  ///
  /// - Throws: An error of the source, after which there is nothing more to read.
  mutating func next() throws -> Result<Query, CommandFailure>? {
    rows += 1
    do {
      guard try nextRecord() else { return nil }
    } catch let error as CSVError {
      return .failure(CommandFailure(.inputBad, "\(source.name), \(error)"))
    }
    guard let latitude = number(columns.latitude), let longitude = number(columns.longitude) else {
      return .failure(fault("lat and lon must be numbers"))
    }
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard coordinate.isValid else {
      return .failure(fault("lat must be from -90 to 90, and lon from -180 to 180"))
    }
    let id = columns.id.flatMap { $0 < reader.fieldCount ? reader.string($0) : nil } ?? ""
    return .success(Query(name: id.isEmpty ? "\(rows)" : id, coordinate: coordinate))
  }

  private func fault(_ sentence: String) -> CommandFailure {
    CommandFailure(.inputBad, "\(source.name): line \(reader.line): \(sentence)")
  }

  /// The number in a column, whose decimal sign may be a point or a comma; nil without one.
  private func number(_ column: Int) -> Double? {
    guard column < reader.fieldCount else { return nil }
    let text = reader.string(column).filter { !$0.isWhitespace }
    let commas = text.count { $0 == "," }
    return DecimalNumber.double(parsing: commas == 1 ? text.replacing(",", with: ".") : text)
  }

  /// Advances to the next record, reading more input if needed; false at the end.
  private mutating func nextRecord() throws -> Bool {
    var chunk: [UInt8] = []
    while true {
      if head == nil, try reader.next() { return true }
      if isAtEnd { return false }
      isAtEnd = try !source.read(into: &chunk)
      if isAtEnd {
        reader.finish(after: &head) { Self.columns($0) != nil }
      } else {
        _ = reader.push(chunk.span, after: &head) { Self.columns($0) != nil }
      }
    }
  }
}
#endif
