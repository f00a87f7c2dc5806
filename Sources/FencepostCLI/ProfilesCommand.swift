import ArgumentParser
import FencepostAnalysis
import FencepostFiles
import FencepostMonitoring
import FencepostPhones
import FencepostReporting
import FencepostStudio

struct ProfilesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles", abstract: "List the simulated phones and geofencing services.",
    discussion: """
      A profile describes what happens between an entry and the notification: limits, \
      lookups, confirmation, delays. Each value has a source. A profile of your own is JSON \
      as described in Data/schemas/profile.schema.json. Begin with the output of "profiles \
      show", or name a built-in profile as its "base" and give only what differs.
      """,
    subcommands: [ProfilesListCommand.self, ProfilesShowCommand.self, ProfilesFitCommand.self])
}

struct ProfilesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the built-in profiles.",
    discussion: """
      Shows for each profile how many circles it watches, how it tests for entries, and what \
      its values are based on: documentation, measurements, a fit to published figures, or \
      assumptions.

      Examples:
        fencepost profiles list
        fencepost profiles list --format ndjson
      """)

  @OptionGroup var account: AccountArguments

  func run() async throws {
    let profiles = BuiltInProfile.allCases.map(\.profile)
    let heading = [
      "PROFILE", "REGIONS", "TEST", "ACCURACY", "DOCUMENTED", "MEASURED", "FITTED", "ASSUMED",
      "TITLE",
    ]
    let rows = profiles.map { profile in
      [
        profile.name, profile.limits.regions.value.value.map { "\($0)" } ?? "none",
        profile.test.at.value.rawValue, profile.test.accuracy.value.rawValue,
      ] + Basis.allCases.map { "\(profile.values(restingOn: $0))" } + [profile.title]
    }
    try account.write(([heading] + rows).map(Self.line), records: profiles) { output, profile in
      output.member("type", "profile")
      output.member("name", profile.name)
      output.member("title", profile.title)
      output.member("regions", profile.limits.regions.value.value)
      output.member("test", profile.test.at.value.rawValue)
      output.member("accuracy", profile.test.accuracy.value.rawValue)
      output.member("documented", profile.values(restingOn: .documented))
      output.member("measured", profile.values(restingOn: .measured))
      output.member("fitted", profile.values(restingOn: .fitted))
      output.member("assumed", profile.values(restingOn: .assumed))
    }
  }

  private static func line(_ cells: [String]) -> String {
    zip(cells, [16, 7, 5, 10, 10, 8, 6, 7]).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count) + 2)
    }.joined() + (cells.last ?? "")
  }
}

struct ProfilesShowCommand: AsyncParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument, OutputForm, Sendable {
    case text
    /// The profile itself, for a file.
    case ndjson = "json"
  }

  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the values of a profile with their sources.",
    discussion: """
      To make a profile of your own, write one as json and change it. If PHONE is a file, it \
      is checked. The first fault is reported with its line and path.

      Examples:
        fencepost profiles show iphone
        fencepost profiles show android --output mine.json
      """)

  @Argument(
    help: .value("phone", "A built-in profile or a profile file. Use \"-\" for standard input."),
    completion: .file(extensions: ["json"]))
  var profile: String

  @Option(
    "format", "text or json. Default: text.",
    "Without --format, an output file that ends in .json sets the format.")
  var format: Format?

  @OptionGroup var output: OutputArguments

  func run() async throws {
    if BuiltInProfile(named: profile) == nil {
      try FileUse(writing: [("--output", output.path)]).check(reading: [profile])
    }
    let profile = try ProfileFiles.profile(profile)
    let text =
      switch output.form(format) {
      case .ndjson: profile.json
      case .text: profile.lines.map { $0.forTerminal + "\n" }.joined()
      }
    try OutputFile.write(to: output.path) { $0.append(verbatim: text) }
  }
}

struct ProfilesFitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit", abstract: "Fit a profile to what your own phone reported on walks.",
    discussion: """
      Carry the phone and a good receiver past some circles, as Data/field/PROTOCOL.md says. \
      TRACK is what the receiver recorded, and --log what the phone reported: a table with \
      the columns time, place and event, OwnTracks transitions, e-mission transitions, or \
      Home Assistant's history.

      Writes a profile for --profile. It has five fitted values with 95 % intervals: how far \
      from the edge entries and exits are noticed, the delay, its spread, and the share that \
      is never reported. All other values are those of --base.

      Examples:
        fencepost profiles fit walks/ --places p.csv --log phone.csv -o mine.json
        fencepost profiles fit walk.gpx --places circles.csv --log phone.rec \\
          --base android --name pixel-3
      """)

  @Argument(
    help: .value("track", "Recorded walks: files, folders or patterns."), completion: .file())
  var tracks: [String]

  @OptionGroup(title: "Circles") var places: PlaceArguments

  @Option("file", "What the phone reported. May be given several times.", completion: .file())
  var log: [String] = []

  @Option("phone", "Start from this profile, built in or a file. Default: iphone.")
  var base = "iphone"

  @Option("name", "Name of the new profile: lowercase letters, digits and hyphens.")
  var name = "fitted"

  @Option("area", "city, residential or forest: where the walks were. Default: residential.")
  var surroundings = Surroundings.residential

  @Option("n", "Simulated phones for each crossing, from 1 to 10000. Default: 64.")
  var trials = 64

  @Option("n", "Random seed. The same seed gives the same output. Default: 1.")
  var seed = 1

  @Flag(name: .shortAndLong, help: "Do not print the card to standard error.")
  var quiet = false

  @OptionGroup var output: OutputArguments

  func validate() throws {
    try require(!log.isEmpty, "Say what the phone reported: --log FILE")
    try require((1...10_000).contains(trials), "--trials must be from 1 to 10,000")
    try require(seed >= 0, "--seed must not be negative")
    try require(PhoneProfile.isName(name), "--name must be lowercase letters, digits and hyphens")
  }

  func run() async throws {
    let use = try FileUse(writing: [("--output", output.path)])
    try use.check(reading: places.source.files + log)
    let base = try ProfileFiles.profile(base, use) ?? BuiltInProfile.iphone.profile
    let circles = try PlaceIndex(places.source.open(dateOrder: nil).allPlaces())
    let walks = try TrackFiles.find(tracks, use).map { path in
      let walk = try KnownWalk(RecordedTrack(path: path), past: circles)
      guard walk.path.count > 0 else {
        throw CommandFailure(
          .inputBad, "\(InputFile.name(path)): its fixes have no times, which a fit needs")
      }
      return walk
    }
    let reports = try reports(of: circles.places)
    var options = ProfileFit.Options()
    (options.trials, options.seed) = (trials, UInt64(seed))
    options.surroundings = surroundings
    let fit = ProfileFit(base: base, walks: walks, options: options)
    let found = fit.fit(reports) { Task.isCancelled }
    try Task.checkCancellation()
    guard let found, found.entries.of + found.exits.of >= Self.leastCrossings else {
      let count = found.map { $0.entries.of + $0.exits.of } ?? 0
      throw CommandFailure(
        .inputBad,
        "a fit needs at least \(Self.leastCrossings) crossings of circles after which the walk "
          + "goes on for five minutes, and these walks have \(count)")
    }
    guard found.entries.reported + found.exits.reported > 0 else {
      throw CommandFailure(
        .inputBad, "no report in \(log.joined(separator: ", ")) belongs to a crossing of the walks")
    }
    var profile = found.profile
    profile.name = name
    profile.title = "\(base.title), fitted to test walks"
    if !quiet { for line in profile.card { StandardError.print(line) } }
    try OutputFile.write(to: output.path) { $0.append(verbatim: profile.json) }
  }

  private static let leastCrossings = 5

  /// Reads the logs; reports of other circles than those of the walks are counted and left out.
  private func reports(of circles: [Place]) throws -> [CrossingReport] {
    var keys: [String: UInt64] = [:]
    for circle in circles { keys[circle.title.lowercased()] = subjectKey(circle.id) }
    for circle in circles { keys[circle.id.lowercased()] = subjectKey(circle.id) }
    var reports: [CrossingReport] = []
    for path in log {
      let bytes = try InputFile.contents(
        of: InflatedSource(path: path), mostBytes: 64 << 20, kind: "phone's log")
      let entries = try InputFile.located(path) { try PhoneLog(parsing: bytes).entries }
      let known = entries.filter { $0.place.map { keys[$0.lowercased()] != nil } ?? true }
      if known.count < entries.count {
        StandardError.say(
          "\(InputFile.name(path)): \(entries.count - known.count) of \(entries.count) reports "
            + "name other circles and are left out")
      }
      reports += known.map {
        CrossingReport(
          circle: $0.place.flatMap { keys[$0.lowercased()] }, side: $0.side, seconds: $0.seconds)
      }
    }
    return reports
  }
}
