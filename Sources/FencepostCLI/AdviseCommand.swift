import ArgumentParser
import Fencepost
public import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import FencepostStudio

struct AdviseCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "advise", abstract: "Propose changes that bring more alerts, or fewer a day.",
    discussion: """
      Proposes the fewest changes that gain the most alerts on your walks: another radius, \
      another position, one story in place of several at the same spot, dropping stories \
      that nobody can reach, or another rule within the limits of the phone. Each proposal \
      gains the most once the earlier ones are made. To measure a gain, the walks are \
      followed again with the change made, with the same options as analyze. Of two changes \
      that gain the same, the one that reaches more readers comes first, then the one with \
      fewer lookups.

      With --profile, the alerts to gain are those of that phone. The walks are simulated: 40 \
      times to choose among the 64 most promising changes of a round, and 200 times, with other \
      random numbers, to measure the chosen ones.

      With --for, --category or --min-priority, only alerts of some stories count, each weighted \
      by its story's priority. Other dates and other quiet hours are then proposed too.

      With --bring-down-to, each day that has more than N alerts loses some until it has N, at \
      the least cost. Circles become smaller, stories go, hours become quiet, or the rule changes.

      With 10 readers or more, 3 in 10 do not help to choose the changes. The gain is also \
      measured on them.

      --apply-to writes all stories with the changes, for a new store. The file contains no \
      rule. If another rule is proposed, its options for analyze are printed.

      Examples:
        fencepost advise walks/ --store stories.sqlite --person-by folder
        fencepost advise walks/ --store stories.sqlite --apply-to better.csv
        fencepost advise walks/ --store stories.sqlite --for "Liberty Bell"
        fencepost advise walks/ --store stories.sqlite --bring-down-to 5
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
    "file", "Write all stories with the changes to FILE. Import it into a new store.",
    """
    The file is CSV, or GeoJSON if its name ends in .geojson. It has no dropped or merged \
    stories. A store that already has these keeps them until "places delete".
    """,
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
    try require(
      work.chosenFormat != .geojson,
      "--format geojson cannot be used here; for a map of the changed stories, use "
        + "--apply-to stories.geojson")
  }

  func run() async throws {
    let use = try FileUse(writing: work.outputs + [("--apply-to", applyTo)])
    try use.check(reading: places.source.files)
    let found = try TrackFiles.find(tracks, use)
    let phone = try ProfileFiles.profile(profile, use)
    rules.sayWarnings()
    let library = try work.report.map { _ in try InputFile.mapLibrary() }
    var options = try options(for: phone)
    let stories = try places.source.open(dateOrder: rules.fixes.dateOrder).allPlaces()
    options.purpose = try purpose.purpose(among: stories, isLosing: options.mostAfterwards != nil)
    let plan = try await persons.plan(found, fixes: rules.fixes.options, work: work)
    CopyArguments.say(plan.copies)
    var failures = FailureLog()
    let recorded = try read(plan.groups, &failures)
    if recorded.isEmpty { return try failures.conclude() }
    options.testShare = bounds.testShare(ofReaders: recorded.count)
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
  private func read(_ groups: [TrackGroup], _ failures: inout FailureLog) throws -> [PersonTracks] {
    var persons: [PersonTracks] = []
    for group in groups {
      var tracks: [RecordedTrack] = []
      for path in group.paths {
        try Task.checkCancellation()
        do throws(TrackFailure) {
          let track = try RecordedTrack(path: path, options: rules.fixes.options)
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

  private func write(_ advice: Advice) throws {
    let writer = AdviceWriter(advice)
    try OutputFile.write(to: work.output.path) { output in
      switch work.chosenFormat {
      case .text: writer.writeText(to: &output, layout: work.output.layout)
      case .csv: ShownUnits.$current.withValue(.metric) { writer.writeCSV(to: &output) }
      case .ndjson, .geojson:
        ShownUnits.$current.withValue(.metric) { writer.writeNDJSON(to: &output) }
      }
    }
    if let applyTo {
      // `places import` restores every byte.
      var output = try OutputFile(path: applyTo)
      var places = PlaceWriter(applyTo.lowercased().hasSuffix(".geojson") ? .geojson : .csv)
      places.isExact = true
      places.begin(&output.buffer)
      for place in advice.places {
        places.append(place, to: &output.buffer)
        try output.flushIfFull()
      }
      places.end(&output.buffer)
      try output.finish()
      let count = ReportNumber.counted(advice.places.count, "story")
      StandardError.say("\(applyTo): wrote all \(count) with the changes, for a new store")
      if !advice.removedIDs.isEmpty {
        StandardError.say(
          "left out: \(advice.removedIDs.joined(separator: " ")). To remove these from an older "
            + "store: fencepost places delete")
      }
    }
    let ruleOptions = writer.optionsOfRule
    if !ruleOptions.isEmpty {
      StandardError.say(
        "to analyze with the changed rule: fencepost analyze \(ruleOptions.joined(separator: " "))")
    }
  }

  private func options(for phone: PhoneProfile?) throws -> AdviceOptions {
    var options = AdviceOptions()
    options.session = rules.session(following: phone)
    options.zone = rules.alerts.timeZone
    options.jobs = work.jobCount
    options.chance = phone.map {
      ChanceOptions(
        profiles: [$0],
        simulation: .init(event: rules.alerts.alertOn.value == .exit ? .exit : .enter))
    }
    try bounds.apply(to: &options, purpose, phone: phone)
    return options
  }
}

extension AdviceOptions.Kind: ExpressibleByArgument {}

struct PurposeArguments: ParsableArguments {
  @Option(
    name: .customLong("for"),
    "story", "Help only this story: its id, its title, or a part that no other story has.",
    "Repeat the option for more stories.")
  var stories: [String] = []

  @Option("category", "Help only stories of exactly this category.")
  var category: String?

  @Option(
    "n", "Help only stories of priority N or more important. Lower numbers matter more.",
    "With --for, --category or --min-priority, only alerts of the stories that fit all of them "
      + "count: 1 for the least important priority among them, 2 for the next, and so on.")
  var minPriority: Int?

  private var isGiven: Bool { !stories.isEmpty || category != nil || minPriority != nil }

  /// The kinds of changes to propose unless chosen.
  func usualKinds(isLosing: Bool) -> [AdviceOptions.Kind] {
    isLosing
      ? AdviceOptions.Kind.losing : isGiven ? AdviceOptions.Kind.allCases : AdviceOptions.Kind.usual
  }

  /// The purpose among all places; nil if all alerts count the same.
  func purpose(among places: [Place], isLosing: Bool) throws(CommandFailure) -> AdvicePurpose? {
    guard isGiven else {
      return isLosing && Set(places.map(\.priority)).count > 1 ? AdvicePurpose(places) : nil
    }
    let chosen = try named(among: places).filter { place in
      (category ?? place.category) == place.category
        && minPriority.map { place.priority <= $0 } ?? true
    }
    guard !chosen.isEmpty else {
      throw CommandFailure(.usage, "--for, --category and --min-priority leave no story to help")
    }
    return AdvicePurpose(chosen)
  }

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

struct AdviceArguments: ParsableArguments {
  /// The share of readers to hold back, from ``leastReadersHeldBack`` readers on.
  private static let usualTestShare = 0.3
  private static let leastReadersHeldBack = 10

  @Option(
    "n", "Lose alerts instead: come down to N per reader and day, with the least loss.",
    "Loss is weighted by priority. Walks without times have no days.")
  var bringDownTo: Int?

  @Option("n", "Propose at most N changes. Default: 10, or 100 with --bring-down-to.")
  var maxChanges: Int?

  @Option(
    "n", "Propose only changes that gain at least N alerts.",
    """
    Alerts are weighted as with --for. With --bring-down-to, N is by how many alerts days come \
    nearer to it.
    """)
  var minGain = 1

  @Option(
    "kind,...", "Propose only these kinds: radius, position, merge, drop, dates, hours, rule.",
    "Separate them by commas. Default: all but dates and hours. With --for, --category or "
      + "--min-priority, all. With --bring-down-to, radius, drop, hours and rule.")
  var only: ListArgument<AdviceOptions.Kind>?

  @Option(
    "min..max", "Propose only radii in this range, up to 1km.",
    "A circle larger than 1km covers a whole town, so that its alert does not mean that the "
      + "story is near. With --profile, radii that the phone cannot use are left out.")
  var radiusRange = RangeArgument(meters: 100...300)

  @Option("distance", "Move a story by at most this far.")
  var moveWithin = DistanceArgument(meters: 50)

  @Option(
    "n", "Allow at most N alerts per reader and day. Default: no limit.",
    "A day that already has more must not gain any. Walks without times have no days.")
  var maxAlertsPerDay: Int?

  @Option("n", "Propose to watch at most N circles. Default: the limit of the profile, or 20.")
  var maxLimit: Int?

  @Option("distance", "Propose no shorter lookup distance. Default: that of the profile, or 500m.")
  var minSignificantChange: DistanceArgument?

  @Option(
    "share", "Hold back this share of the readers, and measure the gain on them.",
    "SHARE must be at least 0 and less than 1. Above 0, each group has at least one reader. "
      + "Default: 0.3 from 10 readers on, else 0.")
  var testShare: Double?

  @Option("n", "Random seed of --test-share. Another seed holds back other readers.")
  var seed: UInt64 = 1

  func validate() throws {
    try require(maxChanges ?? 1 >= 1, "--max-changes must be at least 1")
    try require(minGain >= 1, "--min-gain must be at least 1")
    try require(maxAlertsPerDay ?? 0 >= 0, "--max-alerts-per-day must not be negative")
    try require(maxLimit ?? 1 >= 1, "--max-limit must be at least 1")
    try require((0..<1).contains(testShare ?? 0), "--test-share must be at least 0 and less than 1")
    try require(
      radiusRange.meters.upperBound <= AdviceOptions.greatestRadiusMeters,
      "--radius-range must not go beyond 1km: a larger circle covers a whole town")
    guard let bringDownTo else { return }
    try require(bringDownTo >= 1, "--bring-down-to must be at least 1")
    try require(maxAlertsPerDay == nil, "--bring-down-to cannot be used with --max-alerts-per-day")
    let losing = Set(AdviceOptions.Kind.losing)
    try require(
      losing.isSuperset(of: only?.values ?? []),
      "--bring-down-to can propose only radius, drop, hours and rule")
  }

  func testShare(ofReaders count: Int) -> Double {
    testShare ?? (count >= Self.leastReadersHeldBack ? Self.usualTestShare : 0)
  }

  func apply(
    to options: inout AdviceOptions, _ purpose: PurposeArguments, phone: PhoneProfile?
  ) throws(CommandFailure) {
    let isLosing = bringDownTo != nil
    options.mostAfterwards = bringDownTo
    options.kinds = Set(only?.values ?? purpose.usualKinds(isLosing: isLosing))
    options.mostChanges = maxChanges ?? (isLosing ? 100 : 10)
    options.leastGain = minGain
    options.moveWithinMeters = moveWithin.meters
    options.mostAlertsPerDay = maxAlertsPerDay
    options.seed = seed
    if let phone {
      options.mostRegions = phone.limits.regions.value.value
      options.leastSignificantChangeMeters = phone.refresh.distanceMeters.value
    }
    if let maxLimit { options.mostRegions = maxLimit }
    if let minSignificantChange {
      options.leastSignificantChangeMeters = minSignificantChange.meters
    }
    let least = max(radiusRange.meters.lowerBound, phone?.limits.leastRadiusMeters.value ?? 0)
    let greatest = min(
      radiusRange.meters.upperBound, phone?.limits.greatestRadiusMeters.value.value ?? .infinity)
    guard least <= greatest else {
      throw CommandFailure(
        .usage,
        "\(phone?.name ?? "the phone") cannot use any radius of --radius-range "
          + radiusRange.defaultValueDescription)
    }
    options.radiusRangeMeters = least...greatest
  }
}
