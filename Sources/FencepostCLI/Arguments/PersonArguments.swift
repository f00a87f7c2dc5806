import ArgumentParser
import FencepostAnalysis
import FencepostFixes
import FencepostReporting
import FencepostTracks

/// Whose tracks they are, and which of them count.
struct PersonArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What makes tracks those of one person: their folder, each file, or a pattern.",
      discussion: """
        A pattern is a regular expression; what its first group matches in the track's name, or \
        without a group what it matches, names the person. Cool-downs, ‘once for ever’ and the budget \
        go on from one track of a person to the next, in the order of their times. Without this \
        option each track stays alone.
        """,
      valueName: "folder|file|regex"))
  var personBy: PersonRule?

  @Option(help: ArgumentHelp("How many alerts a person-day are too many.", valueName: "N"))
  var fatigue = Fatigue.usualLimit

  @OptionGroup
  var copies: CopyArguments

  func validate() throws {
    if fatigue < 0 { throw ValidationError("--fatigue is at least 0") }
  }

  /// Sorts tracks into persons and leaves copies out.
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

/// Whether tracks that repeat others count.
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

/// What makes tracks those of one person.
struct PersonRule: ExpressibleByArgument {
  /// The rule as it was written.
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
      // It was read once already.
      guard let match = try? Regex(text).firstMatch(in: path) else { return nil }
      let named = match.output.count > 1 ? match.output[1].substring : match.output[0].substring
      return named.map(String.init)
    }
  }
}
