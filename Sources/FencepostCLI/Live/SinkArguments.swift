import ArgumentParser
import Fencepost
import Reporting

/// Where events go besides standard output.
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
      "An address that each alert is posted to as JSON, until it answers with success.",
      discussion: """
        At least once: an alert whose answer is lost comes again, with the same Idempotency-Key. \
        With --state what is owed survives a restart. The requests are made by curl.
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
  var sinkQueue = 1000

  @Option(
    help: ArgumentHelp(
      "What goes to these sinks: alert, suppressed, enter, exit, refresh, with commas.",
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

  private func words(of command: String) throws -> [String] {
    if execShell { return ["/bin/sh", "-c", command] }
    guard let words = CommandWords.split(command), !words.isEmpty else {
      throw ValidationError("--exec: a quote is not closed, or there is no command")
    }
    return words
  }

  func validate() throws {
    if exec != nil { _ = try sinks() }
    if execShell && exec == nil { throw ValidationError("--exec-shell belongs to --exec") }
    if let webhook, !webhook.hasPrefix("http://"), !webhook.hasPrefix("https://") {
      throw ValidationError("--webhook takes an address that begins with http:// or https://")
    }
    if sinkQueue < 1 { throw ValidationError("--sink-queue is at least 1") }
    if execTimeout.milliseconds < 1 || webhookTimeout.milliseconds < 1 {
      throw ValidationError("a timeout is longer than nothing")
    }
  }
}
