#if Command
import ArgumentParser
import FencepostSession
public import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import FencepostStudio

/// The command `advise`: proposes changes of stories or rules that would bring more alerts.
///
/// It reads all walks into memory, because the `Advisor` follows those near a change again for each
/// candidate. Text or ndjson lists the proposals. `--apply-to` writes all stories with the changes,
/// and `--report` a page.
///
/// Walks that cannot be read are reported and left out; the exit status is then that of the worst
/// failure. If none can be read, nothing is written.
struct AdviseCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "advise", abstract: "Propose changes that bring more alerts.",
    discussion: """
      Proposes the few changes that gain the most alerts on your walks: another radius, another \
      position, or another rule within the limits of the phone. Each proposal gains the most once \
      the earlier ones are made. To measure a gain, the walks are followed again with the change \
      made, with the same options as analyze.

      With --profile, the alerts to gain are those of that phone. The walks are simulated: 40 \
      times to choose among the 64 most promising changes of a round, and 200 times, with other \
      random numbers, to measure the chosen ones.

      Examples:
        fencepost advise walks/ --store stories.sqlite --person-by folder
        fencepost advise walks/ --store stories.sqlite --apply-to better.csv
        fencepost advise walks/ --store stories.sqlite --for "Liberty Bell"
      """)

  @Argument(help: .value("track", "Walks: files, folders or patterns."), completion: .file())
  var tracks: [String]

  @OptionGroup(title: "Stories") var places: PlaceArguments
  @OptionGroup(title: "Stories to help") var purpose: PurposeArguments
  @OptionGroup(title: "What may change") var bounds: AdviceArguments

  @Option(
    "phone", "Keep to the limits of a phone. See: fencepost profiles list",
    """
    PHONE is a built-in profile or a profile file. The changes are chosen by its simulated \
    alerts. Its limit and lookup distance apply, unless --limit or --significant-change is \
    given, as in analyze.
    """,
    completion: .file(extensions: ["json"]))
  var profile: String?

  @Option(
    "file", "Write all stories with the changes to FILE, for \"places import\".",
    "The file is CSV, or GeoJSON if its name ends in .geojson. It contains no rule: if another "
      + "one is proposed, its options for analyze are printed.",
    completion: .file(extensions: ["csv", "geojson"]))
  var applyTo: String?

  @OptionGroup var rules: SessionArguments
  @OptionGroup(title: "Readers") var persons: PersonArguments
  @OptionGroup(title: "Output") var work: ManyTracksArguments

  var shownUnits: ShownUnits { work.units.units }

  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup var studio: StudioLinkArguments

  func validate() throws {
    try studio.check(work.report)
    try require([.text, .ndjson].contains(work.chosenFormat), "--format must be text or ndjson")
  }

  /// Finds the changes and writes them.
  ///
  /// Everything that may be missing is opened before the search, which can take minutes: the
  /// stories, the profile and the pages' library.
  func run() async throws {
    let use = try FileUse(writing: work.outputs + [("--apply-to", applyTo)])
    try use.check(reading: places.source.files)
    let found = try TrackFiles.find(tracks, use)
    let phone = try ProfileFiles.profile(profile, use)
    rules.sayWarnings()
    let library = try work.report.map { _ in try InputFile.mapLibrary() }
    var options = try options(for: phone)
    let stories = try places.source.open(
      dateOrder: rules.fixes.dateOrder, clock: rules.alerts.clock
    ).allPlaces()
    options.purpose = try purpose.purpose(among: stories)
    let plan = try await persons.plan(found, fixes: rules.reading, work: work)
    CopyArguments.say(plan.copies)
    var failures = FailureLog()
    let recorded = try read(plan.groups, &failures)
    if recorded.isEmpty { return try failures.conclude() }
    let progress = work.progress(of: options.mostChanges, title: "advising", unit: "changes")
    let advice = try await Advisor(places: stories, persons: recorded, options: options)
      .advise { progress.advance(to: $0) }
    progress.advance(to: options.mostChanges)
    try write(advice)
    if let library, let report = work.report {
      var page = AdvicePage(advice, tracks: recorded.flatMap(\.tracks))
      page.studio = studio.link
      try OutputFile.write(to: report) { page.write(library, to: &$0) }
    }
    try failures.conclude()
  }

  /// Reads the tracks into memory and reports what cannot be read.
  ///
  /// The result is empty if no track is readable, or with `--strict` after the first that is not.
  private func read(_ groups: [PersonTracks<String>], _ failures: inout FailureLog) throws
    -> [PersonTracks<RecordedTrack>]
  {
    var persons: [PersonTracks<RecordedTrack>] = []
    for group in groups {
      var tracks: [RecordedTrack] = []
      for path in group.tracks {
        try Task.checkCancellation()
        do throws(TrackFailure) {
          let track = try RecordedTrack(path: path, options: rules.reading)
          failures.note(track.account)
          tracks.append(track)
        } catch {
          failures.note(error)
          if work.strict { return [] }
        }
      }
      if !tracks.isEmpty { persons.append(PersonTracks(person: group.person, tracks: tracks)) }
    }
    return persons
  }

  /// Writes the proposals, the changed stories if asked for, and the options of a changed rule.
  ///
  /// NDJSON is in meters whatever units the user chose.
  private func write(_ advice: Advice) throws {
    let writer = AdviceWriter(advice)
    try OutputFile.write(to: work.output.path) { output in
      if work.chosenFormat == .text {
        writer.writeText(to: &output, layout: work.output.layout)
      } else {
        ShownUnits.$current.withValue(.metric) { writer.writeNDJSON(to: &output) }
      }
    }
    if let applyTo {
      let form = applyTo.lowercased().hasSuffix(".geojson") ? "geojson" : "csv"
      // `places import` restores every byte.
      let bytes = PlaceWriter.file(advice.places, form, isExact: true)?.body ?? []
      try OutputFile.write(to: applyTo) { $0.append(bytes.span) }
      let count = ReportNumber.counted(advice.places.count, "story")
      StandardError.say("\(applyTo): wrote all \(count) with the changes")
    }
    let ruleOptions = writer.optionsOfRule
    if !ruleOptions.isEmpty {
      StandardError.say(
        "to analyze with the changed rule: fencepost analyze \(ruleOptions.joined(separator: " "))")
    }
  }

  /// The session that the proposals change, and the bounds of what they may change.
  ///
  /// With a phone, the gain is measured in its simulated alerts.
  private func options(for phone: PhoneProfile?) throws -> AdviceOptions {
    var options = AdviceOptions()
    options.session = rules.session(following: phone)
    options.zone = rules.alerts.timeZone
    options.jobs = work.jobCount
    options.chance = phone.map {
      ChanceOptions(
        profiles: [$0],
        simulation: .init(event: rules.alerts.trigger == .exit ? .exit : .enter))
    }
    try bounds.apply(to: &options, phone: phone)
    return options
  }
}

extension AdviceOptions.Kind: ExpressibleByArgument {}

/// The options of `advise` that say which stories to help.
///
/// Without them, an alert of any story counts the same. With them, only alerts of the chosen
/// stories count, each by its priority.
struct PurposeArguments: ParsableArguments {
  @Option(
    name: .customLong("for"),
    "story", "Help only this story: its id, its title, or a part that no other story has.",
    "Repeat the option for more stories.")
  var stories: [String] = []

  @Option(
    "n", "Help only stories of priority N or more important. Lower numbers matter more.",
    "With --for or --min-priority, only alerts of the stories that fit both count: 1 for the "
      + "least important priority among them, 2 for the next, and so on.")
  var minPriority: Int?

  /// The purpose among all places; nil if all alerts count the same.
  ///
  /// A story must fit both options.
  ///
  /// - Throws: ``CommandFailure`` with status 64 if a name fits several stories or the options
  ///   leave none, and with 66 if a name fits no story.
  func purpose(among places: [Place]) throws(CommandFailure) -> AdvicePurpose? {
    guard !stories.isEmpty || minPriority != nil else { return nil }
    let chosen = try named(among: places).filter { $0.priority <= minPriority ?? .max }
    guard !chosen.isEmpty else {
      throw CommandFailure(.usage, "--for and --min-priority leave no story to help")
    }
    return AdvicePurpose(chosen)
  }

  /// The stories that `--for` names, one for each name; all places if it names none.
  ///
  /// A `StoryIndex` numbers stories in the order of their ids, and so does the sorted list here.
  private func named(among places: [Place]) throws(CommandFailure) -> [Place] {
    guard !stories.isEmpty else { return places }
    let choice = StoryChoice(StoryIndex(places).stories.array)
    let sorted = places.sorted { $0.id < $1.id }
    var chosen: [Place] = []
    for story in stories {
      do throws(StoryChoice.Failure) {
        chosen.append(sorted[try choice.index(of: story)])
      } catch {
        throw CommandFailure(error.fittingCount > 0 ? .usage : .inputMissing, "--for: \(error)")
      }
    }
    return chosen
  }
}

/// The options of `advise` that bound what it may propose.
///
/// They say how many changes there may be, their kinds, and how far each may go. The limits of a phone narrow
/// them further.
struct AdviceArguments: ParsableArguments {
  @Option("n", "Propose at most N changes.")
  var maxChanges = 10

  @Option(
    "kind,...", "Propose only these kinds: radius, position, rule. Default: all.",
    "Separate them by commas.")
  var only: ListArgument<AdviceOptions.Kind>?

  @Option(
    "min..max", "Propose only radii in this range, up to 1km.",
    "A circle larger than 1km covers a whole town, so that its alert does not mean that the "
      + "story is near. With --profile, radii that the phone cannot use are left out.")
  var radiusRange = RangeArgument(meters: 100...300)

  @Option("distance", "Move a story by at most this far.")
  var moveWithin = DistanceArgument(meters: 50)

  @Option("n", "Propose to watch at most N circles. Default: the limit of the profile, or 20.")
  var maxLimit: Int?

  @Option("distance", "Propose no shorter lookup distance. Default: that of the profile, or 500m.")
  var minSignificantChange: DistanceArgument?

  func validate() throws {
    try require(maxChanges >= 1, "--max-changes must be at least 1")
    try require(maxLimit ?? 1 >= 1, "--max-limit must be at least 1")
    try require(
      radiusRange.meters.upperBound <= AdviceOptions.greatestRadiusMeters,
      "--radius-range must not go beyond 1km: a larger circle covers a whole town")
  }

  /// Sets the bounds, which a phone narrows.
  ///
  /// Typed values of `--max-limit` and `--min-significant-change` replace those of the phone.
  ///
  /// - Throws: ``CommandFailure`` if the phone can use no radius of `--radius-range`.
  func apply(to options: inout AdviceOptions, phone: PhoneProfile?) throws(CommandFailure) {
    if let only { options.kinds = Set(only.values) }
    options.mostChanges = maxChanges
    options.moveWithinMeters = moveWithin.meters
    options.radiusRangeMeters = radiusRange.meters
    if let phone, !options.keep(to: phone) {
      throw CommandFailure(
        .usage,
        "\(phone.name) cannot use any radius of --radius-range \(radiusRange.defaultValueDescription)"
      )
    }
    if let maxLimit { options.mostRegions = maxLimit }
    if let minSignificantChange {
      options.leastSignificantChangeMeters = minSignificantChange.meters
    }
  }
}
#endif
