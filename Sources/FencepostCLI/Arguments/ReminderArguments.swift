public import ArgumentParser
import FencepostTime
import FencepostFormats
import Fencepost
import FencepostFiles
public import FencepostNotifications
public import FencepostReporting

extension ScheduleStrategy: ExpressibleByArgument {}
extension ScheduleReport.Format: ExpressibleByArgument, OutputForm {}

struct ReminderArguments: ParsableArguments {
  @Option(
    help: .value(
      "file", "Reminders that share the phone's slots with the monitored places.",
      """
      The file is JSON as Data/schemas/reminders.schema.json describes it. A circle that fires is \
      an event of the kind ‘reminder’. The summary says what was delivered by the track's clock, \
      and who had to wait for whom.
      """),
    completion: .file(extensions: ["json"]))
  var reminders: String?

  @Option(
    help: .value(
      "N",
      "How many requests may be pending in all, monitored places included; ‘none’ for any number."))
  var pendingLimit: OrNone<Int> = .some(64)

  @Option(help: "Which reminders go first when there are more than slots.")
  var reminderPolicy = PolicyArgument.fireDate

  func validate() throws {
    if let limit = pendingLimit.value, limit < 1 {
      throw ValidationError("--pending-limit is 1 or more, or ‘none’.")
    }
  }

  func load() throws -> ReminderWatch.Options? {
    guard let reminders else { return nil }
    let document = try ReminderFiles.reminders(reminders)
    var options = ReminderWatch.Options(document: document)
    options.run.totalLimit = pendingLimit.value
    options.run.policy = try reminderPolicy.policy(of: document, path: reminders)
    return options
  }
}

/// Reads files of reminders and of time zone changes; `-` is standard input.
enum ReminderFiles {
  /// The largest file: tens of thousands of reminders, while a phone holds 64.
  ///
  /// A document takes many times its size in memory.
  private static let mostBytes = 2 * 1_048_576

  static func reminders(_ path: String) throws -> ReminderDocument {
    try read(path) { bytes throws(ReminderFileError) in try ReminderDocument(parsing: bytes.span) }
  }

  /// The time zone changes, in the file's order.
  static func zoneChanges(_ path: String) throws -> [ZoneChange] {
    try read(path) { bytes throws(ReminderFileError) in try ZoneChange.list(parsing: bytes.span) }
  }

  private static func read<Value>(
    _ path: String, _ parse: ([UInt8]) throws(ReminderFileError) -> Value
  ) throws -> Value {
    let bytes = try InputFile.contents(
      of: try InflatedSource(path: path), mostBytes: mostBytes, kind: "reminder file")
    do throws(ReminderFileError) {
      return try parse(bytes)
    } catch {
      throw CommandFailure(.inputBad, "\(InputFile.name(path)): \(error)")
    }
  }
}

/// A ranking of time-based requests on the command line.
enum PolicyArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
  case fireDate = "fire-date"
  case priority
  /// By the slots that the file assigns to each kind.
  case quotas

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
  /// Finds a profile by its name.
  public init?(argument: String) { self.init(name: argument) }

  /// The profile's name.
  public var defaultValueDescription: String { name }

  /// The names of all profiles.
  public static var allValueStrings: [String] { all.map(\.name) }
}

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
    help: .value(
      "profile",
      "The phone by a profile’s name or file instead, such as iphone; see ‘fencepost profiles list’."
    ))
  var profile: String?

  @Option(
    help: .value("file", "Moves to other zones: {\"changes\": [{\"at\": …, \"zone\": …}, …]}."),
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
    help: .value(
      "time", "When the phone is replaced and has lost all that was pending; may be repeated."))
  var restores: [InstantArgument] = []

  @Option(help: .value("share", "The share of the daily refreshes that do not come, 0 to 1."))
  var missRefresh = ShareArgument(0)

  @Option(
    help: .value(
      "duration", "The longest time by which the phone delays a notification to save power."))
  var lowPowerDelay = DurationArgument.seconds(0)

  @Option(help: .value("share", "The share of notifications that are so delayed, 0 to 1."))
  var lowPowerShare = ShareArgument(1)

  @Option(
    help: .value(
      "N", "How many the phone shows of those that fire in one second; ‘none’ shows all."))
  var sameSecond: OrNone<Int> = .some(2)

  @Option(help: .value("number", "Another number misses and delays others."))
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
