#if Command
public import ArgumentParser
import FencepostSession
import FencepostFiles
public import FencepostNotifications
import FencepostPhones
public import FencepostReporting

extension ScheduleStrategy: ExpressibleByArgument {}

extension TimeOfDay: ExpressibleByArgument {
  /// Parses a time such as `08:30`.
  public init?(argument: String) { self.init(argument) }
}

extension ScheduleReport.Format: ExpressibleByArgument, OutputForm {}

/// Reminders that share the phone's notifications with the stories of a walk.
///
/// Most commands that follow walks have these options. ``ScheduleCommand`` simulates reminders
/// without a walk, by options of its own.
struct ReminderArguments: ParsableArguments {
  @Option(
    "file", "Add reminders, which share the phone's slots with the watched stories.",
    """
    FILE is a table (CSV) or JSON, as in fencepost schedule. When the \
    circle of a reminder fires, a "reminder" event is reported. The summary says which \
    reminders were on time by the clock of the walk, and what waited for a free slot.
    """,
    completion: .file(extensions: ["json", "csv"]))
  var reminders: String?

  @Option(
    "n", "Allow N pending notifications, watched stories included, or \"none\" for any number.")
  var pendingLimit: OrNone<Int> = .some(64)

  @Option("policy", "fire-date, priority or quotas: which reminders go first when slots run out.")
  var reminderPolicy = PolicyArgument.fireDate

  @Option(
    "kind", "requests or monitored: how the app watches the circles of stories.",
    """
    "requests": as pending notifications with a circle, which need slots. "monitored": as regions \
    that the app monitors itself and answers with a notification at once, without a slot.
    """)
  var circles = CirclesArgument.requests

  func validate() throws {
    try require(pendingLimit.value ?? 1 >= 1, "--pending-limit must be at least 1, or none")
  }

  /// Reads the file and its rules; nil without the option.
  func load(_ clock: ClockArguments) throws -> ReminderWatchOptions? {
    try file(clock).map(options)
  }

  /// Reads the file; its phone begins on a clock unless the file names a zone.
  func file(_ clock: ClockArguments) throws -> ReminderFile? {
    try reminders.map { try ReminderFile(path: $0, clock: clock) }
  }

  /// The reminders of a file with the rules that the user chose.
  func options(_ file: ReminderFile) throws -> ReminderWatchOptions {
    var options = ReminderWatchOptions(document: file.document)
    options.run.totalLimit = pendingLimit.value
    options.placesNeedSlots = circles == .requests
    options.run.policy = try reminderPolicy.policy(of: options.document, path: file.path)
    return options
  }

  /// The file by name and content, and the rules of its reminders.
  ///
  /// Analyses and saved sessions keep this text to notice that something else is compared or
  /// resumed.
  func text(_ file: ReminderFile) -> String {
    let limit = pendingLimit.value.map(String.init) ?? "none"
    let mark = String(file.mark, radix: 16)
    return "\(file.path.shownFileName) \(mark) --pending-limit \(limit) "
      + "--reminder-policy \(reminderPolicy.rawValue)"
      + (circles == .requests ? "" : " --circles \(circles.rawValue)")
  }
}

/// How an app watches the circles of stories.
///
/// It decides whether stories and reminders compete for the same slots.
enum CirclesArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// As pending notifications, which count among the slots.
  case requests
  /// As regions of its own, which do not.
  case monitored
}

/// Which reminders come first when a phone has too few slots for all.
enum PolicyArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// The soonest first; at the same time, the most important kind.
  case fireDate = "fire-date"
  /// The most important kind first; within it, the soonest.
  case priority
  /// By the slots that the file assigns to each kind.
  case quotas

  /// The policy for a document.
  ///
  /// - Throws: ``CommandFailure`` with status 65 if quotas are asked for and the document has none.
  func policy(of document: ReminderDocument, path: String) throws(CommandFailure) -> RankingPolicy {
    switch self {
    case .fireDate: return .fireDateThenPriority
    case .priority: return .priorityThenFireDate
    case .quotas:
      guard !document.quotas.isEmpty else {
        throw CommandFailure(.inputBad, "\(path): no quotas, which --policy quotas needs")
      }
      return .quotas(document.quotas)
    }
  }
}

extension NotificationLimits: ExpressibleByArgument {
  /// Finds the limits of a phone by its name.
  public init?(argument: String) { self.init(name: argument) }

  /// The phone's name.
  public var defaultValueDescription: String { name }

  /// The names of all phones.
  public static var allValueStrings: [String] { all.map(\.name) }
}

/// The phone of `schedule`: what it holds, when its app runs, and what goes wrong.
struct PhoneArguments: ParsableArguments {
  @Option(
    "device", "ios, ios-documented or android: how many notifications fit. Default: ios.",
    """
    "ios" holds 64 and keeps the last ones added, as observed. "ios-documented" keeps the \
    soonest. "android" holds 500 alarms, refuses the rest, and watches 100 circles instead of 20.
    """)
  var device: NotificationLimits?

  @Option("phone", "Use a phone profile or a profile file instead. See: fencepost profiles list")
  var profile: String?

  @Option(
    "file", "Read changes of the time zone: {\"changes\": [{\"at\": ..., \"zone\": ...}, ...]}.",
    completion: .file())
  var travel: String?

  @Flag(
    help: ArgumentHelp(
      "Let the app plan again at every change of the time zone.",
      discussion: """
        Only a running app notices the change. Without this option, the app plans again \
        at its next daily run. Pending local times move with the phone in either case.
        """))
  var replanOnTravel = false

  @Option(
    name: .customLong("restore-at"),
    "time", "Replace the phone at this time: all pending notifications are lost. Repeatable.")
  var restores: [MomentArgument] = []

  @Option(
    "HH:MM", "Let the app run and plan at this local time. Default: every 24 hours from --from.")
  var refreshAt: TimeOfDay?

  @Option(
    "list", "Let the user open the app at these times, so that it plans again.",
    """
    Local times of every day, separated by commas, as in 08:00,12:30; or a file with a time \
    such as 2026-03-04T12:30:00Z on each line.
    """, completion: .file())
  var launches: String?

  @Option("share", "Let the user open the app from this share of notifications, from 0 to 1.")
  var opened = ShareArgument(0)

  @Option(
    "share", "Skip this share of the app's daily runs, from 0 to 1.",
    """
    Phones run an app more often that is used: each time that the user opens it within a day, a \
    run has another such chance. With 0.3 and one launch, 0.09 are missed.
    """)
  var missRefresh = ShareArgument(0)

  @Option("duration", "Delay notifications by up to this long, as a phone does to save power.")
  var lowPowerDelay = DurationArgument.seconds(0)

  @Option(
    "share", "Share of notifications that --low-power-delay delays, from 0 to 1.",
    "Silent notifications are always delayed.")
  var lowPowerShare = ShareArgument(1)

  @Option("n", "Show at most N notifications that fire in the same second, or \"none\" for all.")
  var sameSecond: OrNone<Int> = .some(2)

  @Option("n", "Random seed of --miss-refresh, --opened and --low-power-share.")
  var seed: UInt64 = 0

  func validate() throws {
    try require(
      device == nil || profile == nil,
      "--device cannot be used with --profile, which also names the phone")
    try require(sameSecond.value ?? 1 >= 1, "--same-second must be at least 1, or none")
  }

  /// The limits of the profile, else of the device, else those of iOS.
  private var phone: NotificationLimits {
    get throws {
      try profile.map { PhoneRules(try ProfileFiles.profile($0)).notificationLimits } ?? device
        ?? .ios
    }
  }

  /// Reads launches: local times of every day, or a file with a time on each line.
  ///
  /// The text is a list of times if every part of it is one, and the name of a file otherwise.
  private func readLaunches(into options: inout ScheduleSimulationOptions, _ zone: ClockZone)
    throws
  {
    guard let launches else { return }
    let daily = launches.split(separator: ",").map { TimeOfDay(String($0)) }
    if !daily.contains(nil) { return options.dailyLaunches = daily.compactMap(\.self) }
    let text = String(decoding: try ReminderFile.contents(launches), as: UTF8.self)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated() where !line.allSatisfy(\.isWhitespace)
    {
      guard let moment = MomentArgument(argument: String(line)), !moment.isDay else {
        throw CommandFailure(
          .inputBad,
          "\(InputFile.name(launches)), line \(index + 1): "
            + "expected a time such as 2026-03-04T12:30:00Z")
      }
      options.launchesMilliseconds.append(moment.start(in: zone))
    }
  }

  /// Sets what the phone does; days and times without an offset are those of the zone.
  func apply(to options: inout ScheduleSimulationOptions, zone: ClockZone) throws {
    options.limits = try phone
    if let travel {
      let bytes = try ReminderFile.contents(travel)
      options.travel = try InputFile.located(travel) { try ZoneChange.list(parsing: bytes.span) }
    }
    options.replansOnZoneChange = replanOnTravel
    options.restoresMilliseconds = restores.map { $0.start(in: zone) }
    options.refreshTime = refreshAt
    try readLaunches(into: &options, zone)
    options.openedShare = opened.share
    options.missedRefreshShare = missRefresh.share
    options.seed = seed
    options.sameSecondLimit = sameSecond.value
    if lowPowerDelay.milliseconds > 0 {
      options.lowPowerDelay = LowPowerDelay(
        longestMilliseconds: lowPowerDelay.milliseconds, share: lowPowerShare.share, seed: seed)
    }
  }
}

/// A file of reminders: a table or JSON.
///
/// `schedule` simulates them by themselves, and other commands along a walk.
struct ReminderFile {
  let path: String
  /// The same for equal contents on every machine.
  let mark: UInt64
  let document: ReminderDocument

  /// Reads a file, whose form is recognized by its content; `-` is standard input.
  ///
  /// Its phone begins in the zone that a JSON file names; else in that of `--time-zone`; else a
  /// table's in the machine's, and that of a JSON file in UTC.
  init(path: String, clock: ClockArguments) throws {
    let bytes = try Self.contents(path)
    self.path = path
    mark = subjectKey(String(decoding: bytes, as: UTF8.self))
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    if first == nil {
      throw CommandFailure(.inputBad, "\(InputFile.name(path)): the file is empty")
    }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    document = try InputFile.located(path) {
      try isJSON
        ? ReminderDocument(parsing: bytes.span, zone: clock.given ?? .utc)
        : ReminderDocument(parsingTable: bytes.span, zone: clock.zone)
    }
  }

  /// Reads a file of reminders or of what happens beside them.
  static func contents(_ path: String) throws -> [UInt8] {
    // A hundred thousand reminders, while a phone holds 64. A document takes many times its size in
    // memory.
    try InputFile.contents(
      of: try InflatedSource(path: path), mostBytes: 8 << 20, kind: "reminder file")
  }
}
#endif
