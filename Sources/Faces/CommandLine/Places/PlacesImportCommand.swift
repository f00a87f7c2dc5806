#if Command
import FencepostMonitoring
import ArgumentParser
import FencepostPlaces
import FencepostReporting
import FencepostTime

/// The command `places import`: adds the stories of files to a store, or updates them.
///
/// Everything is one transaction, so the store never has half of an import. Bad rows are skipped,
/// and the exit status is 65. With `--strict`, the first of them leaves the store as it was.
struct PlacesImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import stories into a store, and create the store if needed.",
    discussion: """
      FILE is one of these, compressed with gzip or not:
        CSV with a header
        GeoJSON points, also one feature per line
        JSON objects with lat and lon, in an array or one per line
        saved places from Google Maps
        KML, KMZ, or GPX waypoints
        RSS or Atom with GeoRSS

      Fencepost recognizes the format by its content. A zip archive may contain one CSV file \
      or any number of GPX files. A table may be in UTF-8, UTF-16 or Windows-1252.

      A table must have the columns lat and lon. It may have id, title, radius, blurb, url, \
      category, priority, published and expires. Common other names work too. Separate \
      columns with commas, semicolons, tabs or |. A radius is in meters, unless its cell or \
      the heading names a unit: m, km, ft, yd, mi or nmi. A lower priority number matters \
      more. Write dates as in ISO 8601, 12.3.2026, 3/12/2026 or Excel's days. A date without \
      a time is a whole day, the last one included. Dates and times without a zone follow the \
      clock of --time-zone.

      A story whose id is already in the store is updated. A story without an id gets one \
      made from its title and position, so it counts as new when you rename or move it. \
      Other stories with the same title and position get -2, -3 and so on after the id. A \
      row that repeats another in every field is imported once.

      An import is one transaction: if the program is interrupted, the store stays as it \
      was. Bad rows are reported with their file and row, and skipped. The exit status is \
      then 65.

      Examples:
        fencepost places import stories.csv --store stories.sqlite
        curl -s https://example.org/feed.xml |
          fencepost places import - --store stories.sqlite
      """)

  @Argument(
    help: .value("file", "Files of stories. Use \"-\" for standard input."), completion: .file())
  var files: [String]

  @OptionGroup var store: StoreArguments

  @Flag(help: "Stop at the first bad row, and leave the store as it was.")
  var strict = false

  @Option("distance", "Radius of stories that have none, such as 150, 0.2km or \"100 ft\".")
  var radius = DistanceArgument(meters: Place.defaultRadiusMeters)

  @Option("order", "dmy or mdy: read 3/4/2026 in a table as 3 April (dmy) or March 4 (mdy).")
  var dateOrder: DateOrder?

  @OptionGroup var clock: ClockArguments
  @OptionGroup var shapes: ShapeArguments
  @OptionGroup var account: AccountArguments

  func validate() throws {
    try require(
      radius.meters > 0 && radius.meters <= 20_000_000,
      "--radius must be above 0 and at most 20,000,000 m")
  }

  /// Imports all files together, then reports what was skipped or doubtful.
  ///
  /// The summary is written even if the first bad row ended the import.
  func run() async throws {
    try FileUse(writing: [("--store", store.store)]).check(reading: files)
    let options = ImportOptions(
      isStrict: strict, defaultRadiusMeters: radius.meters, shapes: shapes.shapes,
      dateOrder: dateOrder, zone: clock.zone)
    let report: ImportReport
    do throws(PlaceImportError) {
      report = try PlaceStore.importPlaces(from: files, into: store.store, options: options)
    } catch {
      switch error {
      // Nothing was imported, and the summary should say so.
      case .format, .refused: try write(ImportReport())
      case .store, .source: break
      }
      throw error
    }
    for refusal in report.refusals { StandardError.say(refusal.description) }
    let unsaid = report.refused - report.refusals.count
    if unsaid > 0 {
      StandardError.say("… and \(unsaid) more \(unsaid == 1 ? "row was" : "rows were") skipped")
    }
    for warning in report.warnings { StandardError.say("warning: \(warning.description)") }
    try write(report)
    if report.refused > 0 { throw ExitStatus.inputBad }
  }

  /// Writes how many stories were imported, updated and refused, and for which reasons.
  private func write(_ report: ImportReport) throws {
    let sentence =
      "\(report.imported) imported, \(report.updated) updated, \(report.refused) refused"
    let reasons = report.refusedByReason.map { ($0.key.rawValue, $0.value) }
    try account.write([sentence]) {
      $0.member("type", "import")
      $0.member("imported", report.imported)
      $0.member("updated", report.updated)
      $0.member("refused", report.refused)
      $0.member("reasons", counts: Dictionary(uniqueKeysWithValues: reasons))
    }
  }
}
#endif
