import ArgumentParser
import Glibc
import FencepostNotifications
import FencepostReporting

/// Simulates how a phone delivers reminders.
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

      The last two plan again every 24 hours.

      FILE is JSON as described in Data/schemas/reminders.schema.json. Text shows the \
      strategies side by side. ndjson has a line for every time a reminder was due, with its \
      fate and the reason, and a closing line for each strategy. "On time" means within a \
      minute. "Dropped" means never shown, and nobody was told.

      Examples:
        fencepost schedule reminders.json --from 2026-03-01T00:00:00-05:00 --for 30d
        fencepost schedule reminders.json --from 2026-03-01T00:00:00Z --for 2w \\
          --strategy naive,budget
      """)

  @Argument(
    help: .value("file", "The reminders, as JSON. Use \"-\" for standard input."),
    completion: .file(extensions: ["json"]))
  var reminders: String

  @Option(
    help: .value(
      "time", "Start of the period, such as 2026-03-01, 2026-03-01T08:00-05:00 or today.",
      "Days, and times without an offset, follow the clock of --time-zone."))
  var from: MomentArgument

  @Option(
    name: .customLong("for"),
    help: .value("duration", "Length of the period, such as 30d, at most ten years."))
  var length: DurationArgument

  @Option(
    help: .value("list", "Simulate these strategies, separated by commas."))
  var strategy = ListArgument(ScheduleStrategy.allCases)

  @Option(
    help: .value(
      "policy", "fire-date, priority or quotas: which reminders go first when slots run out.",
      """
      "fire-date": the soonest first; at the same time, the most important kind. "priority": \
      the most important kind first; within it, the soonest. "quotas": each kind has the \
      slots that FILE gives it.
      """))
  var policy = PolicyArgument.fireDate

  @Flag(help: "Move a kind up or down one priority if the tap rates in FILE are clear.")
  var adaptPriorities = false

  @OptionGroup(title: "What the phone does")
  var phone: PhoneArguments

  @Option(
    help: .value(
      "format", "text, ndjson or csv. Default: text.",
      "Without --format, an output file that ends in .ndjson or .csv sets the format."))
  var format: ScheduleReport.Format?

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup var output: OutputArguments

  @OptionGroup var clock: ClockArguments

  /// Ten years and a day; a longer report would be unreadable.
  private static let longestMilliseconds: Int64 = 3654 * 86_400_000

  func validate() throws {
    guard length.milliseconds > 0, length.milliseconds <= Self.longestMilliseconds else {
      throw ValidationError("--for must be longer than 0 and at most ten years")
    }
    try require(
      Set(strategy.values).count == strategy.values.count,
      "--strategy must name each strategy only once")
    try require(
      reminders != "-" || phone.travel != "-", "FILE and --travel cannot both be standard input")
  }

  func run() async throws {
    try FileUse(writing: [("--output", output.path)]).check(reading: [reminders, phone.travel])
    let document = try ReminderFiles.reminders(reminders)
    let start = from.start(in: clock.zone)
    var options = ScheduleSimulation.Options(
      fromMilliseconds: start, toMilliseconds: start + length.milliseconds)
    options.policy = try policy.policy(of: document, path: reminders)
    options.adaptsPriorities = adaptPriorities
    try phone.apply(to: &options, zone: clock.zone)
    // Fail before the simulation if the report cannot be written.
    var file = try OutputFile(path: output.path)
    let simulation = ScheduleSimulation(document: document, options: options)
    var report = ScheduleReport(
      fromMilliseconds: options.fromMilliseconds, toMilliseconds: options.toMilliseconds,
      deviceName: options.profile.name, zone: clock.zone, results: [])
    for strategy in strategy.values {
      report.results += simulation.run([strategy])
      try Task.checkCancellation()
    }
    try report.write(as: output.form(format), layout: output.layout, to: &file)
    try file.finish()
  }
}
