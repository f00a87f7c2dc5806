import FencepostTime
public import ArgumentParser
import Fencepost
import FencepostFormats
public import FencepostNotifications
public import FencepostReporting

extension ScheduleStrategy: ExpressibleByArgument {}
extension ScheduleReport.Format: ExpressibleByArgument, OutputForm {}

/// A ranking of time-based requests on the command line.
enum PolicyArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// The soonest first.
  case fireDate = "fire-date"
  /// The most important kind first.
  case priority
  /// By the slots that the file gives each kind.
  case quotas

  /// The ranking.
  ///
  /// - Throws: ``CommandFailure`` if quotas are requested and the file has none.
  func policy(of document: ReminderDocument, path: String) throws(CommandFailure) -> RankingPolicy {
    switch self {
    case .fireDate: return .fireDateThenPriority
    case .priority: return .priorityThenFireDate
    case .quotas:
      guard !document.quotas.isEmpty else {
        throw CommandFailure(.inputBad, "\(path): quotas: there are none, as --policy quotas needs")
      }
      return .quotas(document.quotas)
    }
  }
}

/// A phone on the command line, by the name of its profile.
extension DeviceProfile: ExpressibleByArgument {
  /// Finds the profile of a name.
  public init?(argument: String) { self.init(name: argument) }

  /// The profile's name.
  public var defaultValueDescription: String { name }

  /// The names of all profiles.
  public static var allValueStrings: [String] { all.map(\.name) }
}

/// An instant on the command line: `2026-03-01T00:00:00-05:00`.
struct InstantArgument: ExpressibleByArgument, Sendable {
  /// The instant, in milliseconds since 1970.
  var milliseconds: Int64

  init?(argument: String) {
    // A time without an offset is ambiguous.
    let hasOffset =
      argument.last == "Z" || argument.last == "z"
      || argument.dropFirst(11).contains { $0 == "+" || $0 == "-" }
    guard hasOffset, let milliseconds = ISO8601.milliseconds(parsing: argument) else {
      return nil
    }
    self.milliseconds = milliseconds
  }
}

/// A share on the command line: `0.3`.
struct ShareArgument: ExpressibleByArgument, Sendable {
  /// The share, 0...1.
  var share: Double

  init(_ share: Double) {
    self.share = share
  }

  init?(argument: String) {
    guard let share = DecimalNumber.double(parsing: argument), (0...1).contains(share) else {
      return nil
    }
    self.share = share
  }

  var defaultValueDescription: String { "\(share)" }
}

/// The simulated phone, as options.
struct PhoneArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The phone: how many requests it holds, and which it drops.",
      discussion: """
        ‘ios’ holds 64 and keeps those added last, as observed; ‘ios-documented’ keeps the soonest; \
        ‘android’ holds any number, and 100 circles instead of 20. The default is ios.
        """))
  var device: DeviceProfile?

  @Option(
    help: ArgumentHelp(
      "The phone by a profile’s name or file instead, such as iphone; see ‘fencepost profiles list’.",
      valueName: "profile"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "Moves to other zones: {\"changes\": [{\"at\": …, \"zone\": …}, …]}.", valueName: "file"),
    completion: .file())
  var travel: String?

  @Flag(
    help: ArgumentHelp(
      "The app plans again at every move.",
      discussion: """
        Only an app that is running hears of a change of zone, so that without this it plans again \
        at its next refresh. Pending local times move along with the phone in either case.
        """))
  var replanOnTravel = false

  @Option(
    name: .customLong("restore-at"),
    help: ArgumentHelp(
      "When the phone is replaced and has lost all that was pending; may be repeated.",
      valueName: "time"))
  var restores: [InstantArgument] = []

  @Option(
    help: ArgumentHelp(
      "The share of the daily refreshes that do not come, 0 to 1.", valueName: "share"))
  var missRefresh = ShareArgument(0)

  @Option(
    help: ArgumentHelp(
      "The longest time by which the phone delays a notification to save power.",
      valueName: "duration"))
  var lowPowerDelay = DurationArgument.seconds(0)

  @Option(
    help: ArgumentHelp(
      "The share of notifications that are so delayed, 0 to 1.", valueName: "share"))
  var lowPowerShare = ShareArgument(1)

  @Option(
    help: ArgumentHelp(
      "How many the phone shows of those that fire in one second; ‘none’ shows all.",
      valueName: "N"))
  var sameSecond: OrNone<Int> = .some(2)

  @Option(help: ArgumentHelp("Another number misses and delays others.", valueName: "number"))
  var seed: UInt64 = 0

  func validate() throws {
    if device != nil, profile != nil {
      throw ValidationError("--device and --profile both name the phone; one is enough")
    }
    if let limit = sameSecond.value, limit < 1 {
      throw ValidationError("--same-second is 1 or more, or ‘none’.")
    }
  }

  private var phone: DeviceProfile {
    get throws {
      try profile.map { PhoneRules(try ProfileFiles.profile($0)).device } ?? device ?? .ios
    }
  }

  /// Applies the options.
  ///
  /// - Throws: The errors of ``ReminderFiles/zoneChanges(_:)`` and ``ProfileFiles/profile(_:)``.
  func apply(to options: inout ScheduleSimulation.Options) throws {
    options.profile = try phone
    options.travel = try travel.map(ReminderFiles.zoneChanges) ?? []
    options.replansOnZoneChange = replanOnTravel
    options.restoresMilliseconds = restores.map(\.milliseconds)
    options.missedRefreshShare = missRefresh.share
    options.seed = seed
    options.sameSecondLimit = sameSecond.value
    if lowPowerDelay.milliseconds > 0 {
      options.lowPowerDelay = LowPowerDelay(
        longestMilliseconds: lowPowerDelay.milliseconds, share: lowPowerShare.share, seed: seed)
    }
  }
}
