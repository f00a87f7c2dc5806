import ArgumentParser
import FencepostPlaces
import FencepostReporting

/// Checks a store.
struct PlacesCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look through a whole store for damage.",
    discussion: """
      Checked are the database, both of its indexes, and every row; SpatiaLite's own \
      CheckSpatialIndex is among the checks. A store that is not sound makes the exit status 65.

      Example:
        fencepost places check --store stories.sqlite
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var account: AccountArguments

  func run() async throws {
    let check = try PlaceStore(path: store.store).check()
    var output = OutputFile()
    switch account.chosenFormat {
    case .text: Self.writeText(check, to: &output.buffer)
    case .ndjson: Self.writeJSON(check, to: &output.buffer)
    }
    try output.finish()
    guard check.isSound else {
      throw CommandFailure(.inputBad, "\(store.store): the store is not sound")
    }
  }

  private static func writeText(_ check: StoreCheck, to buffer: inout OutputBuffer) {
    for finding in check.findings {
      buffer.append(cell: finding.subject, columns: 24)
      buffer.append("  ")
      buffer.append(verbatim: (finding.fault ?? "sound").forTerminal)
      buffer.append("\n")
    }
  }

  private static func writeJSON(_ check: StoreCheck, to buffer: inout OutputBuffer) {
    buffer.append("{\"type\":\"check\",\"sound\":")
    buffer.append(verbatim: check.isSound ? "true" : "false")
    buffer.append(",\"findings\":[")
    for (index, finding) in check.findings.enumerated() {
      if index > 0 { buffer.append(",") }
      buffer.append("{\"subject\":")
      buffer.append(json: finding.subject)
      buffer.append(",\"fault\":")
      if let fault = finding.fault { buffer.append(json: fault) } else { buffer.append("null") }
      buffer.append("}")
    }
    buffer.append("]}\n")
  }
}
