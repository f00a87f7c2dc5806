import ArgumentParser
import Fencepost
import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostStudio

struct AdviseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Say what to change so that more alerts come.",
    discussion: """
      Proposes the fewest changes that gain most alerts on the tracks: another radius, another \
      position, one story in place of several at one spot, stories that nobody can meet to be dropped, \
      another rule within the phone's limits. Each proposal is the change that gains most \
      after those before it. Every gain is that of a run with the change made, as analyze counts \
      with the same options: alerts that the phone gives. Of equal gains the one that \
      reaches more persons comes first, then the one with fewer refreshes.

      --apply-to writes all places after the changes, for a new store. The file holds no rule: a proposal \
      of another rule names the options of analyze that it stands for.

      Examples:
        fencepost advise tracks/ --store stories.sqlite
        fencepost advise tracks/ --store stories.sqlite --person-by folder --test-share 0.3
        fencepost advise tracks/ --store stories.sqlite --only radius,position --apply-to places.csv
        fencepost places import places.csv --store better.sqlite
      """)

  @Argument(
    help: .value("track", "The tracks: files, folders, patterns."),
    completion: .file())
  var tracks: [String]

  @OptionGroup(title: "Places")
  var places: PlaceArguments

  @OptionGroup(title: "Changes")
  var bounds: AdviceArguments

  @Option(
    help: .value(
      "profile", "Keep to the limits of a phone or engine: a profile's name or file.",
      """
      Its limit and refresh distance are the rule, unless --limit and --significant-change say \
      otherwise, as in analyze.
      """),
    completion: .file(extensions: ["json"]))
  var profile: String?

  @Option(
    help: .value(
      "file",
      "Write all places after the changes to this file, which places import takes into a new store.",
      """
      CSV, or GeoJSON if the name ends in .geojson. Stories that are dropped or merged are not \
      in it, so that a store which has them already keeps them until ‘places delete’.
      """),
    completion: .file(extensions: ["csv", "geojson"]))
  var applyTo: String?

  @OptionGroup var rules: SessionArguments

  @OptionGroup(title: "Persons")
  var persons: PersonArguments

  @OptionGroup(title: "Work and report")
  var work: ManyTracksArguments

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup var studio: StudioLinkArguments

  func validate() throws {
    try studio.check(work.report)
    if work.chosenFormat == .geojson {
      throw ValidationError("advice is text, ndjson or csv; --apply-to writes places for a map")
    }
  }

  func run() async throws {
    let use = try FileUse(writing: work.outputs + [("--apply-to", applyTo)])
    try use.check(reading: places.source.files)
    let found = try TrackFiles.find(tracks, use)
    let phone = try ProfileFiles.profile(profile, use)
    rules.monitoring.sayWarnings()
    let library = try work.report.map { _ in try InputFile.mapLibrary() }
    let options = try options(for: phone)
    let stories = try places.source.open(dateOrder: rules.fixes.dateOrder).allPlaces()
    let plan = try await persons.plan(found, fixes: rules.fixes.options, work: work)
    CopyArguments.say(plan.copies)
    var failures = FailureLog()
    let recorded = try read(plan.groups, &failures)
    if recorded.isEmpty { return try failures.conclude() }
    let advice = try await advise(stories, recorded, options)
    try write(advice)
    if let library, let report = work.report {
      var output = try OutputFile(path: report)
      var page = AdvicePage(advice, tracks: recorded.flatMap(\.tracks))
      page.studio = studio.link
      page.write(library, to: &output.buffer)
      try output.finish()
    }
    try failures.conclude()
  }

  /// Reads the tracks into memory and reports what cannot be read.
  private func read(
    _ groups: [TrackGroup], _ failures: inout FailureLog
  ) throws -> [PersonTracks] {
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

  private func advise(
    _ places: [Place], _ persons: [PersonTracks], _ options: AdviceOptions
  ) async throws -> Advice {
    var progress = ProgressBar(
      title: "advising", unit: .things("changes"), total: options.mostChanges,
      isWanted: !work.output.isTerminal || work.chosenFormat == .text)
    let advice = try await Advisor(places: places, persons: persons, options: options)
      .advise { progress.advance(to: $0) }
    progress.advance(to: options.mostChanges)
    return advice
  }

  private func write(_ advice: Advice) throws {
    var output = try OutputFile(path: work.output.path)
    let writer = AdviceWriter(advice)
    switch work.chosenFormat {
    case .text: writer.writeText(to: &output.buffer, layout: work.output.layout)
    case .csv: writer.writeCSV(to: &output.buffer)
    case .ndjson, .geojson: writer.writeNDJSON(to: &output.buffer)
    }
    try output.finish()
    if let applyTo {
      try writePlaces(advice.places, to: applyTo)
      for sentence in sentences(about: advice, in: applyTo) { StandardError.say(sentence) }
    }
    let ruleOptions = writer.optionsOfRule
    if !ruleOptions.isEmpty {
      StandardError.say("the changed rule is that of analyze \(ruleOptions.joined(separator: " "))")
    }
  }

  /// Writes places as GeoJSON or CSV, by extension, so that `places import` restores them exactly.
  private func writePlaces(_ places: [Place], to path: String) throws {
    var output = try OutputFile(path: path)
    var writer = PlaceWriter(path.lowercased().hasSuffix(".geojson") ? .geojson : .csv)
    writer.isExact = true
    writer.begin(&output.buffer)
    for place in places {
      writer.append(PlaceRecord(place: place), to: &output.buffer)
      try output.flushIfFull()
    }
    writer.end(&output.buffer)
    try output.finish()
  }

  /// How to continue with the file.
  private func sentences(about advice: Advice, in path: String) -> [String] {
    let count = ReportNumber.counted(advice.places.count, "place")
    var sentences = ["\(path): all \(count) after the changes, for a new store"]
    if !advice.removedIDs.isEmpty {
      sentences.append(
        "not among them: \(advice.removedIDs.joined(separator: " ")); a store that is updated "
          + "keeps these until ‘places delete’")
    }
    return sentences
  }

  private func options(for phone: PhoneProfile?) throws -> AdviceOptions {
    var options = AdviceOptions()
    options.session = rules.session()
    options.session.monitoring = rules.monitoring.options(following: phone)
    options.zone = rules.alerts.timeZone
    options.jobs = work.jobCount
    try bounds.apply(to: &options, phone: phone)
    return options
  }
}
