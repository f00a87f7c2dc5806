import ArgumentParser
import FencepostPhones
import Fencepost
import FencepostStudio

struct StudioAdviceArguments: ParsableArguments {
  @Option(
    "file", "Show proposals to try: the ndjson output of \"advise\" on the same stories.",
    completion: .file(extensions: ["ndjson"]))
  var advice: String?

  func lines() throws -> [String] {
    guard let advice else { return [] }
    return try InputFile.lines(
      of: advice, types: ["proposal", "story", "advice"], command: "advise")
  }
}

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

  var link: StudioLink? { studio.flatMap { StudioLink(address: $0) } }

  /// Checks that there is a page to contain the link.
  func check(_ report: String?) throws {
    try require(studio == nil || report != nil, "--studio needs --report")
  }
}

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

  /// Reads the profiles, if any.
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

  var privacy: WalkPrivacy {
    WalkPrivacy(endsMeters: hideEnds.meters, clockMilliseconds: roundClock.milliseconds)
  }

  func validate() throws {
    guard export == nil else { return }
    try require(hideEnds.meters == 0, "--hide-ends needs --export")
    try require(roundClock.milliseconds == 0, "--round-clock needs --export")
  }
}

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

  @OptionGroup var hosts: HostArguments
  @OptionGroup var tiles: TileArguments

  @Flag(help: "Open the page in the browser with xdg-open.")
  var open = false

  func place() throws -> WebPlace {
    try WebPlace(
      listen, token: token, tokenFile: tokenFile, hosts: hosts.allowHost, tiles: tiles,
      handedOver: nil)
  }

  func validate() throws { _ = try place() }
}
