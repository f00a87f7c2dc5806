import FencepostMonitoring
import ArgumentParser
import FencepostPlaces
import FencepostReporting
import FencepostTime

struct PlacesImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import places into a store, which is made where there is none.",
    discussion: """
      Read are CSV with a header (lat, lon, and optional id, title, radius, blurb, url, category, \
      priority, published, expires; also with semicolons, tabs or |), GeoJSON points (also one \
      feature a line) and Google's saved places, an app's JSON objects with lat and lon (in an array or \
      one a line), KML and KMZ, what Overpass answers, GPX \
      waypoints, and RSS and Atom with GeoRSS, each also compressed with gzip; they are told apart \
      by content. A zip archive may hold one CSV or any number of GPX files, such as a pocket query \
      of geocaching.com. A table may be in UTF-16 or Windows-1252. A place whose id the \
      store has already is updated.

      A radius in a table is in meters, or has a unit in its cell or in the heading: m, km, ft, yd, \
      mi or nmi. Of two priorities the lower number matters more. Dates may be ISO 8601, \
      12.3.2026, 3/12/2026 or Excel's days; without a zone they are UTC.

      A place without an id gets one made of its title and position, so it counts as new when you \
      rename or move it. Others that share both but \
      differ are kept, with -2, -3 and so on behind the id; a row that repeats another in everything \
      that is imported counts once with it.

      An import is one transaction: killed half-way it leaves the store as it was. Rows that are \
      no places are reported with file and row or line, do not stop the others, and make the exit status \
      65.

      Examples:
        fencepost places import stories.csv --store stories.sqlite
        curl -s https://example.org/feed.xml | fencepost places import - --store stories.sqlite
      """)

  @Argument(help: "Files of places; ‘-’ is standard input.", completion: .file())
  var files: [String]

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup var store: StoreArguments

  @Flag(help: "Give up at the first row that is no place, and leave the store as it was.")
  var strict = false

  @Option(
    help: .value("distance", "The radius of places that have none, such as 150, 0.2km or '100 ft'.")
  )
  var radius = DistanceArgument(meters: Place.defaultRadiusMeters)

  @Option(
    help: .value(
      "dmy|mdy",
      "Whether the day (dmy) or the month (mdy) comes first in dates of tables such as 3/4/2026."))
  var dateOrder: DateOrder?

  @Option(
    help: .value(
      "found|archived",
      "Leave out caches of geocaching.com: found, archived (or unavailable), or both with a comma.")
  )
  var skip: SkipArgument?

  @OptionGroup var shapes: ShapeArguments

  @OptionGroup var account: AccountArguments

  func validate() throws {
    guard radius.meters > 0, radius.meters <= 20_000_000 else {
      throw ValidationError("A radius is above 0 and at most 20,000,000 m.")
    }
  }

  func run() async throws {
    try FileUse(writing: [("--store", store.store)]).check(reading: files)
    let options = ImportOptions(
      isStrict: strict, defaultRadiusMeters: radius.meters, shapes: shapes.shapes,
      dateOrder: dateOrder, skips: skip?.skips ?? [])
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
      StandardError.say("and \(unsaid) more \(unsaid == 1 ? "row was" : "rows were") refused")
    }
    for warning in report.warnings { StandardError.say("warning: \(warning.description)") }
    try write(report)
    if report.refused > 0 { throw ExitStatus.inputBad }
  }

  private func write(_ report: ImportReport) throws(OutputFailure) {
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

/// Caches to leave out: `found`, `archived` or `found,archived`.
struct SkipArgument: ExpressibleByArgument {
  var skips: Set<ImportOptions.Skip> = []

  init?(argument: String) {
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let skip = ImportOptions.Skip(rawValue: String(word)) else { return nil }
      skips.insert(skip)
    }
  }
}
