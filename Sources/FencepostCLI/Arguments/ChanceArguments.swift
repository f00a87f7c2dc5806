public import ArgumentParser
import Fencepost
import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
public import FencepostPhones

extension Surroundings: ExpressibleByArgument {}

/// The phones that are simulated, as options.
struct ChanceArguments: ParsableArguments {
  /// What the app is doing; that the phone lay still is seen from the track.
  enum State: String, CaseIterable, ExpressibleByArgument, Sendable {
    case foreground, background, ended
  }

  @Option(
    help: ArgumentHelp(
      "How likely alerts are on this phone or engine: a profile's name or file, several with commas.",
      discussion: """
        ‘fencepost profiles list’ has the names. The first profile's limit and refresh distance are \
        the rule of the verdicts, unless --limit and --significant-change say otherwise; these hold \
        for the simulated phones too, as far as they allow it.
        """,
      valueName: "profile,…"))
  var profile: ListArgument<String>?

  @Option(
    help: ArgumentHelp(
      "How often each track is run with --profile.",
      discussion: "From 1 to 100,000; the default is 200.", valueName: "N"))
  var trials: Int?

  @Option(
    help: ArgumentHelp(
      "What the random numbers of --profile are made from: the same seed gives the same output.",
      discussion: "The default is 1.", valueName: "N"))
  var seed: Int?

  @Option(
    help: ArgumentHelp(
      "Where the phone is, which decides how well it knows its position.",
      discussion: "The default is residential."))
  var surroundings: Surroundings?

  @Option(
    help: ArgumentHelp(
      "What the app is doing, which decides how late its notifications are.",
      discussion: "The default is background."))
  var phoneState: State?

  func validate() throws {
    if profile == nil {
      for (option, isGiven) in [
        ("--trials", trials != nil), ("--seed", seed != nil),
        ("--surroundings", surroundings != nil), ("--phone-state", phoneState != nil),
      ] where isGiven {
        throw ValidationError("\(option) needs --profile, which says what to simulate")
      }
    }
    if let trials, !(1...100_000).contains(trials) {
      throw ValidationError("--trials is from 1 to 100,000")
    }
    if let seed, seed < 0 { throw ValidationError("--seed is at least 0") }
  }

  /// Whether a phone is simulated.
  var isWanted: Bool { profile != nil }

  /// The files among the profiles.
  var files: [String] {
    (profile?.values ?? []).filter { BuiltInProfile(named: $0) == nil }
  }

  /// Reads the profiles; none if no phone is simulated.
  ///
  /// - Throws: What ``ProfileFiles`` throws, or ``CommandFailure`` if two have one name.
  func read() throws -> [PhoneProfile] {
    var profiles: [PhoneProfile] = []
    for name in profile?.values ?? [] { profiles.append(try ProfileFiles.profile(name)) }
    var names: Set<String> = []
    for profile in profiles where !names.insert(profile.name).inserted {
      throw CommandFailure(.usage, "two profiles are named \(profile.name)")
    }
    return profiles
  }

  /// The phones to simulate under a command's rule; nil without `--profile`.
  ///
  /// - Parameters:
  ///   - profiles: The profiles as they were read.
  ///   - monitoring: The rule, as the user gave it.
  ///   - alerts: What alerts.
  /// - Returns: The phones, each with the limit and the distances that hold for it.
  func options(
    _ profiles: [PhoneProfile], _ monitoring: MonitoringArguments, _ alerts: AlertArguments
  ) -> ChanceOptions? {
    guard isWanted else { return nil }
    return ChanceOptions(
      profiles: profiles.map { Self.following($0, monitoring, alerts) },
      simulation: PhoneSimulation.Options(
        trials: trials ?? 200, seed: UInt64(seed ?? 1), surroundings: surroundings ?? .residential,
        state: phoneState.flatMap { PhoneState(rawValue: $0.rawValue) } ?? .background,
        event: alerts.alertOn.value == .exit ? .exit : .enter))
  }

  /// A profile with what the user says of the app.
  private static func following(
    _ profile: PhoneProfile, _ monitoring: MonitoringArguments, _ alerts: AlertArguments
  ) -> PhoneProfile {
    var app = AppRules()
    if monitoring.limit.isGiven { app.limit = monitoring.limit.value.value }
    app.hasTripwire = monitoring.path.tripwire
    if monitoring.significantChange.isGiven {
      app.refreshMeters = monitoring.significantChange.value.meters
    }
    app.leastIntervalMilliseconds = monitoring.path.minInterval.value.milliseconds
    if alerts.alertOn.value == .dwell {
      app.dwellMilliseconds = monitoring.path.confirmation.dwell?.milliseconds
    }
    return profile.following(app)
  }

  /// Sentences about settings that a phone does not follow, without full stops.
  func warnings(_ profiles: [PhoneProfile], _ monitoring: MonitoringArguments) -> [String] {
    var warnings: [String] = []
    for profile in profiles {
      guard let most = profile.limits.regions.value.value, monitoring.limit.isGiven,
        monitoring.limit.value.value ?? .max > most
      else { continue }
      warnings.append("\(profile.name) monitors \(most) regions, and is simulated with no more")
    }
    if isWanted, monitoring.refresh == .adaptive {
      warnings.append(
        "--refresh adaptive holds for the verdicts; simulated phones refresh as their profiles say"
      )
    }
    return warnings
  }
}

extension MonitoringArguments {
  /// The rule, with the limit and the refresh distance of a profile where the user gave none.
  func options(following profile: PhoneProfile?) -> MonitoringOptions {
    var rule = MonitoringOptions()
    if let profile {
      rule.limit = profile.limits.regions.value.value
      rule.significantChangeMeters = profile.refresh.distanceMeters.value
    }
    return applied(to: rule)
  }
}
