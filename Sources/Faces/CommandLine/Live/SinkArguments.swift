#if Command
import ArgumentParser
import FencepostSession
import FencepostLive

/// Where alerts go besides the output: to a program, a web server or the desktop.
///
/// ``MQTTArguments`` has the broker. Each destination has a queue of its own.
struct SinkArguments: ParsableArguments {
  @Option(
    "command", "Run a program for each alert, one at a time.",
    """
    The program reads the alert as JSON on standard input, and in the variables \
    FENCEPOST_TYPE, _TIME, _LAT, _LON, _PLACE, _TITLE, _BLURB, _URL, _CATEGORY, _DISTANCE, \
    _TRACK, _DEVICE. Its output goes to standard error. Words are split at blanks, with \
    quotes and backslashes as in a shell, but no shell is used.
    """)
  var exec: String?

  @Flag(help: "Run the --exec command with /bin/sh.")
  var execShell = false

  @Option("duration", "Stop the --exec command if it runs longer than this.")
  var execTimeout = DurationArgument.seconds(10)

  @Option(
    "url", "POST each alert as JSON to this URL until it answers 2xx.",
    """
    A failed alert is sent again after half a second, then after longer waits of up to a \
    minute, or when Retry-After says so. An alert that was \
    answered 4xx does not hold up the others. Redirects are not followed. --sink-deadline \
    ends the retries. If an answer is lost, the alert is sent again with the same \
    Idempotency-Key. With --state, unsent alerts survive a restart. Fencepost uses curl.
    """)
  var webhook: String?

  @Option("duration", "Wait at most this long for the webhook to answer.")
  var webhookTimeout = DurationArgument.seconds(10)

  @Flag(name: .customLong("notify"), help: "Show each alert on the desktop with notify-send.")
  var notifies = false

  @Option("n", "Let at most N alerts wait for each destination. The oldest is dropped first.")
  var sinkQueue = 10_000

  @Option(
    "duration", "Retry an alert of --webhook for at most this long, or \"none\" for no end.",
    "Only time in which the program runs counts, so that an alert survives a corrected clock and "
      + "a computer that was off. Every alert is tried at least once. A dropped alert is reported, "
      + "and the exit status is 74.")
  var sinkDeadline = OrNone.some(DurationArgument.seconds(86_400))

  @Option(
    "duration", "After the source has ended, wait at most this long for unsent alerts.",
    "With --state, the next start sends the rest. Without it, they are lost.")
  var sinkGrace = DurationArgument.seconds(30)

  @Option(
    "list", "Send these events to the program, webhook, broker and desktop.",
    "alert, suppressed (an entry held back), enter, exit, dwell, refresh (a lookup of the "
      + "nearest stories), separated by commas.")
  var deliver = EventSelection.alert

  /// The sinks that the user asked for, in the order in which they get an alert.
  ///
  /// - Throws: `ValidationError` if the command of `--exec` is empty or has an unclosed quote.
  func sinks() throws -> [LiveOptions.Sink] {
    var sinks: [LiveOptions.Sink] = []
    if let exec {
      sinks.append(.exec(try words(of: exec), timeoutMilliseconds: Int(execTimeout.milliseconds)))
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
      "warning: --exec passes “\(word.text)” unchanged, because it uses no shell. To "
        + "use one: --exec-shell")
  }

  /// The program and its arguments.
  private func words(of command: String) throws -> [String] {
    if execShell { return ["/bin/sh", "-c", command] }
    guard let words = ShellWords.split(command), !words.isEmpty else {
      throw ValidationError("--exec: the command is empty, or a quote is not closed")
    }
    return words
  }

  /// Splits the command and checks the address, so that mistakes are found before the first alert.
  func validate() throws {
    if exec != nil { _ = try sinks() }
    if execShell && exec == nil { throw ValidationError("--exec-shell needs --exec") }
    if let webhook, let fault = WebhookAddress.fault(in: webhook) {
      throw ValidationError("--webhook: \(fault)")
    }
    try require(
      sinkDeadline.value?.milliseconds ?? 1 >= 1, "--sink-deadline must be longer than 0, or none")
    try require(sinkQueue >= 1, "--sink-queue must be at least 1")
    try require(
      min(execTimeout.milliseconds, webhookTimeout.milliseconds) >= 1,
      "--exec-timeout and --webhook-timeout must be longer than 0")
  }
}

/// Splits a command into words as a shell does, without expansions.
///
/// Only what the user typed for `--exec` is split. An alert reaches the program by its input and
/// its environment.
enum ShellWords {
  /// A word without its quotes.
  struct Word: Equatable {
    var text = ""
    /// Whether a shell would replace part of it, or take it for an operator.
    var isForShell = false
  }

  /// The words of a command; nil after an unclosed quote or a final backslash.
  static func split(_ command: String) -> [String]? { read(command)?.map(\.text) }

  /// The words of a command, and which of them a shell would change.
  ///
  /// Spaces separate words. Single quotes make everything literal. Inside double quotes a backslash
  /// escapes `"` and `\`; elsewhere it escapes any character.
  ///
  /// - Returns: Nil after an unclosed quote or a final backslash.
  static func read(_ command: String) -> [Word]? {
    var words: [Word] = []
    var word: Word?
    var rest = command[...]
    while let character = rest.popFirst() {
      var next = word ?? Word()
      switch character {
      case " ", "\t", "\n":
        if let complete = word { words.append(complete) }
        word = nil
        continue
      case "'":
        guard let end = rest.firstIndex(of: "'") else { return nil }
        next.text += rest[..<end]
        rest = rest[rest.index(after: end)...]
      case "\"": guard takeDoubleQuoted(&rest, into: &next) else { return nil }
      case "\\":
        guard let literal = rest.popFirst() else { return nil }
        next.text.append(literal)
      default:
        let isOperator = "|&;<>".contains(character) || (character == "~" && word == nil)
        if isOperator || isExpansion(character, before: rest) { next.isForShell = true }
        next.text.append(character)
      }
      word = next
    }
    if let word { words.append(word) }
    return words
  }

  /// Takes the text up to and including the closing quote; false without one.
  private static func takeDoubleQuoted(_ rest: inout Substring, into word: inout Word) -> Bool {
    while let character = rest.popFirst() {
      if character == "\"" { return true }
      if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
        rest.removeFirst()
        word.text.append(next)
      } else {
        if isExpansion(character, before: rest) { word.isForShell = true }
        word.text.append(character)
      }
    }
    return false
  }

  /// Whether a shell would replace what begins here: a variable, or a command's output.
  private static func isExpansion(_ character: Character, before rest: Substring) -> Bool {
    guard character == "$" else { return character == "`" }
    guard let next = rest.first else { return false }
    return next.isLetter || next == "_" || next == "{" || next == "("
  }
}
#endif
