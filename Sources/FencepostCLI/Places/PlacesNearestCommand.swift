import FencepostMonitoring
import ArgumentParser
import FencepostGeodesy
import FencepostPlaces
import FencepostReporting

/// Finds the places in a store nearest to one or more points.
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

  enum RankArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
    case center
    case edge

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
  var at: CoordinateArgument?

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

  func run() async throws {
    try FileUse(writing: [("--output", table.output.path)]).check(reading: [store.store, queries])
    let reader = try PlaceStore(path: store.store).makeReader()
    // If this is not a list of queries, leave the output unchanged.
    var file = try queries.map { try QueryFile.open($0) }
    var output = try OutputFile(path: table.output.path)
    var writer = table.writer
    (writer.hasDistances, writer.hasQueries) = (true, queries != nil)
    writer.begin(&output.buffer)
    var log = FailureLog()
    var answered = 0
    if let at { try answer(at.coordinate, named: nil, from: reader, with: &writer, to: &output) }
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

  private func answer(
    _ coordinate: Coordinate, named query: String?, from reader: PlaceReader,
    with writer: inout PlaceWriter, to output: inout OutputFile
  ) throws {
    let neighbors = try reader.nearest(to: coordinate, count: count, rank: rank.rank)
    for (index, neighbor) in neighbors.enumerated() {
      guard let place = try reader.place(forKey: neighbor.key) else { continue }
      let found = PlaceRecord.Found(
        query: query, rank: index + 1, distanceMeters: neighbor.centerDistanceMeters,
        edgeMeters: abs(neighbor.centerDistanceMeters - neighbor.circle.radiusMeters))
      writer.append(PlaceRecord(place: place, found: found), to: &output.buffer)
      try output.flushIfFull()
    }
  }
}
