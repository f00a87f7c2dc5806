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
      throw CommandFailure(.inputBad, "\(store.store): the store is not sound")
    }
  }
}
