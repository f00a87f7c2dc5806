import ArgumentParser
import FencepostPhones
import Fencepost
import FencepostStudio

struct StudioAdviceArguments: ParsableArguments {
  @Option(
    help: .value(
      "file", "Advice to look at and try: the ndjson output of advise on the same places."),
    completion: .file(extensions: ["ndjson"]))
  var advice: String?

  func lines() throws -> [String] {
    guard let advice else { return [] }
    return try InputFile.lines(
      of: advice, types: ["proposal", "story", "advice"], command: "advise's")
  }
}

struct StudioLinkArguments: ParsableArguments {
  @Option(
    help: .value(
      "address",
      "The address of a studio of the same tracks and places, in which the page's contents open.",
      """
      The one that `fencepost studio` prints. Give the studio a fixed --listen and --token, so \
      that the page's links last.
      """))
  var studio: String?

  func validate() throws {
    if let studio, StudioLink(address: studio) == nil {
      throw ValidationError("--studio takes an address such as http://127.0.0.1:8080/?token=secret")
    }
  }

  var link: StudioLink? { studio.flatMap { StudioLink(address: $0) } }

  /// Checks that there is a page to contain the link.
  func check(_ report: String?) throws {
    if studio != nil, report == nil { throw ValidationError("--studio needs --report") }
  }
}

struct StudioPhoneArguments: ParsableArguments {
  @Option(
    help: .value(
      "profile,…",
      "Begin with the rules of a phone or another engine: a profile’s name or file, several with commas.",
      """
      Its rules apply as in replay --profile, and how likely alerts are is simulated as in \
      analyze --profile. The page offers the built-in profiles and the files that are named here.
      """))
  var profile: ListArgument<String>?

  @Option(
    help: .value("N", "How often each track is run on the simulated phone.", "From 1 to 100,000."))
  var trials = StudioSetting().trials

  @Option(
    help: .value(
      "N",
      "What the random numbers of the simulation are made from: the same seed gives the same chances."
    ))
  var seed = StudioSetting().seed

  func validate() throws {
    try require((1...100_000).contains(trials), "--trials is from 1 to 100,000")
    try require(seed >= 0, "--seed is at least 0")
  }

  /// Reads the profiles, if any.
  func read() throws -> [StudioPhone] {
    try (profile?.values ?? []).map {
      StudioPhone(word: $0, profile: try ProfileFiles.profile($0))
    }
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

struct StudioArguments: ParsableArguments {
  @Option(help: .value("host:port", "Where it listens; port 0 is one that is free."))
  var listen = "127.0.0.1:0"

  @Option(
    help: .value(
      "text", "What a browser must know: as ?token=… in the address, or as the password.",
      """
      The default is a new secret, which is in the address that is printed. The variable \
      FENCEPOST_TOKEN does the same, and is not seen in the list of processes.
      """))
  var token: String?

  @OptionGroup var hosts: HostArguments

  @OptionGroup var tiles: TileArguments

  @Flag(help: "Opens the page in the browser, by xdg-open.")
  var open = false

  func place() throws -> WebPlace {
    try WebPlace(listen, token: token, hosts: hosts.allowHost, tiles: tiles)
  }

  func validate() throws { _ = try place() }
}
