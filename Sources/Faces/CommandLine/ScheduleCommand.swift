#if Command
import ArgumentParser
import FencepostNotifications
import FencepostReporting
import FencepostStudio

/// What makes `schedule` fail.
///
/// ``ScheduleCommand`` then exits with status 1, so that a build can check an app's reminders.
enum ScheduleLoss: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Any reminder that is lost.
  case lost
  /// One that a user set up.
  case user
}

/// The command `schedule`: simulates the notifications of a phone over days or weeks.
///
/// It needs no walks. It compares strategies for the few notifications that a phone holds, and
/// shows which reminders come, which wait and which are lost.
struct ScheduleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Simulate which reminders a phone would deliver, and what a budget saves.",
    discussion: """
      Runs a simulated phone through a period, once for each strategy:
        naive       Hand over everything at once.
        first-come  Stop when the phone is full.
        budget      Rank all requests, and store what does not fit.
        window      Do the same with single occurrences of the next seven days.

      The last two plan again every 24 hours, or whenever else the app runs: see \
      --refresh-at, --launches and --opened.

      FILE is a table (CSV) or JSON as described in \
      Data/schemas/reminders.schema.json. A table has the columns title and time, and any of \
      date, until, days, repeat, kind, priority and id; or title, and a column of times for \
      each weekday. Its times are those of --time-zone, or else of the machine. Text shows the \
      strategies side by side, and when each reminder fires. ndjson has a line for every time a reminder was due, with its \
      fate and the reason, and a closing line for each strategy. "On time" means within a \
      minute. "Dropped" means never shown, and nobody was told. Everything that was dropped \
      or had to wait is named with what took its slot.

      Examples:
        fencepost schedule reminders.json
        fencepost schedule reminders.json --plan-at "2026-03-04 09:00"
        fencepost schedule reminders.json --report schedule.html
        fencepost schedule reminders.json --from 2026-03-01T00:00:00Z --for 2w \\
          --strategy naive,budget
      """)

  @Argument(
    help: .value("file", "The reminders. Use \"-\" for standard input."),
    completion: .file(extensions: ["json", "csv"]))
  var reminders: String

  @Option(
    "time",
    "Start of the period, such as 2026-03-01, 2026-03-01T08:00-05:00 or today. Default: today.",
    "Days, and times without an offset, follow the clock of --time-zone, or else of FILE.")
  var from: MomentArgument?

  @Option(
    name: .customLong("for"), "duration", "Length of the period, such as 2w, at most ten years.")
  var length = DurationArgument.seconds(30 * 86_400)

  @Option(
    "time", "Show what the phone holds at this time and what waits, instead of what is shown.")
  var planAt: MomentArgument?

  @Option("list", "Simulate these strategies, separated by commas.")
  var strategy = ListArgument(ScheduleStrategy.allCases)

  @Option(
    "policy", "fire-date, priority or quotas: which reminders go first when slots run out.",
    """
    "fire-date": the soonest first; at the same time, the most important kind. "priority": \
    the most important kind first; within it, the soonest. "quotas": each kind has the \
    slots that FILE gives it.
    """)
  var policy = PolicyArgument.fireDate

  @Flag(help: "Move a kind up or down one priority if the tap rates in FILE are clear.")
  var adaptPriorities = false

  @OptionGroup(title: "What the phone does") var phone: PhoneArguments

  @Option(
    "format", "text, ndjson or csv. Default: text.",
    "Without --format, an output file that ends in .ndjson or .csv sets the format.")
  var format: ScheduleReport.Format?

  @Option(
    "loss", "lost or user: exit with status 1 if a reminder is lost, to make a build fail.",
    """
    "lost": any that is due and never shown, or a circle without a slot. "user": only those with \
    priority 0, which users set up. Of several strategies budget and window count, which are those \
    of an app.
    """)
  var failOn: ScheduleLoss?

  @Option("file", "Also write a report page to FILE. It needs no other files.", completion: .file())
  var report: String?

  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup var output: OutputArguments
  @OptionGroup var clock: ClockArguments

  /// Ten years and a day; a longer report would be unreadable.
  private static let longestMilliseconds: Int64 = 3654 * 86_400_000
  /// A leap year; more days would be narrower than a pixel on a phone.
  private static let longestPageMilliseconds: Int64 = 366 * 86_400_000

  /// Checks the length of the period, and which options exclude each other.
  func validate() throws {
    try require(
      (1...Self.longestMilliseconds).contains(length.milliseconds),
      "--for must be longer than 0 and at most ten years")
    try require(
      Set(strategy.values).count == strategy.values.count,
      "--strategy must name each strategy only once")
    try require(report == nil || planAt == nil, "--report cannot be used with --plan-at")
    try require(failOn == nil || planAt == nil, "--fail-on cannot be used with --plan-at")
    try require(
      report == nil || length.milliseconds <= Self.longestPageMilliseconds,
      "--for must be at most 366d with --report")
    try require(
      reminders != "-" || phone.travel != "-", "FILE and --travel cannot both be standard input")
  }

  /// Simulates the period, or plans at one moment of it.
  ///
  /// With `--fail-on` the report is complete before the command fails.
  func run() async throws {
    try FileUse(writing: [("--output", output.path), ("--report", report)])
      .check(reading: [reminders, phone.travel])
    let input = try ReminderFile(path: reminders, clock: clock)
    let zone = clock.given ?? input.document.zone
    let start = (from ?? .today).start(in: zone)
    let document = input.document
    var options = ScheduleSimulationOptions(
      fromMilliseconds: start, toMilliseconds: start + length.milliseconds)
    options.policy = try policy.policy(of: document, path: reminders)
    options.adaptsPriorities = adaptPriorities
    if report != nil { options.dayZone = zone }
    try phone.apply(to: &options, zone: zone)
    let time = planAt?.start(in: zone)
    try require(
      time.map { options.fromMilliseconds <= $0 && $0 < options.toMilliseconds } ?? true,
      "--plan-at must be within the period of --from and --for")
    // Fail before the simulation if the report cannot be written.
    var file = try OutputFile(path: output.path)
    let simulation = ScheduleSimulation(document: document, options: options)
    var report = ScheduleReport(
      fromMilliseconds: options.fromMilliseconds, toMilliseconds: options.toMilliseconds,
      deviceName: options.limits.name, slots: options.limits.totalLimit, zone: zone)
    report.titles = Dictionary(
      document.reminders.map { ($0.id, $0.content.title) }, uniquingKeysWith: { $1 })
    report.reminders = document.reminders
    report.phoneZone = document.zone
    if let time {
      try writePlan(simulation, at: time, kinds: document.kinds, in: report, to: &file)
    } else {
      try simulate(simulation, into: &report)
      try report.write(as: output.form(format), layout: output.layout, to: &file)
    }
    try file.finish()
    if let path = self.report {
      try OutputFile.write(to: path) { SchedulePage(report).write(to: &$0) }
    }
    if let failOn, let loss = report.loss(ofUsersOwn: failOn == .user) {
      throw CommandFailure(.testFailed, loss)
    }
  }

  /// Simulates each strategy with the same occurrences, and adds the results to the report.
  ///
  /// An interruption takes effect between two strategies.
  private func simulate(_ simulation: ScheduleSimulation, into report: inout ScheduleReport) throws
  {
    let due = simulation.dueOccurrences()
    report.unreachable = simulation.unreachable(besides: due)
    for strategy in strategy.values {
      let results = simulation.run([strategy], due: due)
      report.results += results
      report.neverShown += results.flatMap { simulation.neverShown(in: $0, due: due) }
      try Task.checkCancellation()
    }
  }

  /// Writes the plans of the strategies that plan, or what the phone holds under the others.
  private func writePlan(
    _ simulation: ScheduleSimulation, at time: Int64, kinds: KindRegistry,
    in report: ScheduleReport, to file: inout OutputFile
  ) throws {
    let planning = strategy.values.filter { [.budget, .window].contains($0) }
    let format = output.form(format)
    if format == .csv { file.buffer.append(SchedulePlan.csvHeader) }
    for strategy in planning.isEmpty ? strategy.values : planning {
      let plan = SchedulePlan(
        of: simulation, under: strategy, atMilliseconds: time, kinds: kinds, in: report)
      try plan.write(as: format, layout: output.layout, to: &file)
    }
  }
}
#endif
