import ArgumentParser
import FencepostGeodesy
import FencepostMonitoring
import Glibc

/// `Benchmark index`: what places in memory cost, in an app without a store.
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Time and weigh an index of places in memory.")
  @Option(help: "How many places.") var places = 1_000_000
  @Option(help: "How many queries of each kind.") var queries = 2_000
  @Option(help: "text or ndjson.") var format = TableFormat.text

  func run() throws {
    let world = WorldPlaces(count: places)
    let before = try Self.residentBytes
    let stories = (0..<places).map { number in
      let place = world[number]
      return Place(
        id: "place-\(number)", title: "Story number \(number)",
        coordinate: place.point.coordinate, radiusMeters: Double(place.radiusMeters))
    }
    let given = try Self.residentBytes
    let start = Clock.cpuNanoseconds
    let index = try PlaceIndex(stories)
    let seconds = Double(Clock.cpuNanoseconds - start) / 1e9
    let built = try Self.residentBytes
    show("build", seconds, "s")
    show("memory of the array", Double(given - before) / 1e6, "MB")
    show("memory of the index", Double(built - given) / 1e6, "MB")
    for queries in [QuerySet.city(world, queries), .track(queries), .world(queries)] {
      measure("nearest 20, \(queries.name)", queries) {
        index.nearest(to: $0, count: 20).count
      }
      measure("nearest 20 edges, \(queries.name)", queries) {
        index.nearest(to: $0, count: 20, rank: .edge(exitMarginMeters: 0)).count
      }
      measure("containing, \(queries.name)", queries) { index.containing($0).count }
    }
  }

  private func measure(
    _ name: String, _ queries: QuerySet, _ ask: (Coordinate) -> Int
  ) {
    var found = 0
    let times = queries.coordinates.map { coordinate in
      let start = Clock.cpuNanoseconds
      found += ask(coordinate)
      return Double(Clock.cpuNanoseconds - start) / 1_000
    }
    show("\(name), p50", times.quantile(0.5), "us")
    show("\(name), p99", times.quantile(0.99), "us")
    show("\(name), found", Double(found) / Double(times.count), "places")
  }

  private func show(_ name: String, _ value: Double, _ unit: String) {
    switch format {
    case .text:
      print(
        Column.left("index of \(places), \(name)", 46), Column.number(value, decimals: 2, 8),
        unit)
    case .ndjson:
      print(#"{"case":"index, \#(name)","places":\#(places),"value":\#(value),"unit":"\#(unit)"}"#)
    }
  }

  /// The memory that this process holds now.
  private static var residentBytes: Int {
    get throws {
      guard let file = unsafe fopen("/proc/self/statm", "r") else {
        throw BenchmarkFailure("the system does not say how much memory is held")
      }
      defer { unsafe _ = fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      // The line is ours and has as many bytes as are said.
      guard unsafe fgets(&line, Int32(line.count), file) != nil else {
        throw BenchmarkFailure("the system does not say how much memory is held")
      }
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }
}
