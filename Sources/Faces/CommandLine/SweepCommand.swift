#if Command
import FencepostAnalysis
public import ArgumentParser
import FencepostSession
public import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting

/// The command `sweep`: measures every combination of a few rules on the same walks.
///
/// It marks the cheapest one that loses no entry. Walks are read once and in parallel, and each is
/// followed under all settings.
///
/// A walk that cannot be read is reported and left out. With `--strict` it ends the command, and no
/// row is written.
struct SweepCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Try many settings and find the cheapest one that loses nothing.",
    discussion: """
      Tries every combination of --limit, --significant-change, --refresh and --rank. Writes \
      a row for each: recall, late and missed entries, lookups per kilometer (what the \
      battery pays), and alerts per walk. The cheapest setting that loses no entry is \
      marked, among those that the phone allows (--max-limit). If several are equally cheap, \
      one that is certain to lose nothing is marked.

      --refresh adaptive uses no distance and ranks by edge, so it gets one row per limit. \
      --limit none gets one row, too.

      With --profile, the phone also sets the least time between lookups, what is tested, \
      and what confirms an entry. Settings that the phone cannot follow are marked, and the \
      cheapest is one that it can. Each row also says which share of the due alerts comes on \
      the simulated phone (200 runs of each walk, seed 1; not of standard input). A phone has \
      no --refresh adaptive.

      Examples:
        fencepost sweep walks/ --store stories.sqlite
        fencepost sweep walks/ --store stories.sqlite --limit 10,20 --refresh fixed
      """)

  @Argument(help: .value("track", "Walks: files, folders or patterns."), completion: .file())
  var tracks: [String]

  @OptionGroup(title: "Stories") var places: PlaceArguments

  // Lists instead of the other commands' single values.
  @Option("n,...", "Try watching at most N circles at a time, or \"none\" for no limit.")
  var limit = ListArgument<OrNone<Int>>([10, 20, 50, 100].map { .some($0) })

  @Option("distance,...", "Try looking up the nearest stories after moving this far.")
  var significantChange = ListArgument([100, 250, 500, 1000].map { DistanceArgument(meters: $0) })

  @Option("rule,...", "Try these rules for lookups: fixed, adaptive.")
  var refresh = ListArgument<MonitoringOptions.RefreshRule>([.fixed, .adaptive])

  @Option(
    "rank,...", "Try ranking stories by their center or edge. Default: center.",
    "--refresh adaptive always ranks by edge.")
  var rank: ListArgument<MonitoringOptions.Rank>?

  @Option(
    "phone", "Keep to the rules of a phone. See: fencepost profiles list",
    "PHONE is a built-in profile or a profile file.", completion: .file(extensions: ["json"]))
  var profile: String?

  @Option("n", "Mark only a setting with at most N circles. Default: the profile's limit, or 20.")
  var maxLimit: Int?

  @Option("n", "Warn if the marked setting alerts more than N times per day of a walk.")
  var maxAlertsPerDay: Double?

  @OptionGroup(title: "What the phone does") var path: PathArguments
  @OptionGroup(title: "When it alerts") var alerts: AlertArguments
  @OptionGroup(title: "Reading walks") var fixes: FixArguments
  @OptionGroup(title: "Reading walks") var copies: CopyArguments
  @OptionGroup(title: "Part of the walks") var selection: SelectionArguments
  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup(title: "Output") var work: ManyTracksArguments

  var shownUnits: ShownUnits { work.units.units }

  /// Checks every value of the lists, also those that only some settings use.
  func validate() throws {
    try path.confirmation.check(alerts)
    try selection.check(path)
    try require(
      limit.values.allSatisfy { $0.value ?? 1 >= 1 }, "--limit must be at least 1, or none")
    try require(maxLimit ?? 1 >= 1, "--max-limit must be at least 1")
    try require(maxAlertsPerDay ?? 0 >= 0, "--max-alerts-per-day must not be negative")
    try require(!path.tripwire || !limit.values.contains(.some(1)), PathArguments.nothingMonitored)
    try require(
      refresh.values.contains(.fixed) || rank?.values.contains(.center) != true,
      "--rank center cannot be used with --refresh adaptive, which always ranks by edge")
    try require(work.chosenFormat != .geojson, "a sweep cannot be written as GeoJSON")
  }

  /// Follows all walks under all settings and writes a row for each setting.
  ///
  /// If no walk can be followed, an existing output file keeps its contents.
  func run() async throws {
    let use = try FileUse(writing: work.outputs)
    try use.check(reading: places.source.files)
    let found = try TrackFiles.find(tracks, use)
    let phone = try ProfileFiles.profile(profile, use)
    path.sayWarnings(
      hasAdaptive: refresh.values.contains(.adaptive),
      hasLimit: limit.values.contains { $0.value != nil })
    alerts.sayDates()
    let page = try work.report.map { try AnalysisPage(path: $0, sweep: nil) }
    let store = try places.source.open(dateOrder: fixes.dateOrder, clock: alerts.clock)
    let (paths, repeated, _) = try await copies.distinct(
      found, fixes: fixes.options(alerts.clock), work: work)
    CopyArguments.say(repeated)
    let session = try SweepSession(store: store, options: options(for: phone))
    var output = try OutputFile(path: work.output.path)
    var failures = FailureLog()
    let progress = work.progress(of: paths.count)
    var count = 0
    let notes = TrackNotes()
    let rows: [SweepRow]
    do {
      rows = try await session.run(paths) { outcome in
        count += 1
        progress.advance(to: count)
        switch outcome {
        case .failure(let failure) where failure.isOutside: break
        case .failure(let failure): failures.note(failure)
        case .success(let account):
          failures.note(account)
          notes.take(account)
        case .interrupted: break
        }
      }
    } catch is TrackFailure {
      // --strict; already reported.
      return try failures.conclude()
    }
    progress.advance(to: count)
    // Without a result, keep the file's previous contents.
    let hasResult = rows.contains { $0.tracks > 0 }
    let writer = SweepWriter(rows, profile: phone?.name)
    switch work.chosenFormat {
    case .text: writer.writeText(to: &output.buffer, layout: work.output.layout)
    case .csv: writer.writeCSV(to: &output.buffer)
    case .ndjson, .geojson: writer.writeNDJSON(to: &output.buffer)
    }
    if hasResult || !work.output.isFile { try output.finish() }
    if let remark = remark(on: rows, mostPlaces: mostPlaces(of: phone)) {
      StandardError.say(remark)
    }
    if let page, hasResult { try page.write(sweep: rows, profile: phone?.name) }
    if rows.allSatisfy({ $0.counts.entries == 0 }) { try notes.conclude(store) }
    try failures.conclude()
  }

  /// What the choice of the cheapest setting ignores.
  ///
  /// Either the marked setting alerts too often, or a setting beyond the limit is the only one that
  /// loses nothing. Nil if there is nothing to say.
  private func remark(on rows: [SweepRow], mostPlaces: Int?) -> String? {
    if let marked = rows.first(where: \.isCheapest) {
      guard let most = maxAlertsPerDay, let alerts = marked.alertsPerDay, alerts > most else {
        return nil
      }
      return "warning: the cheapest setting that loses nothing alerts "
        + "\(ReportNumber.text(alerts, decimals: 2)) times a day, more than "
        + "--max-alerts-per-day " + ReportNumber.text(most, decimals: 2)
    }
    guard let mostPlaces, let beyond = SweepRow.cheapest(of: rows, { $0 != nil }),
      let limit = rows[beyond].setting.limit
    else { return nil }
    return
      "no setting with at most \(ReportNumber.counted(mostPlaces, "circle")) loses nothing; the "
      + "cheapest one that loses nothing needs \(limit) (--max-limit)"
  }

  /// How many places the phone monitors at a time; nil if it has no limit.
  private func mostPlaces(of phone: PhoneProfile?) -> Int? {
    if let maxLimit { return maxLimit }
    guard let phone else { return SweepRow.phoneLimit }
    return phone.limits.regions.value.value
  }

  /// The settings to try, and the rules that all of them share.
  ///
  /// The phone's rules come first, and what the user typed replaces them. What is due does not
  /// depend on the phone: it follows from the user's rules alone.
  private func options(for phone: PhoneProfile?) -> SweepOptions {
    var options = SweepOptions()
    if let phone {
      let rules = PhoneRules(phone)
      rules.applyConfirmation(to: &options.session.monitoring)
      options.session.monitoring.minIntervalMilliseconds = rules.leastIntervalMilliseconds
      var phone = phone
      if alerts.trigger == .dwell {
        var app = AppRules()
        app.dwellMilliseconds = path.given.monitoring.confirmation.dwellMilliseconds
        phone = phone.following(app)
      }
      options.chance = ChanceOptions(
        profiles: [phone], simulation: .init(event: alerts.trigger == .exit ? .exit : .enter))
    }
    path.apply(to: &options.session)
    alerts.apply(to: &options.session)
    fixes.apply(to: &options.session)
    options.due = path.given.monitoring
    options.fixes = fixes.options(alerts.clock)
    options.limits = limit.values.map(\.value)
    options.significantChangesMeters = significantChange.values.map(\.meters)
    options.refreshes = refresh.values
    options.ranks = rank?.values ?? [.center]
    options.maxLimit = mostPlaces(of: phone)
    options.zone = alerts.timeZone
    options.selection = selection.selection(in: alerts.timeZone)
    options.jobs = work.jobCount
    options.isStrict = work.strict
    return options
  }
}

extension MonitoringOptions.Rank: ExpressibleByArgument {}
extension MonitoringOptions.RefreshRule: ExpressibleByArgument {}
#endif
