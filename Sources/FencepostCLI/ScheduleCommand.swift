import ArgumentParser
import Glibc
import FencepostNotifications
import FencepostReporting

/// Simulates how a phone delivers reminders.
struct ScheduleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Report what a phone would deliver of reminders, and what a budget saves.",
    discussion: """
      Runs a simulated phone through a period, once for each strategy: ‘naive’ hands over \
      everything at once, ‘first-come’ stops when the phone is full, ‘budget’ ranks all requests \
      and stores what does not fit, ‘window’ does so with single occurrences of the next seven \
      days. The last two plan again every 24 hours.

      A reminder file is JSON as Data/schemas/reminders.schema.json describes it. As text the \
      strategies stand side by side; ndjson has a line for every time a reminder was due, with its \
      fate and the reason, and a closing line for each strategy. On time is within a minute; \
      dropped is what was never shown while nobody was told.

      Examples:
        fencepost schedule reminders.json --from 2026-03-01T00:00:00-05:00 --for 30d
        fencepost schedule reminders.json --from 2026-03-01T00:00:00Z --for 2w \\
          --strategy naive,window --miss-refresh 0.3 --seed 7 --format csv -o fates.csv
      """)

  @Argument(
    help: .value("reminders", "The reminder file; ‘-’ is standard input."),
    completion: .file(extensions: ["json"]))
  var reminders: String

  @Option(
    help: .value(
      "time", "When the period begins, with its offset from UTC: 2026-03-01T00:00:00-05:00."))
  var from: InstantArgument

  @Option(
    name: .customLong("for"),
    help: .value("duration", "How long the period is, such as 30d."))
  var length: DurationArgument

  @Option(
    help: .value(
      "list", "The strategies, with commas between them: naive, first-come, budget, window."))
  var strategy = ListArgument(ScheduleStrategy.allCases)

  @Option(
    help: ArgumentHelp(
      "Which of the time-based requests go first when there are more than slots.",
      discussion: """
        ‘fire-date’: the soonest, at one instant the most important kind. ‘priority’: the most \
        important kind, among equals the soonest. ‘quotas’: the slots that the file gives each kind.
        """))
  var policy = PolicyArgument.fireDate

  @Flag(help: "Kinds move one priority up or down where the file's tap rates leave no doubt.")
  var adaptPriorities = false

  @OptionGroup(title: "Phone")
  var phone: PhoneArguments

  @Option(
    help: ArgumentHelp(
      "The form of the report.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv), else it is text \
        on a terminal and ndjson elsewhere.
        """))
  var format: ScheduleReport.Format?

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup var output: OutputArguments

  /// Ten years and a day; a longer report would be unreadable.
  private static let longestMilliseconds: Int64 = 3654 * 86_400_000

  func validate() throws {
    guard length.milliseconds > 0, length.milliseconds <= Self.longestMilliseconds else {
      throw ValidationError("--for is more than nothing and at most ten years.")
    }
    try require(
      Set(strategy.values).count == strategy.values.count, "--strategy names each strategy once.")
    try require(
      reminders != "-" || phone.travel != "-", "Only one of the two files can be standard input.")
  }

  func run() async throws {
    try FileUse(writing: [("--output", output.path)]).check(reading: [reminders, phone.travel])
    let document = try ReminderFiles.reminders(reminders)
    var options = ScheduleSimulation.Options(
      fromMilliseconds: from.milliseconds,
      toMilliseconds: from.milliseconds + length.milliseconds)
    options.policy = try policy.policy(of: document, path: reminders)
    options.adaptsPriorities = adaptPriorities
    try phone.apply(to: &options)
    // Fail before the simulation if the report cannot be written.
    var file = try OutputFile(path: output.path)
    let simulation = ScheduleSimulation(document: document, options: options)
    var report = ScheduleReport(
      fromMilliseconds: options.fromMilliseconds, toMilliseconds: options.toMilliseconds,
      deviceName: options.profile.name, results: [])
    for strategy in strategy.values {
      report.results += simulation.run([strategy])
      try Task.checkCancellation()
    }
    try report.write(as: output.form(format), layout: output.layout, to: &file)
    try file.finish()
  }
}
