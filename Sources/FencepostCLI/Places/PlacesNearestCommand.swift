import FencepostMonitoring
import ArgumentParser
import FencepostGeodesy
import FencepostPlaces

/// Asks a store for the places nearest to a point, or to many.
struct PlacesNearestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nearest",
    abstract: "Find the places nearest to a point, exactly, on the ellipsoid.",
    discussion: """
      The nearest comes first, and of places equally near that of the lesser id. With --rank edge \
      it is the circle's edge that is near, from inside as from outside.

      A file of queries is CSV with a header that names lat and lon, and perhaps id, which then \
      names the query in the answers; without it the number of the row does.

      Examples:
        fencepost places nearest --store stories.sqlite --at 39.9496,-75.1503
        fencepost places nearest --store stories.sqlite --queries stops.csv --count 3 --format csv
      """)

  /// The distance to rank by.
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
    // South and west begin with a sign, which must not be taken for an option.
    parsing: .unconditional,
    help: ArgumentHelp("The point, in degrees: latitude and longitude.", valueName: "lat,lon"))
  var at: CoordinateArgument?

  @Option(
    help: ArgumentHelp("A file of points; ‘-’ is standard input.", valueName: "file"),
    completion: .file())
  var queries: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("How many places at most.", valueName: "n"))
  var count = 20

  @Option(help: "What is near: the places themselves, or the edges of their circles.")
  var rank = RankArgument.center

  @OptionGroup var table: TableArguments

  func validate() throws {
    guard (at == nil) != (queries == nil) else {
      throw ValidationError("Give one of --at and --queries.")
    }
    guard count >= 1 else { throw ValidationError("--count is 1 or more.") }
  }

  func run() async throws {
    try FileUse(writing: [("--output", table.output.path)]).check(reading: [store.store, queries])
    let reader = try PlaceStore(path: store.store).makeReader()
    if let at {
      var writer = try PlaceWriter(table, hasDistances: true)
      try answer(at.coordinate, named: nil, from: reader, to: &writer)
      try writer.finish()
    } else if let queries {
      try answerAll(of: queries, from: reader)
    }
  }

  private func answerAll(of path: String, from reader: PlaceReader) throws {
    var file = try QueryFile.open(path)
    var writer = try PlaceWriter(table, hasDistances: true, hasQueries: true)
    var log = FailureLog()
    var answered = 0
    while let next = try file.next() {
      switch next {
      case .success(let query):
        try answer(query.coordinate, named: query.name, from: reader, to: &writer)
        answered += 1
      // A bad row does not stop the others.
      case .failure(let failure): log.note(failure)
      }
      try Task.checkCancellation()
    }
    // Without a result, keep what the file held before.
    if answered > 0 || log.status == .done || !table.output.isFile {
      try writer.finish()
    }
    try log.conclude()
  }

  private func answer(
    _ coordinate: Coordinate, named query: String?, from reader: PlaceReader,
    to writer: inout PlaceWriter
  ) throws {
    let neighbors = try reader.nearest(to: coordinate, count: count, rank: rank.rank)
    for (index, neighbor) in neighbors.enumerated() {
      guard let place = try reader.place(forKey: neighbor.key) else { continue }
      let edge = abs(neighbor.centerDistanceMeters - neighbor.circle.radiusMeters)
      try writer.write(
        PlaceRecord(
          place: place,
          found: PlaceRecord.Found(
            query: query, rank: index + 1, distanceMeters: neighbor.centerDistanceMeters,
            edgeMeters: edge)))
    }
  }
}
