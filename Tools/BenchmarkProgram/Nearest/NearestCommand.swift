import FencepostMonitoring
import ArgumentParser
import FencepostGeodesy
import FencepostPlaces

/// `Benchmark nearest`: the twenty nearest places, from the store and from a tree in memory.
struct NearestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nearest", abstract: "Time nearest queries against a tree in memory.")
  @Option(help: "The store that was imported from as many generated places.") var store: String
  @Option(help: "How many places it has.") var places = 1_000_000
  @Option(help: "How many queries of each kind.") var queries = 2_000
  @Option(help: "How many times each query is asked, in turns.") var rounds = 5
  @Option(help: "Only cases whose name contains this, and their bounds.") var only: String?
  @Option(help: "text or ndjson.") var format = TableFormat.text

  func run() throws {
    let world = WorldPlaces(count: places)
    let tree = NearestTree((0..<places).map { world[$0].point.coordinate })
    let store = try PlaceStore(path: store)
    let reader = try store.makeReader()
    let edge = NearestRank.edge(exitMarginMeters: 0)
    let methods: [(name: String, ask: (Coordinate) throws -> Double)] = [
      ("kd-tree", { Double(tree.nearest(to: $0, count: 20).count) }),
      ("store", { try reader.nearest(to: $0, count: 20, rank: .center)[19].centerDistanceMeters }),
      (
        "store, edges", { try reader.nearest(to: $0, count: 20, rank: edge)[19].rankDistanceMeters }
      ),
    ]
    for queries in [QuerySet.city(world, queries), .track(queries), .world(queries)] {
      let wanted = methods.dropFirst().filter { isWanted(caseName(queries.name, $0.name)) }
      if wanted.isEmpty { continue }
      try check(queries, world, tree, reader)
      try measure(queries, methods.prefix(1) + wanted)
    }
  }

  /// The store's answers are those of the tree, as far as the tree can tell.
  private func check(
    _ queries: QuerySet, _ world: WorldPlaces, _ tree: NearestTree, _ reader: PlaceReader
  ) throws {
    for query in queries.coordinates.prefix(200) {
      let here = Position(query)
      let expected = tree.nearest(to: query, count: 20).last.map {
        Geodesic.distanceMeters(here, Position(world[$0].point.coordinate))
      }
      let found = try reader.nearest(to: query, count: 20, rank: .center)
      guard let expected, found.count == 20, let last = found.last?.centerDistanceMeters,
        // Beyond some tens of kilometres the chord's order is not that of the distance.
        abs(last - expected) < 0.01 + expected * (expected < 50_000 ? 1e-9 : 0.01)
      else {
        throw BenchmarkFailure("the store and the tree disagree about \(query)")
      }
    }
  }

  private func caseName(_ queries: String, _ method: String) -> String {
    "nearest 20 of \(places), \(queries), \(method)"
  }

  private func isWanted(_ name: String) -> Bool {
    only.map { name.contains($0) } ?? true
  }

  private func measure(
    _ queries: QuerySet, _ methods: [(name: String, ask: (Coordinate) throws -> Double)]
  ) throws {
    var times = methods.map { _ in queries.coordinates.map { _ in [Double]() } }
    for _ in 0..<max(1, rounds) {
      for (number, method) in methods.enumerated() {
        for (index, coordinate) in queries.coordinates.enumerated() {
          let start = Clock.cpuNanoseconds
          _ = try method.ask(coordinate)
          times[number][index].append(Double(Clock.cpuNanoseconds - start) / 1_000)
        }
      }
    }
    // Each query's median first, so that what disturbed the machine once does not make the tail.
    let typical = times.map { $0.map { $0.quantile(0.5) } }
    for (number, method) in methods.enumerated() {
      show(queries.name, method.name, typical[number], bound: typical[0])
    }
  }

  private func show(_ queries: String, _ method: String, _ times: [Double], bound: [Double]) {
    let (half, tail) = (times.quantile(0.5), times.quantile(0.99))
    let ratio = half / bound.quantile(0.5)
    switch format {
    case .text:
      print(
        Column.left(caseName(queries, method), 46),
        Column.number(half, decimals: 2, 8), "us p50", Column.number(tail, decimals: 2, 8),
        "us p99", Column.number(ratio, decimals: 2, 8), "x kd-tree")
    case .ndjson:
      print(
        """
        {"case":"nearest 20, \(queries), \(method)","places":\(places),"p50Microseconds":\(half),\
        "p99Microseconds":\(tail),"bound":"kd-tree","ratio":\(ratio)}
        """)
    }
  }
}
