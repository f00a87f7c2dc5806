import ArgumentParser
import FencepostTime
import FencepostPlaces
import FencepostFormats
import FencepostAnalysis
import FencepostFiles
import FencepostFixes
import FencepostNotifications
public import FencepostReporting
import FencepostTracks
import Glibc

extension AnalysisReport.Format: ExpressibleByArgument, OutputForm {}
extension AnalysisNDJSONWriter.Verdicts: ExpressibleByArgument {}

struct ManyTracksArguments: ParsableArguments {
  @Option(
    help: .value(
      "N", "How many tracks are worked on at a time.", "The default is one for each core."))
  var jobs: Int?

  @Flag(help: "The first bad track ends everything; otherwise it is reported and skipped.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "The form of the output.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv, .geojson), else \
        it is text on a terminal and ndjson elsewhere.
        """))
  var format: AnalysisReport.Format?

  @OptionGroup var output: OutputArguments

  @Option(
    help: .value("file", "Write a page about it too: one HTML file that needs no other."),
    completion: .file())
  var report: String?

  func validate() throws {
    try require(jobs ?? 1 >= 1, "--jobs is at least 1")
  }

  /// The number of tracks to process at a time.
  var jobCount: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  var outputs: [(option: String, path: String?)] {
    [("--output", output.path), ("--report", report)]
  }

  var chosenFormat: AnalysisReport.Format { output.form(format) }

  func progress(of count: Int, title: String = "analysing") -> ProgressBar {
    // Only text, which appears at the end, leaves room for a bar on the same terminal.
    ProgressBar(
      title: title, unit: .things("tracks"), total: count,
      isWanted: !output.isTerminal || chosenFormat == .text)
  }
}

/// How to assign tracks to persons, and which tracks count.
struct PersonArguments: ParsableArguments {
  @Option(
    help: .value(
      "folder|file|regex",
      "What makes tracks those of one person: their folder, each file, or a pattern.",
      """
      A pattern is a regular expression; what its first group matches in the track's name, or \
      without a group what it matches, names the person. Cool-downs, ‘once for ever’ and the budget \
      go on from one track of a person to the next, in the order of their times. Without this \
      option each track stays alone.
      """))
  var personBy: PersonRule?

  @Option(help: .value("N", "How many alerts a person-day are too many."))
  var fatigue = Fatigue.usualLimit

  @OptionGroup var copies: CopyArguments

  func validate() throws {
    try require(fatigue >= 0, "--fatigue is at least 0")
  }

  /// Groups tracks by person and leaves out copies.
  func plan(
    _ paths: [String], fixes: FixStream.Options, work: ManyTracksArguments
  ) async throws -> (groups: [TrackGroup], copies: [RepeatedTracks.Copy]) {
    let (distinct, repeated, outlines) = try await copies.distinct(
      paths, fixes: fixes, work: work, needsOutlines: personBy != nil)
    guard let personBy else { return (TrackGroup.alone(distinct), repeated) }
    return (
      TrackGroup.groups(distinct, outlines: outlines) { personBy.person(of: $0) }, repeated
    )
  }
}

struct CopyArguments: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Tracks that repeat the fixes of another count too.",
      discussion: """
        Otherwise a track of which nine of ten fixes are also in another, the same second and within two \
        metres, is named and left out, in whatever format it is.
        """))
  var keepDuplicates = false

  /// The tracks that count, in the order given.
  func distinct(
    _ paths: [String], fixes: FixStream.Options, work: ManyTracksArguments,
    needsOutlines: Bool = false
  ) async throws -> (
    paths: [String], copies: [RepeatedTracks.Copy], outlines: [TrackOutline]
  ) {
    guard paths.count > 1, needsOutlines || !keepDuplicates else { return (paths, [], []) }
    var progress = work.progress(of: paths.count, title: "looking for copies")
    let outlines = try await TrackSurvey(paths, options: fixes, jobs: work.jobCount) {
      progress.advance(to: $0)
    }.outlines
    let copies = keepDuplicates ? [] : RepeatedTracks(outlines).copies
    let left = Set(copies.map(\.path))
    return (paths.filter { !left.contains($0) }, copies, outlines)
  }

  /// Names the tracks that are left out, up to a screenful.
  static func say(_ copies: [RepeatedTracks.Copy]) {
    let most = 25
    for copy in copies.prefix(most) {
      StandardError.say(
        "\(copy.path): repeats \(ReportNumber.percent(copy.share)) of its fixes from "
          + "\(copy.original) and is not counted")
    }
    if copies.count > most {
      let more = ReportNumber.counted(copies.count - most, "more track")
      StandardError.say("… and \(more) that repeat others; --keep-duplicates counts them all")
    }
  }
}

/// How to find a track's person: `folder`, `file`, or a regular expression.
struct PersonRule: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    if !["folder", "file"].contains(argument), (try? Regex(argument)) == nil { return nil }
    text = argument
  }

  /// The person of a track; nil if the pattern does not match.
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

struct SelectionArguments: ParsableArguments {
  @Option(
    help: .value(
      "time",
      "Only fixes from then on: a day by the clock of --time-zone, or a time with its offset."))
  var from: PeriodEnd?

  @Option(help: .value("time", "Only fixes before then; of a day, those of the day too."))
  var to: PeriodEnd?

  @Option(
    // A longitude may begin with a minus, which must not be taken for an option.
    parsing: .unconditional,
    help: .value(
      "W,S,E,N", "Only fixes in this box of decimal degrees.",
      """
      Tracks are followed as if the other fixes had not been recorded: a path that leaves the box is \
      broken there, and a track without a fix in the period and box is left out.
      """))
  var bbox: BoxArgument?

  func validate() throws {
    guard let from, let to else { return }
    let zone = ClockZone.utc
    try require(from.start(in: zone) < to.end(in: zone), "--from is before --to")
  }

  /// Whether some fixes may be left out.
  var isWanted: Bool { from != nil || to != nil || bbox != nil }

  /// The selection, with days in a time zone.
  func selection(in zone: ClockZone) -> TrackSelection {
    TrackSelection(
      fromMilliseconds: from?.start(in: zone), toMilliseconds: to?.end(in: zone), box: bbox?.box)
  }

  /// Checks the selection against the way paths are joined.
  func check(_ path: PathArguments) throws {
    try require(
      bbox == nil || !path.joinSegments,
      "--join-segments would join what --bbox cuts apart; give one of the two")
  }
}

/// Tracks streamed from another program, and totals that are merged later.
struct StreamArguments: ParsableArguments {
  @Option(
    help: .value(
      "file", "Take the tracks from a stream of frames; - is standard input.",
      """
      A frame is a line {"track":"NAME","bytes":N} and then N bytes in any form that a file may have; \
      {"track":"NAME","error":"WHY"} stands for one that could not be had. Each track is followed as soon \
      as it is there, and its lines are written before the next is read: in ndjson its line of type track, or \
      skipped, is the last. Tracks are not compared with one another, one is worked on at a time, and those \
      of a person must follow one another in time's order.
      """),
    completion: .file())
  var tracksFrom: String?

  @Flag(
    help: ArgumentHelp(
      "Write the sums too from which --merge adds totals up.",
      discussion: """
        With --merge only the totals and these sums are written, which can be merged again.
        """))
  var sums = false

  /// Checks the options that go with a stream.
  func check(besides tracks: [String], isMerging: Bool, jobs: Int?) throws {
    guard tracksFrom != nil else {
      if tracks.isEmpty { throw ValidationError("Missing expected argument '<track> ...'") }
      return
    }
    if isMerging { throw ValidationError("--merge joins files, not --tracks-from") }
    if !tracks.isEmpty {
      throw ValidationError("either tracks or --tracks-from say what is analysed")
    }
    if let jobs, jobs > 1 {
      throw ValidationError("--tracks-from is worked on one track at a time; start more processes")
    }
  }

  func open() throws -> TrackFrameReader? {
    guard let tracksFrom else { return nil }
    return TrackFrameReader(try ByteSource(path: tracksFrom))
  }
}
