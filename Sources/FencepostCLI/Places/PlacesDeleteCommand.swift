import FencepostFiles
import ArgumentParser
import FencepostFormats
import FencepostPlaces
import FencepostReporting

/// Deletes places of a store.
struct PlacesDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete places of a store by their ids.",
    discussion: """
      All places are deleted in one transaction: killed half-way it leaves the store as it was. \
      What follows the store, as live and serve do, goes on without them from its next refresh on. \
      Ids that no place has are reported, do not stop the others, and make the exit status 65.

      Examples:
        fencepost places delete --store stories.sqlite hall bell
        sqlite3 stories.sqlite "SELECT id FROM places WHERE category = 'art'" |
          fencepost places delete --store stories.sqlite -
      """)

  @OptionGroup var store: StoreArguments

  @Argument(
    help: ArgumentHelp(
      "The places' ids; ‘-’ reads them from standard input, one on a line.", valueName: "id"))
  var ids: [String]

  @OptionGroup var account: AccountArguments

  func run() async throws {
    // Opened before standard input, which may take long to read.
    let store = try PlaceStore(path: store.store)
    let report = try store.delete(try named())
    for id in report.unknown {
      StandardError.say("\(self.store.store): no place has the id “\(id)”")
    }
    try account.write(["\(report.deleted) deleted, \(report.unknown.count) unknown"]) {
      $0.member("type", "delete")
      $0.member("deleted", report.deleted)
      $0.member("unknown", report.unknown.count)
    }
    if !report.unknown.isEmpty { throw ExitStatus.inputBad }
  }

  /// The given ids, with each `-` replaced by those of standard input.
  private func named() throws -> [String] {
    var named: [String] = []
    for id in ids {
      if id == "-" { named += try Self.lines() } else { named.append(id) }
    }
    return named
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
        .inputBad, "\(source.name): line \(longLine): an id has at most 64 KiB")
    }
    return lines
  }
}
