#if Command
import ArgumentParser
import FencepostSession
import FencepostAnalysis
import FencepostFiles
import FencepostMonitoring
import FencepostNotifications
public import FencepostPhones
import FencepostPlaces
import FencepostStudio

extension Surroundings: ExpressibleByArgument {}

/// The option that makes `replay`, `live`, `serve` and `rules` follow the rules of a phone.
///
/// Only its fixed rules apply, such as its limit. ``ChanceArguments`` simulates what chance does.
struct ProfileArguments: ParsableArguments {
  @Option(
    "phone", "Follow the rules of a phone. See: fencepost profiles list",
    """
    PHONE is a built-in profile or a profile file. The phone's limits, lookups, tests and \
    confirmations apply, unless another option changes them. Chance plays no part. Stories \
    are read once, at the start.
    """)
  var profile: String?

  /// Reads the profile; nil without the option.
  func rules() throws -> PhoneRules? {
    try profile.map { PhoneRules(try ProfileFiles.profile($0)) }
  }
}

extension PhoneRules {
  /// The store as the phone sees it, copied to memory if the phone changes circles.
  ///
  /// Reports how many places the phone cannot monitor.
  func noticed(_ store: PlaceStore) throws(PlaceStoreError) -> PlaceStore {
    guard changesCircles else { return store }
    let places = try store.allPlaces()
    let kept = noticed(places)
    if kept.count < places.count {
      StandardError.say(
        "\(profile.name) cannot watch \(places.count - kept.count) of \(places.count) "
          + "stories, because their circles are too large or too small for it")
    }
    return try PlaceStore.inMemory(of: kept, path: store.path)
  }
}

/// The options that simulate walks many times on a phone, to estimate how likely alerts are.
///
/// `analyze`, `explain` and story tests have them. Nothing is simulated without `--profile`.
struct ChanceArguments: ParsableArguments {
  /// What the app is doing; whether the phone lay still follows from the track.
  ///
  /// The words are those of `PhoneState` without the phone that lies still.
  enum State: String, CaseIterable, ExpressibleByArgument, Sendable {
    case foreground, background, ended
  }

  @Option(
    "phone,...", "Estimate how likely alerts are on a phone. See: fencepost profiles list",
    """
    Name built-in profiles or profile files, separated by commas. The limit and lookup \
    distance of the first one also apply to the verdicts, unless --limit or \
    --significant-change is given. These two then apply to the simulated phones as well, \
    as far as the phones allow.
    """)
  var profile: ListArgument<String>?

  @Option("n", "Simulate each walk N times, from 1 to 100000. Default: 200.")
  var trials: Int?

  @Option("n", "Random seed. The same seed gives the same output. Default: 1.")
  var seed: Int?

  @Option(
    "area",
    "city, residential or forest: how well the phone knows its position. Default: residential.")
  var surroundings: Surroundings?

  @Option(
    "state", "foreground, background or ended: how late alerts come. Default: background.",
    "This is the state of the app.")
  var phoneState: State?

  /// Refuses options of a simulation where none is asked for, and numbers out of range.
  func validate() throws {
    if profile == nil {
      for (option, isGiven) in [
        ("--trials", trials != nil), ("--seed", seed != nil),
        ("--surroundings", surroundings != nil), ("--phone-state", phoneState != nil),
      ] where isGiven {
        throw ValidationError("\(option) needs --profile, which names the phone to simulate")
      }
    }
    try require((1...100_000).contains(trials ?? 1), "--trials must be from 1 to 100,000")
    try require(seed ?? 0 >= 0, "--seed must not be negative")
  }

  var isWanted: Bool { profile != nil }

  /// The profiles that are files rather than built in, so that no output overwrites them.
  var files: [String] { (profile?.values ?? []).filter { BuiltInProfile(named: $0) == nil } }

  /// Reads the profiles; empty if no phone is simulated.
  func read() throws -> [PhoneProfile] {
    let profiles = try (profile?.values ?? []).map { try ProfileFiles.profile($0) }
    var names: Set<String> = []
    for profile in profiles where !names.insert(profile.name).inserted {
      throw CommandFailure(.usage, "--profile names \(profile.name) twice")
    }
    return profiles
  }

  /// The phones to simulate, with the limit and distances that apply; nil without `--profile`.
  func options(
    _ profiles: [PhoneProfile], _ monitoring: MonitoringArguments, _ alerts: AlertArguments
  ) -> ChanceOptions? {
    guard isWanted else { return nil }
    // What the user says about the app.
    var app = AppRules()
    let rule = monitoring.given.monitoring
    if monitoring.limit != nil { app.limit = rule.limit }
    app.hasTripwire = rule.hasTripwire
    if monitoring.significantChange != nil { app.refreshMeters = rule.significantChangeMeters }
    app.leastIntervalMilliseconds = rule.minIntervalMilliseconds
    if alerts.trigger == .dwell {
      app.dwellMilliseconds = rule.confirmation.dwellMilliseconds
    }
    return ChanceOptions(
      profiles: profiles.map { $0.following(app) },
      simulation: PhoneSimulationOptions(
        trials: trials ?? 200, seed: UInt64(seed ?? 1), surroundings: surroundings ?? .residential,
        state: phoneState.flatMap { PhoneState(rawValue: $0.rawValue) } ?? .background,
        event: alerts.trigger == .exit ? .exit : .enter))
  }

  /// Warns about settings that a phone does not follow.
  func sayWarnings(_ profiles: [PhoneProfile], _ monitoring: MonitoringArguments) {
    for profile in profiles {
      guard let most = profile.limits.regions.value.value, monitoring.limit != nil,
        monitoring.given.monitoring.limit ?? .max > most
      else { continue }
      StandardError.say(
        "warning: \(profile.name) can watch only \(most) circles, so it is simulated with \(most)")
    }
    guard isWanted, monitoring.given.monitoring.refresh == .adaptive else { return }
    StandardError.say(
      "warning: --refresh adaptive applies only to the verdicts; simulated phones look up stories "
        + "as their profiles say")
  }
}

/// Finds phone profiles by the names that users give.
///
/// A name without a slash or a dot that fits neither a profile nor a file is probably mistyped; the
/// error then lists the built-in profiles.
enum ProfileFiles {
  /// Finds a profile by a built-in name in any case, or by path; `-` is standard input.
  static func profile(_ name: String) throws -> PhoneProfile {
    if let builtIn = BuiltInProfile(named: name) { return builtIn.profile }
    let bytes = try InputFile.contents(of: try open(name), mostBytes: mostBytes, kind: "profile")
    return try InputFile.located(name) { try PhoneProfile(parsing: bytes.span) }
  }

  /// Finds a profile that must not be an output; nil without a name.
  static func profile(_ name: String?, _ use: FileUse) throws -> PhoneProfile? {
    guard let name else { return nil }
    if BuiltInProfile(named: name) == nil { try use.check(reading: [name]) }
    return try profile(name)
  }

  private static func open(_ path: String) throws -> InflatedSource {
    do throws(ByteSourceError) {
      return try InflatedSource(path: path)
    } catch {
      guard error.kind == .missing, !path.contains("/"), !path.contains(".") else { throw error }
      let names = BuiltInProfile.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        .inputMissing, "\(path): no such profile or file. Built-in profiles: \(names)")
    }
  }

  /// The largest file; the built-in profiles have 7 KiB.
  private static let mostBytes = 256 * 1024
}

extension BuiltInProfile {
  /// Finds a profile by its name in any case, such as `iPhone`.
  init?(named name: String) { self.init(rawValue: name.lowercased()) }
}
#endif
