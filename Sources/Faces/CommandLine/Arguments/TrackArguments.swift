#if Command
import ArgumentParser
import FencepostSession
import FencepostAnalysis
import FencepostFiles
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPlaces
public import FencepostReporting
import FencepostTracks
import Glibc

extension AnalysisReport.Format: ExpressibleByArgument, OutputForm {}
extension AnalysisNDJSONWriter.Verdicts: ExpressibleByArgument {}

/// How commands on many walks work and write: jobs, strictness, format, output and page.
///
/// `analyze`, `sweep` and `advise` have them.
struct ManyTracksArguments: ParsableArguments {
  @Option("n", "Work on N walks at a time. Default: one per processor core.")
  var jobs: Int?

  @Flag(help: "Stop at the first walk that cannot be read. By default it is reported and skipped.")
  var strict = false

  @Option(
    "format", "text, ndjson or csv; for analyze also geojson. Default: text.",
    "Without --format, an output file that ends in .ndjson, .csv or .geojson sets the format.")
  var format: AnalysisReport.Format?

  @OptionGroup var output: OutputArguments
  @OptionGroup var units: UnitArguments

  @Option("file", "Also write a report page to FILE. It needs no other files.", completion: .file())
  var report: String?

  func validate() throws { try require(jobs ?? 1 >= 1, "--jobs must be at least 1") }

  var jobCount: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The files to write, each with its option, for ``FileUse``.
  var outputs: [(option: String, path: String?)] {
    [("--output", output.path), ("--report", report)]
  }

  var chosenFormat: AnalysisReport.Format { output.form(format) }

  /// A progress bar for a number of things, hidden where it would mix with the report.
  func progress(
    of count: Int, title: String = "analyzing", unit: String = "tracks"
  ) -> ProgressBar {
    // Only text, which appears at the end, leaves room for a bar on the same terminal.
    ProgressBar(
      title: title, unit: .things(unit), total: count,
      isWanted: !output.isTerminal || chosenFormat == .text)
  }
}

/// How to assign tracks to persons, and which tracks count.
///
/// Alert rules that remember earlier alerts, such as cooldowns, go on from one track of a person to
/// the next. Without a rule for persons, each track stands alone.
struct PersonArguments: ParsableArguments {
  @Option(
    "rule", "Group walks by reader: \"folder\", \"file\", or a regular expression.",
    """
    With "file", each walk has a reader of its own. A regular expression is matched \
    against the path of the walk: its first group names the reader, or the whole match if \
    there is no group. Cooldowns and the alert budget carry over between the walks of a \
    reader, in order of time. Without this option, each walk stands alone.
    """)
  var personBy: PersonRule?

  @Option("n", "Count a day with more than N alerts per reader as too many.")
  var fatigue = Fatigue.usualLimit

  @OptionGroup var copies: CopyArguments

  func validate() throws { try require(fatigue >= 0, "--fatigue must not be negative") }

  /// Groups tracks by person and leaves out copies.
  ///
  /// Tracks of a person are sorted by time, for which each file is read once before the analysis.
  func plan(
    _ paths: [String], fixes: FixStreamOptions, work: ManyTracksArguments
  ) async throws -> (groups: [PersonTracks<String>], copies: [RepeatedTracks.Copy]) {
    let (distinct, repeated, outlines) = try await copies.distinct(
      paths, fixes: fixes, work: work, needsOutlines: personBy != nil)
    guard let personBy else { return (PersonTracks.alone(distinct), repeated) }
    return (
      PersonTracks<String>.groups(distinct, outlines: outlines) { personBy.person(of: $0) },
      repeated
    )
  }
}

/// The option that decides whether recordings of the same trip count more than once.
struct CopyArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also count walks that repeat the fixes of another walk.",
      discussion: """
        By default a walk is left out if nine of ten of its fixes are also in another walk, \
        in the same second and within 2 meters. The file format does not matter.
        """))
  var keepDuplicates = false

  /// Finds the tracks that count, in the order given, and those that repeat them.
  ///
  /// Each file is read once for its outline, unless nothing depends on it.
  ///
  /// With `needsOutlines` the caller gets the outlines even if copies count.
  func distinct(
    _ paths: [String], fixes: FixStreamOptions, work: ManyTracksArguments,
    needsOutlines: Bool = false
  ) async throws -> (
    paths: [String], copies: [RepeatedTracks.Copy], outlines: [TrackOutline]
  ) {
    guard paths.count > 1, needsOutlines || !keepDuplicates else { return (paths, [], []) }
    let progress = work.progress(of: paths.count, title: "looking for copies")
    let outlines = try await TrackOutline.all(of: paths, options: fixes, jobs: work.jobCount) {
      progress.advance(to: $0)
    }
    let copies = keepDuplicates ? [] : RepeatedTracks(outlines).copies
    let left = Set(copies.map(\.path))
    return (paths.filter { !left.contains($0) }, copies, outlines)
  }

  /// Names the tracks that are left out, up to a screenful.
  static func say(_ copies: [RepeatedTracks.Copy]) {
    let most = 25
    for copy in copies.prefix(most) {
      StandardError.say(
        "\(copy.path): not counted, because \(ReportNumber.percent(copy.share)) of its fixes "
          + "repeat \(copy.original)")
    }
    if copies.count > most {
      let more = ReportNumber.counted(copies.count - most, "more walk")
      StandardError.say("… and \(more) that repeat others. To count them too: --keep-duplicates")
    }
  }
}

/// How to find a track's person: `folder`, `file`, or a regular expression.
///
/// `folder` takes the path of the folder, and `file` the path of the track. An expression is
/// searched for in the path.
struct PersonRule: ExpressibleByArgument {
  /// The rule as the user wrote it, which reports repeat.
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    if !["folder", "file"].contains(argument), (try? Regex(argument)) == nil { return nil }
    text = argument
  }

  /// The person's name; nil if the expression does not match, so that the track stands alone.
  func person(of path: String) -> String? {
    switch text {
    case "file": return path
    case "folder":
      guard let slash = path.lastIndex(of: "/") else { return "." }
      return slash == path.startIndex ? "/" : String(path[..<slash])
    default:
      // The pattern was already validated.
      guard let match = try? Regex(text).firstMatch(in: path) else { return nil }
      let named = match.output.count > 1 ? match.output[1].substring : match.output[0].substring
      return named.map(String.init)
    }
  }
}

/// The options that follow only part of each walk: a period, a box, or both.
struct SelectionArguments: ParsableArguments {
  @Option(
    "time", "Use only fixes from this time on, such as 2026-03-04, 2026-03-04T17:00 or today.",
    "Days, and times without an offset, follow the clock of --time-zone.")
  var from: MomentArgument?

  @Option("time", "Use only fixes before this time. If it is a day, that day is included.")
  var to: MomentArgument?

  @Option(
    // A longitude may begin with a minus, which must not be taken for an option.
    parsing: .unconditional,
    "w,s,e,n", "Use only fixes in this box: west, south, east, north, in decimal degrees.",
    "Other fixes count as not recorded: a path that leaves the box is broken there. A walk "
      + "without a fix in the period and box is left out.")
  var bbox: CoordinateBox?

  func validate() throws {
    guard let from, let to else { return }
    let zone = ClockZone.utc
    try require(from.start(in: zone) < to.end(in: zone), "--from must be before --to")
  }

  var isWanted: Bool { from != nil || to != nil || bbox != nil }

  /// The part to follow; days begin and end by the clock of the zone.
  func selection(in zone: ClockZone) -> TrackSelection {
    TrackSelection(
      fromMilliseconds: from?.start(in: zone), toMilliseconds: to?.end(in: zone), box: bbox)
  }

  /// Refuses to join paths across the gaps that a box makes.
  func check(_ path: PathArguments) throws {
    try require(
      bbox == nil || !path.joinSegments,
      "--join-segments cannot be used with --bbox, which breaks paths where they leave the box")
  }
}

/// Tracks streamed from another program, and totals that are merged later.
///
/// With them a cluster can analyze walks that never become files, and add up the parts.
struct StreamArguments: ParsableArguments {
  @Option(
    "file", "Read walks from a stream of frames. Use \"-\" for standard input.",
    """
    A frame is a line {"track":"NAME","bytes":N}, followed by N bytes in any walk format. \
    {"track":"NAME","error":"WHY"} stands for a walk that could not be fetched. Each walk \
    is analyzed when it arrives, and its lines are written before the next one is read. In \
    ndjson its last line has the type "track" or "skipped". Walks are analyzed one at a \
    time and not compared with each other. The walks of a reader must follow one another \
    in order of time.
    """,
    completion: .file())
  var tracksFrom: String?

  @Flag(
    help: ArgumentHelp(
      "Also write the sums that --merge adds up to totals.",
      discussion:
        "With --merge, only the totals and these sums are written. They can be merged again."))
  var sums = false

  /// Checks that walks come either from files or from a stream.
  ///
  /// A stream has its walks one at a time, and cannot be joined with earlier analyses.
  func check(besides tracks: [String], isMerging: Bool, jobs: Int?) throws {
    guard tracksFrom != nil else {
      if tracks.isEmpty { throw ValidationError("Missing expected argument '<track> ...'") }
      return
    }
    try require(!isMerging, "--tracks-from cannot be used with --merge, which joins analyses")
    try require(tracks.isEmpty, "use either walks or --tracks-from")
    try require(
      jobs ?? 1 <= 1,
      "--jobs cannot be used with --tracks-from, which takes one walk at a time. "
        + "Start more processes instead.")
  }

  /// Opens the stream; nil if walks are files.
  func open() throws -> TrackFrameReader? {
    guard let tracksFrom else { return nil }
    return TrackFrameReader(try ByteSource(path: tracksFrom))
  }
}

extension TrackFiles {
  /// The most files of stories that are named one by one.
  private static let mostNamed = 10

  /// Finds at least one track file that arguments refer to, and checks that none is an output.
  static func find(_ arguments: [String], _ use: FileUse) throws(CommandFailure) -> [String] {
    let found = try expandAndSay(arguments)
    try use.check(reading: found)
    guard !found.isEmpty || arguments.isEmpty else {
      throw CommandFailure(.inputMissing, "no walks in \(arguments.joined(separator: ", "))")
    }
    return found
  }

  /// Finds the track files that arguments refer to, and names place files found in folders.
  static func expandAndSay(_ arguments: [String]) throws(CommandFailure) -> [String] {
    for argument in arguments { try refuseStories(argument) }
    let found = find(arguments)
    for path in found.places.prefix(mostNamed) {
      let cure =
        PlaceFileProbe.holdsPlaces(path: path, isTable: true)
        ? "" : ". To analyze it anyway, name the file."
      StandardError.say("\(path): skipped, because it contains stories, not a walk\(cure)")
    }
    if found.places.count > mostNamed {
      let more = ReportNumber.counted(found.places.count - mostNamed, "more file")
      StandardError.say("… and skipped \(more) of stories")
    }
    return found.tracks
  }

  /// Refuses a list of stories given as a track; skips standard input and pipes, read only once.
  static func refuseStories(_ path: String) throws(CommandFailure) {
    guard FileUse.isFile(path), PlaceFileProbe.holdsPlaces(path: path, isTable: true)
    else { return }
    throw CommandFailure(
      .inputBad,
      "\(path) looks like a list of stories, not a walk. "
        + "To import it: fencepost places import \(path) --store stories.sqlite")
  }
}

/// Notes about all tracks together, printed once to standard error.
///
/// They explain results that look wrong: walks far from all stories, and rules that cannot apply
/// because walks have no times.
final class TrackNotes {
  /// The tracks without an entry, which may be far from every story.
  private var remote = RemoteTracks()
  private var hasEntry = false
  /// The tracks whose entries escape rules about time.
  private var untimed: [String] = []
  private var rules: RulesWithoutTime = []

  /// Adds a track, and the rules about time that its entries escape.
  func take(_ extent: TrackExtent, of name: String, hasEntry: Bool, rules: RulesWithoutTime) {
    if hasEntry { self.hasEntry = true } else { remote.take(extent, of: name) }
    guard !rules.isEmpty else { return }
    untimed.append(name)
    self.rules.formUnion(rules)
  }

  /// Says what a user should know about the path of a track.
  static func say(_ remarks: PathRemarks, of name: String, fixes: Int) {
    for sentence in remarks.sentences(fixes: fixes) { StandardError.say("\(name): \(sentence)") }
  }

  /// Says where the path of a track was not followed.
  static func say(_ breaks: BreakCounts, of name: String, under rule: MonitoringOptions) {
    guard let sentence = rule.sentence(gaps: breaks.gaps, jumps: breaks.jumps) else { return }
    StandardError.say("\(name): \(sentence)")
  }

  /// Adds a track of an analysis, and prints at once what concerns it alone.
  func take(_ account: TrackAccount) {
    Self.say(account.remarks, of: account.track, fixes: account.fixes)
    take(
      account.extent, of: account.track, hasEntry: account.counts.entries > 0,
      rules: account.rulesWithoutTime)
  }

  /// Prints what concerns all tracks; called after the last one.
  ///
  /// The store tells how far the tracks are from its stories, if none was entered.
  func conclude(_ store: PlaceStore) throws {
    if let first = untimed.first {
      let tracks =
        untimed.count == 1
        ? "\(first) has"
        : "\(ReportNumber.counted(untimed.count, "walk")), \(first) the first, have"
      StandardError.say(
        "\(tracks) entries without times, so \(rules) cannot apply. To give a walk times, use "
          + "--date if only its date is missing, or else --travel-speed with --date.")
    }
    guard !hasEntry,
      let sentence = try remote.sentence(
        try store.makeReader(), distance: ReportNumber.longDistance)
    else { return }
    StandardError.say(sentence)
  }
}
#endif
