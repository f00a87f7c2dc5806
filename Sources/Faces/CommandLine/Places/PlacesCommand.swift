#if Command
import ArgumentParser
import FencepostFiles
import FencepostFormats
import FencepostGeodesy
import FencepostPlaces
import FencepostReporting

/// The command `places`: a group of commands on the stories of one store.
struct PlacesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places", abstract: "Manage the stories in a store.",
    discussion: """
      A store is a SpatiaLite database file. QGIS, ogr2ogr and the spatialite shell can open \
      it too.
      """,
    subcommands: [
      PlacesImportCommand.self, PlacesNearestCommand.self, PlacesListCommand.self,
      PlacesStatsCommand.self, PlacesCheckCommand.self, PlacesDeleteCommand.self,
    ])
}

/// The command `places check`: looks for damage in a store, and exits with 65 if it finds any.
struct PlacesCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a whole store for damage.",
    discussion: """
      Checks the tables of the store, both of its indexes, and every row. If the store is \
      damaged, the exit status is 65.

      Examples:
        fencepost places check --store stories.sqlite
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var account: AccountArguments

  /// Checks everything and lists each part, damaged or not.
  func run() async throws {
    let check = try PlaceStore(path: store.store).check()
    let lines = check.findings.map { finding in
      var line = OutputBuffer(capacity: 128)
      line.append(cell: finding.subject, columns: 24)
      return line.text + "  " + (finding.fault ?? "sound").forTerminal
    }
    try account.write(lines) {
      $0.member("type", "check")
      $0.member("sound", check.isSound)
      $0.array("findings", check.findings) { output, finding in
        output.appendObject {
          $0.member("subject", finding.subject)
          $0.member("fault", finding.fault)
        }
      }
    }
    guard check.isSound else {
      throw CommandFailure(.inputBad, "\(store.store): the store is damaged")
    }
  }
}

/// The command `places delete`: deletes stories by their ids.
struct PlacesDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete stories from a store by their ids.",
    discussion: """
      All stories are deleted in one transaction: if the program is interrupted, the store \
      stays as it was. live and serve drop these stories at their next lookup. \
      Unknown ids are reported and skipped, and the exit status is 65.

      Examples:
        fencepost places delete --store stories.sqlite hall bell
        sqlite3 stories.sqlite "SELECT id FROM places WHERE category = 'art'" |
          fencepost places delete --store stories.sqlite -
      """)

  @OptionGroup var store: StoreArguments

  @Argument(
    help: .value(
      "id", "Ids of the stories. Use \"-\" to read them from standard input, one per line."))
  var ids: [String]

  @OptionGroup var account: AccountArguments

  /// Deletes all stories in one transaction, then reports the ids that were unknown.
  func run() async throws {
    // Open the store before reading standard input, which may take long.
    let store = try PlaceStore(path: store.store)
    let report = try store.delete(try ids.flatMap { $0 == "-" ? try Self.lines() : [$0] })
    for id in report.unknown {
      StandardError.say("\(self.store.store): no story has the id “\(id)”")
    }
    try account.write(["\(report.deleted) deleted, \(report.unknown.count) unknown"]) {
      $0.member("type", "delete")
      $0.member("deleted", report.deleted)
      $0.member("unknown", report.unknown.count)
    }
    if !report.unknown.isEmpty { throw ExitStatus.inputBad }
  }

  /// The nonblank lines of standard input.
  private static func lines() throws -> [String] {
    var source = try InflatedSource(path: "-")
    var lines: [String] = []
    var scanner = LineScanner()
    var longLine: Int?
    func take(_ line: Span<UInt8>, _ position: LinePosition) {
      if position.isCut { longLine = longLine ?? position.number }
      let text = String(utf8: line)
      if !text.allSatisfy(\.isWhitespace) { lines.append(text) }
    }
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { scanner.scan(chunk.span, take) }
    scanner.finish(take)
    if let longLine {
      throw CommandFailure(
        .inputBad, "\(source.name): line \(longLine): an id must not be longer than 64 KiB")
    }
    return lines
  }
}

/// The command `places stats`: tells how many stories there are, how large and how dense.
struct PlacesStatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Count the stories of a store and measure their circles.",
    discussion: """
      Shows how many stories there are, how large their circles are, and how densely they \
      lie: the distance to the 20th nearest other story, which is how far a phone with 20 \
      circles sees, and the largest number of circles that overlap.

      Examples:
        fencepost places stats --store stories.sqlite
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var account: AccountArguments

  func run() async throws {
    let statistics = try PlaceStore(path: store.store).statistics()
    try account.write(statistics.sentences) { statistics.write(to: &$0) }
  }
}

extension StoreStatistics {
  /// The statistics in up to five lines; lengths are in meters.
  fileprivate var sentences: [String] {
    var sentences = [
      "\(count) \(count == 1 ? "story" : "stories") at \(distinctPositions) "
        + "\(distinctPositions == 1 ? "position" : "different positions"), \(fileBytes) bytes"
    ]
    if let box {
      let (west, south) = (Self.degrees(box.westDegrees), Self.degrees(box.southDegrees))
      let (east, north) = (Self.degrees(box.eastDegrees), Self.degrees(box.northDegrees))
      sentences.append("between \(south) and \(north) latitude, \(west) and \(east) longitude")
    }
    if let radiiMeters { sentences.append("radius: \(Self.meters(radiiMeters))") }
    if let twentiethNeighborMeters {
      sentences.append("20th nearest other story: \(Self.meters(twentiethNeighborMeters))")
    }
    if count > 0 {
      sentences.append(
        mostOverlapping == 1
          ? "no circles overlap (\(sampledPlaces) stories checked)"
          : "at most \(mostOverlapping) circles overlap (\(sampledPlaces) stories checked)")
    }
    return sentences
  }

  /// The median, the extremes, and the middle eight tenths.
  private static func meters(_ distribution: Distribution) -> String {
    let (least, greatest) = (rounded(distribution.least), rounded(distribution.greatest))
    let (tenth, ninetieth) = (rounded(distribution.tenth), rounded(distribution.ninetieth))
    return "median \(rounded(distribution.median)) m, \(least) to \(greatest) m, "
      + "eight in ten \(tenth) to \(ninetieth) m"
  }

  private static func rounded(_ meters: Double) -> String { OutputBuffer.text(meters, decimals: 1) }

  private static func degrees(_ degrees: Double) -> String {
    OutputBuffer.text(degrees, decimals: 5)
  }

  /// Writes the members of a JSON object; lengths are in meters.
  fileprivate func write(to output: inout OutputBuffer) {
    output.member("type", "stats")
    output.member("places", count)
    output.member("positions", distinctPositions)
    output.member("radius", radiiMeters)
    output.key("box")
    if let box {
      output.appendArray([
        box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees,
      ]) { $0.append(exactly: $1) }
    } else {
      output.append("null")
    }
    output.member("twentiethNeighbor", twentiethNeighborMeters)
    output.member("mostOverlapping", mostOverlapping)
    output.member("sampled", sampledPlaces)
    output.member("bytes", fileBytes)
  }
}

extension OutputBuffer {
  /// Writes a distribution as an object in meters; null without stories.
  fileprivate mutating func member(
    _ key: StaticString, _ distribution: StoreStatistics.Distribution?
  ) {
    self.key(key)
    guard let distribution else { return append("null") }
    appendObject {
      $0.member("least", distribution.least, decimals: 1)
      $0.member("tenth", distribution.tenth, decimals: 1)
      $0.member("median", distribution.median, decimals: 1)
      $0.member("ninetieth", distribution.ninetieth, decimals: 1)
      $0.member("greatest", distribution.greatest, decimals: 1)
    }
  }
}

/// The command `places list`: writes the stories of a store, all or some.
///
/// Stories are written as they are read, so memory does not grow with the store.
struct PlacesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Write the stories of a store.",
    discussion: """
      Output in csv or geojson can be imported again.

      Examples:
        fencepost places list --store stories.sqlite
        fencepost places list --store stories.sqlite --category history -o history.csv
      """)

  @OptionGroup var store: StoreArguments

  @Option("category", "Write only stories of exactly this category.")
  var category: String?

  @Option(
    parsing: .unconditional,
    "w,s,e,n", "Write only stories in this box: west, south, east, north, in decimal degrees.",
    "If west is greater than east, the box crosses the 180th meridian.")
  var box: CoordinateBox?

  @OptionGroup var table: TableArguments

  /// Writes the stories one by one; a failure of writing ends the reading.
  func run() async throws {
    try FileUse(writing: [("--output", table.output.path)]).check(reading: [store.store])
    let reader = try PlaceStore(path: store.store).makeReader()
    var output = try OutputFile(path: table.output.path)
    var writer = table.writer
    writer.begin(&output.buffer)
    var failure: OutputFailure?
    try reader.list(in: box, category: category) { place in
      do throws(OutputFailure) {
        writer.append(place, to: &output.buffer)
        try output.flushIfFull()
      } catch {
        failure = error
      }
      return failure == nil && !Task.isCancelled
    }
    if let failure { throw failure }
    try Task.checkCancellation()
    writer.end(&output.buffer)
    try output.finish()
  }
}
#endif
