import FencepostAnalysis
import ArgumentParser
import Fencepost
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting

struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Find the setting that loses nothing and refreshes least.",
    discussion: """
      Tries every combination of the lists and writes a row for each setting: recall, late and \
      missed entries, refreshes a kilometre (what the battery pays), alerts a track. The cheapest \
      setting that loses no entry is marked, among those that the phone allows (--max-limit); of equally \
      cheap ones one that is certain to lose nothing. Every track is read once for all settings.

      The adaptive refresh knows no distance and ranks by edge, so that there is one row for each \
      limit; so there is without a limit.

      With --profile the rest of the rule is the phone's: the least time between refreshes, what is \
      tested, and what confirms a crossing. Rows with a limit that the phone does not have are \
      marked, and the cheapest is one that it has. Nothing is left to chance here; analyze does that.

      Example:
        fencepost sweep tracks/ --store stories.sqlite --limit 10,20,50,100 \
      --significant-change 100,250,500,1000 --refresh fixed,adaptive --rank center,edge
      """)

  @Argument(
    help: .value("track", "The tracks: files, folders, patterns."),
    completion: .file())
  var tracks: [String]

  @OptionGroup(title: "Places")
  var places: PlaceArguments

  // Lists instead of the other commands' single values.
  @Option(
    help: .value(
      "N,…", "How many places are monitored at a time, with commas; ‘none’ monitors every place."))
  var limit = ListArgument<OrNone<Int>>([10, 20, 50, 100].map { .some($0) })

  @Option(
    help: .value("distance,…", "How far from the last refresh a fix makes a new one, with commas."))
  var significantChange = ListArgument([100, 250, 500, 1000].map { DistanceArgument(meters: $0) })

  @Option(help: .value("rule,…", "When places are renewed: fixed, adaptive."))
  var refresh = ListArgument<MonitoringOptions.RefreshRule>([.fixed, .adaptive])

  @Option(
    help: .value(
      "rank,…", "What makes a place near: center, edge.",
      "The default is center; --refresh adaptive always ranks by edge."))
  var rank: ListArgument<MonitoringOptions.Rank>?

  @Option(
    help: .value("profile", "Keep to the rules of a phone or engine: a profile's name or file."),
    completion: .file(extensions: ["json"]))
  var profile: String?

  @Option(
    help: .value(
      "N", "The most places that the phone monitors at a time: a setting with more is not marked.",
      "The default is the profile's, or 20."))
  var maxLimit: Int?

  @Option(
    help: .value("N", "Warn if the marked setting alerts more often than this a day of a track."))
  var maxAlertsPerDay: Double?

  @OptionGroup(title: "Monitoring")
  var path: PathArguments

  @OptionGroup(title: "Alerts")
  var alerts: AlertArguments

  @OptionGroup(title: "Fixes")
  var fixes: FixArguments

  @OptionGroup(title: "Tracks")
  var copies: CopyArguments

  @OptionGroup(title: "Selection")
  var selection: SelectionArguments

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup(title: "Work and report")
  var work: ManyTracksArguments

  func validate() throws {
    try path.confirmation.check(alerts)
    try selection.check(path)
    if limit.values.contains(where: { $0.value.map { $0 < 1 } ?? false }) {
      throw ValidationError("--limit is at least 1, or none")
    }
    try require(maxLimit ?? 1 >= 1, "--max-limit is at least 1")
    if let most = maxAlertsPerDay, !(most >= 0) {
      throw ValidationError("--max-alerts-per-day is at least 0")
    }
    if path.tripwire, limit.values.contains(.some(1)) {
      throw ValidationError(PathArguments.nothingMonitored)
    }
    if !refresh.values.contains(.fixed), rank?.values.contains(.center) == true {
      throw ValidationError("--refresh adaptive ranks by edge; leave --rank center out")
    }
    if work.chosenFormat == .geojson { throw ValidationError("a sweep has no place on a map") }
  }

  func run() async throws {
    let use = try FileUse(writing: work.outputs)
    try use.check(reading: places.source.files)
    let found = try TrackFiles.find(tracks, use)
    let phone = try ProfileFiles.profile(profile, use)
    path.sayWarnings(
      hasAdaptive: refresh.values.contains(.adaptive),
      hasLimit: limit.values.contains { $0.value != nil })
    let page = try work.report.map { try AnalysisPage(path: $0, sweep: nil) }
    let store = try places.source.open(dateOrder: fixes.dateOrder)
    let (paths, repeated, _) = try await copies.distinct(
      found, fixes: fixes.options, work: work)
    CopyArguments.say(repeated)
    let session = try SweepSession(store: store, options: options(for: phone))
    var output = try OutputFile(path: work.output.path)
    var failures = FailureLog()
    var progress = work.progress(of: paths.count)
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
    for sentence in remarks(on: rows, mostPlaces: mostPlaces(of: phone)) {
      StandardError.say(sentence)
    }
    if let page, hasResult { try page.write(sweep: rows, profile: phone?.name) }
    if rows.allSatisfy({ $0.counts.entries == 0 }) { try notes.conclude(store) }
    try failures.conclude()
  }

  /// What the choice of the cheapest setting ignores.
  private func remarks(on rows: [SweepRow], mostPlaces: Int?) -> [String] {
    var notes: [String] = []
    if let marked = rows.first(where: \.isCheapest) {
      if let most = maxAlertsPerDay, let alerts = marked.alertsPerDay, alerts > most {
        notes.append(
          "warning: the cheapest setting that loses nothing alerts "
            + "\(ReportNumber.text(alerts, decimals: 2)) times a day, more than --max-alerts-per-day "
            + ReportNumber.text(most, decimals: 2))
      }
    } else if let mostPlaces, let beyond = SweepRow.cheapest(of: rows, { $0 != nil }),
      let limit = rows[beyond].setting.limit
    {
      notes.append(
        "no setting with at most \(ReportNumber.counted(mostPlaces, "place")) loses nothing; the "
          + "cheapest that does has \(limit) (--max-limit)")
    }
    return notes
  }

  /// How many places the phone monitors at a time; nil if it has no limit.
  private func mostPlaces(of phone: PhoneProfile?) -> Int? {
    if let maxLimit { return maxLimit }
    guard let phone else { return SweepRow.phoneLimit }
    return phone.limits.regions.value.value
  }

  private func options(for phone: PhoneProfile?) -> SweepSession.Options {
    var options = SweepSession.Options()
    if let phone {
      let rules = PhoneRules(phone)
      rules.applyConfirmation(to: &options.session.monitoring)
      options.session.monitoring.minIntervalMilliseconds = rules.leastIntervalMilliseconds
    }
    options.session.monitoring = path.applied(to: options.session.monitoring)
    options.session.alerts = alerts.options
    options.session.alertsOn = alerts.alertOn.value
    options.fixes = fixes.options
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
