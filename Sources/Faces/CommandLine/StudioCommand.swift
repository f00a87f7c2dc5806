#if Command
import ArgumentParser
import FencepostSession
import FencepostAnalysis
import FencepostHTTP
import FencepostLive
import FencepostNotifications
import FencepostReporting
import FencepostStudio
import Glibc

/// The command `studio`: serves a page on which an editor plays walks and tries changes.
///
/// It reads all walks into memory first. Then it serves until a signal comes, or with `--export`
/// writes the whole studio as one page and ends.
struct StudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio", abstract: "See walks and stories on a map, play them, and try changes.",
    discussion: """
      Opens a page for a browser on this machine. It shows the walks on a map with a \
      timeline, and at each moment what is watched, what alerts and what is missed. Drag, \
      resize, add or remove stories, or change a rule, and see at once what is gained and \
      lost. Only Save changes the store. Nothing leaves this machine.

      TRACK is anything that replay reads. You can drop more walks onto the page. Ctrl-C \
      ends the studio.

      Examples:
        fencepost studio walk.gpx --store stories.sqlite --open
        fencepost studio walks/ --places stories.csv --profile iphone
        fencepost studio walk.gpx --store stories.sqlite --export walk.html
      """)

  @Argument(help: .value("track", "Walks: files, folders or patterns."), completion: .file())
  var tracks: [String] = []

  @OptionGroup(title: "Stories") var places: PlaceArguments
  @OptionGroup var rules: SessionArguments
  @OptionGroup(title: "Simulated phones") var phones: StudioPhoneArguments
  @OptionGroup(title: "Reminders") var reminders: ReminderArguments
  @OptionGroup(title: "Advice") var proposals: StudioAdviceArguments
  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup(title: "Page to send") var page: SentPageArguments
  @OptionGroup(title: "Server") var server: StudioArguments

  /// Reads walks and stories, then serves them, or writes them as one page.
  ///
  /// A studio always asks for a token: it makes one if the user gave none, so that no other page in
  /// the browser can use it.
  func run() async throws {
    let paths = try TrackFiles.expandAndSay(tracks)
    try FileUse(writing: [("--export", page.export)])
      .check(reading: paths + [places.source.store, places.source.places])
    rules.sayWarnings()
    let given = try phones.read()
    // Fail before the work if the page's library is missing.
    var site = try server.place().site()
    site.token = site.token ?? Studio.makeToken()
    let advice = try proposals.lines()
    let store = try places.source.open(dateOrder: rules.fixes.dateOrder, clock: rules.alerts.clock)
    var failures = FailureLog()
    let (recorded, notices) = try read(paths, &failures)
    var scene = StudioScene(
      tracks: recorded, notices: notices, store: store, canSave: places.source.store != nil,
      setting: phones.setting(of: given.first, rules), zone: rules.alerts.timeZone,
      fixes: rules.reading, arguments: tracks)
    scene.arguments += places.source.store.map { ["--store", $0] } ?? []
    scene.arguments += places.source.places.map { ["--places", $0] } ?? []
    scene.phones += given.filter { one in !scene.phones.contains { $0.word == one.word } }
    scene.advice = advice
    scene.reminders = try reminders.load(rules.alerts.clock)
    scene.export = { PlaceWriter.file($0, $1) }
    scene.rulesText = RulesFile.studioText
    if let path = page.export {
      let sent = try SentPage(
        scene, scene.store.allPlaces(), privacy: page.privacy, library: site.library)
      let bytes = try sent.make()
      try OutputFile.write(to: path) { $0.append(bytes.span) }
      StandardError.say("\(path) opens without a server or a network")
      return try failures.conclude()
    }
    var options = StudioOptions(site, scene: scene)
    options.jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    try await serve(try Studio(options))
    try failures.conclude()
  }

  /// Reads the tracks and reports, here and on the page, what cannot be read.
  ///
  /// - Returns: The tracks and the notices for the page.
  /// - Throws: The most severe status if tracks were named and none can be read.
  private func read(
    _ paths: [String], _ failures: inout FailureLog
  ) throws -> ([RecordedTrack], [String]) {
    var recorded: [RecordedTrack] = []
    var notices: [String] = []
    let progress = ProgressBar(title: "reading", unit: .things("tracks"), total: paths.count)
    for (number, path) in paths.enumerated() {
      try Task.checkCancellation()
      do throws(TrackFailure) {
        let track = try RecordedTrack(path: path, options: rules.reading)
        notices += track.account.notices.map { "\(track.name): \($0)" }
        recorded.append(track)
      } catch {
        notices.append(error.description)
        failures.note(error)
      }
      progress.advance(to: number + 1)
    }
    if recorded.isEmpty, !paths.isEmpty { try failures.conclude() }
    return (recorded, notices)
  }

  /// Serves until a signal comes.
  private func serve(_ studio: Studio) async throws {
    studio.start()
    StandardError.say("the studio is at \(studio.url)")
    if server.open, !ChildProcess.start(["xdg-open", studio.url]) {
      StandardError.say("cannot open a browser; open the address yourself")
    }
    let (signals, signal) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      for await _ in signals {}
    } onCancel: {
      signal.finish()
    }
    studio.stop()
  }
}

/// The option of `studio` that shows what an earlier `advise` proposed.
struct StudioAdviceArguments: ParsableArguments {
  @Option(
    "file", "Show proposals to try: the ndjson output of \"advise\" on the same stories.",
    completion: .file(extensions: ["ndjson"]))
  var advice: String?

  /// The lines of the advice, one JSON object each; empty without the option.
  func lines() throws -> [String] {
    guard let advice else { return [] }
    return try InputFile.lines(
      of: advice, types: ["proposal", "story", "advice"], command: "advise")
  }
}

/// The option of reports that links their walks and stories to a running studio.
struct StudioLinkArguments: ParsableArguments {
  @Option(
    "url", "Link the page to a studio of the same walks and stories at this address.",
    """
    Use the address that "fencepost studio" prints. Give that studio a fixed --listen and \
    --token, so that the links keep working.
    """)
  var studio: String?

  func validate() throws {
    if let studio, StudioLink(address: studio) == nil {
      throw ValidationError(
        "--studio must be an address such as http://127.0.0.1:8080/?token=secret")
    }
  }

  /// The studio to link to; nil without the option.
  var link: StudioLink? { studio.flatMap { StudioLink(address: $0) } }

  /// Checks that there is a page for the links, given the path of `--report`.
  func check(_ report: String?) throws {
    try require(studio == nil || report != nil, "--studio needs --report")
  }
}

/// The phones that `studio` simulates, and how often.
struct StudioPhoneArguments: ParsableArguments {
  @Option(
    "phone,...", "Start with the rules of a phone. See: fencepost profiles list",
    """
    Name built-in profiles or profile files, separated by commas. The rules apply as in \
    replay --profile. Chances are simulated as in analyze --profile. The page offers the \
    built-in profiles and these files.
    """)
  var profile: ListArgument<String>?

  @Option("n", "Simulate each walk N times, from 1 to 100000.")
  var trials = StudioSetting().trials

  @Option("n", "Random seed. The same seed gives the same chances.")
  var seed = StudioSetting().seed

  func validate() throws {
    try require((1...100_000).contains(trials), "--trials must be from 1 to 100,000")
    try require(seed >= 0, "--seed must not be negative")
  }

  /// Reads the profiles in the order given; empty if none is named.
  func read() throws -> [StudioPhone] {
    try (profile?.values ?? []).map { StudioPhone(word: $0, profile: try ProfileFiles.profile($0)) }
  }

  /// The initial rules, where the user's options override the phone's rules.
  func setting(of phone: StudioPhone?, _ rules: SessionArguments) -> StudioSetting {
    let does = phone.map { PhoneRules($0.profile) }
    var setting = StudioSetting(session: rules.session(of: does))
    (setting.profile, setting.phone) = (phone?.word, does)
    (setting.trials, setting.seed) = (trials, seed)
    return setting
  }
}

/// The options of `studio` for a page to send, and what the page keeps private.
struct SentPageArguments: ParsableArguments {
  @Option(
    "file", "Write the studio to FILE as one page to send, and end.",
    "The page needs no server and no network. It holds the walks, the stories, the rules and "
      + "the engine, so that whoever opens it can play, explain and try changes.",
    completion: .file(extensions: ["html"]))
  var export: String?

  @Option(
    "distance", "With --export, leave out what is this near to a walk's start or end.",
    "Everything else is worked out from what remains, and the walks are numbered.")
  var hideEnds = DistanceArgument(meters: 0)

  @Option(
    "duration", "With --export, move each walk's start to a multiple of this, such as 15min.",
    "The time between fixes stays as it is, and the walks are numbered.")
  var roundClock = DurationArgument.seconds(0)

  /// What to leave out of walks; by default nothing.
  var privacy: WalkPrivacy {
    WalkPrivacy(endsMeters: hideEnds.meters, clockMilliseconds: roundClock.milliseconds)
  }

  func validate() throws {
    guard export == nil else { return }
    try require(hideEnds.meters == 0, "--hide-ends needs --export")
    try require(roundClock.milliseconds == 0, "--round-clock needs --export")
  }
}

/// The options of `studio` about the address at which a browser finds it.
struct StudioArguments: ParsableArguments {
  @Option("host:port", "Listen on this address. Port 0 picks a free port.")
  var listen = "127.0.0.1:0"

  @Option(
    "token", "Ask browsers for this token, as ?token=... in the address or as the password.",
    "Default: a new secret, which is in the address that is printed. Prefer the variable "
      + "FENCEPOST_TOKEN: other users of the machine can see the command line.")
  var token: String?

  @Option("file", "Read the token from the first line of FILE.", completion: .file())
  var tokenFile: String?

  @OptionGroup var page: PageArguments

  @Flag(help: "Open the page in the browser with xdg-open.")
  var open = false

  /// The checked address; unlike `serve`, the studio never takes a socket from systemd.
  func place() throws -> WebPlace {
    try WebPlace(listen, token: token, tokenFile: tokenFile, page: page, handedOver: nil)
  }

  func validate() throws { _ = try place() }
}

extension RulesFile {
  /// A file with options, given by their names without dashes.
  static func text(of options: [(name: String, value: String)]) -> String {
    var output = OutputBuffer()
    for option in options {
      output.append(verbatim: option.name + ": ")
      // A JSON string is a YAML string too.
      output.append(json: option.value)
      output.append("\n")
    }
    return output.text
  }

  /// Lets the studio's page open and save such files.
  static var studioText: RulesText {
    RulesText(read: { try RulesFile(bytes: $0, name: $1).reading(in: $2) }, write: { text(of: $0) })
  }

  /// The options of a file that the studio's page can show.
  private struct ShownArguments: ParsableArguments {
    @OptionGroup var phones: StudioPhoneArguments
    @OptionGroup var rules: SessionArguments
  }

  /// The rules for a studio's page, as if it had been started with this file alone.
  private func reading(in scene: StudioScene) throws -> RulesText.Reading {
    let names = Set(
      Rules.table.map(\.name) + ["time-zone", "trials", "seed"])
    // A page must not make this program read files, so it can name the studio's own phones only.
    let profile = entries.first { $0.name == "profile" }
    let word = profile?.values.first?.split(separator: ",").first.map(String.init)
    let phone = scene.phones.first { $0.word == word }
    if let profile, phone == nil {
      let words = scene.phones.map(\.word).joined(separator: ", ")
      throw CommandFailure(
        .inputBad,
        "\(path), line \(profile.line): there is no profile “\(word ?? "")”. Choose from: \(words)")
    }
    let expansion = try expansion(for: HelpPage.dump(of: ["studio"])) { names.contains($0) }
    do {
      let zone = ["--time-zone=\(scene.zone.identifier)"]
      let page = try ShownArguments.parse(zone + expansion.arguments)
      return RulesText.Reading(
        setting: page.phones.setting(of: phone, page.rules), zone: page.rules.alerts.timeZone,
        lines: Dictionary(
          expansion.taken.map { ($0.name, $0.line) }, uniquingKeysWith: { $1 }))
    } catch {
      throw CommandFailure(.inputBad, expansion.located(ShownArguments.message(for: error)))
    }
  }
}
#endif
