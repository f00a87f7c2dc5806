import ArgumentParser
import Fencepost
import FencepostLive

/// The options of the sinks besides the output.
struct SinkArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A program run for each alert, one after the other.",
      discussion: """
        It finds the alert as JSON on standard input and as variables FENCEPOST_TYPE, _TIME, _LAT, \
        _LON, _PLACE, _TITLE, _BLURB, _URL, _CATEGORY, _DISTANCE, _TRACK, _DEVICE. What it prints goes \
        to standard error. The words are split at blanks, with quotes and backslashes as a shell \
        has them, but no shell is involved.
        """,
      valueName: "command"))
  var exec: String?

  @Flag(help: ArgumentHelp("The command of --exec is run by /bin/sh."))
  var execShell = false

  @Option(
    help: ArgumentHelp("How long a run of --exec may take.", valueName: "duration"))
  var execTimeout = DurationArgument.seconds(10)

  @Option(
    help: ArgumentHelp(
      "An address that each alert is posted to as JSON, until it answers with success (2xx).",
      discussion: """
        After any other answer, and after none, an alert is posted again, after half a second and then \
        ever later, a minute at most, or when Retry-After says; other alerts need not wait for one that \
        was answered 4xx. Redirects are not followed. After --sink-deadline it is given up. At least \
        once: an alert whose answer is lost comes again, with the same Idempotency-Key. With --state \
        what is owed survives a restart. The requests are made by curl.
        """,
      valueName: "url"))
  var webhook: String?

  @Option(
    help: ArgumentHelp("How long a request of --webhook may take.", valueName: "duration"))
  var webhookTimeout = DurationArgument.seconds(10)

  @Flag(name: .customLong("notify"), help: "Each alert is shown on the desktop by notify-send.")
  var notifies = false

  @Option(
    help: ArgumentHelp(
      "How many alerts wait before a sink until the oldest is dropped.", valueName: "count"))
  var sinkQueue = 10_000

  @Option(
    help: ArgumentHelp(
      "How long --webhook is tried with an alert until it is given up; ‘none’ never gives up.",
      discussion: """
        Counted from the alert, also over restarts with --state, and a restart tries once more. What is \
        given up is told, and the exit status is 74.
        """,
      valueName: "duration"))
  var sinkDeadline = OrNone.some(DurationArgument.seconds(86_400))

  @Option(
    help: ArgumentHelp(
      "How long a session whose source has ended waits for its sinks.",
      discussion: "With --state the next start goes on with the rest; without, it is lost.",
      valueName: "duration"))
  var sinkGrace = DurationArgument.seconds(30)

  @Option(
    help: ArgumentHelp(
      "What goes to these sinks: alert, suppressed, enter, exit, dwell, refresh, with commas.",
      valueName: "list"))
  var deliver = EventSelection.alert

  /// The sinks that the options describe.
  func sinks() throws -> [LiveOptions.Sink] {
    var sinks: [LiveOptions.Sink] = []
    if let exec {
      sinks.append(
        .exec(try words(of: exec), timeoutMilliseconds: Int(execTimeout.milliseconds)))
    }
    if let webhook {
      sinks.append(.webhook(webhook, timeoutMilliseconds: Int(webhookTimeout.milliseconds)))
    }
    if notifies { sinks.append(.notify) }
    return sinks
  }

  /// Warns about words of the command that a shell would replace.
  func sayWarnings() {
    guard let exec, !execShell,
      let word = ShellWords.read(exec)?.dropFirst().first(where: \.isForShell)
    else { return }
    StandardError.say(
      "warning: --exec hands on ‘\(word.text)’ as it stands, for no shell reads it; --exec-shell has one"
    )
  }

  private func words(of command: String) throws -> [String] {
    if execShell { return ["/bin/sh", "-c", command] }
    guard let words = ShellWords.split(command), !words.isEmpty else {
      throw ValidationError("--exec: a quote is not closed, or there is no command")
    }
    return words
  }

  func validate() throws {
    if exec != nil { _ = try sinks() }
    if execShell && exec == nil { throw ValidationError("--exec-shell belongs to --exec") }
    if let webhook, let fault = WebhookAddress.fault(in: webhook) {
      throw ValidationError("--webhook: \(fault)")
    }
    if let sinkDeadline = sinkDeadline.value, sinkDeadline.milliseconds < 1 {
      throw ValidationError("--sink-deadline is longer than nothing, or none")
    }
    if sinkQueue < 1 { throw ValidationError("--sink-queue is at least 1") }
    if execTimeout.milliseconds < 1 || webhookTimeout.milliseconds < 1 {
      throw ValidationError("a timeout is longer than nothing")
    }
  }
}
