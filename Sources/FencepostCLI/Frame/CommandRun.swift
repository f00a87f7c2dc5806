import FencepostFiles
import ArgumentParser
import FencepostFormats
import Glibc
import FencepostReporting

/// One run of the program, from its arguments to its exit status.
struct CommandRun {
  let arguments: [String]

  func status() async -> Int32 {
    if arguments.isEmpty { return Self.printOnRequest(HelpPage.overview) }
    var expansion = RulesFile.Expansion(arguments: arguments)
    do {
      expansion = try RulesFile.expand(arguments)
      try await run(expansion.arguments)
      return Self.interruptedStatus ?? ExitStatus.done.rawValue
    } catch {
      return report(error, expansion)
    }
  }

  /// Runs the command as a task that a signal cancels.
  private func run(_ arguments: [String]) async throws {
    let task = Task {
      var command = try FencepostCommand.parseAsRoot(Self.withoutAll(arguments))
      let units = (command as? any ShowsUnits)?.shownUnits ?? .metric
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await ShownUnits.$current.withValue(units) { try await asyncCommand.run() }
      } else {
        try command.run()
      }
    }
    Interruption.watch { task.cancel() }
    try await task.value
  }

  private func report(_ error: any Error, _ expansion: RulesFile.Expansion) -> Int32 {
    // The parser classifies its own errors: help and version requests, and usage errors.
    switch FencepostCommand.exitCode(for: error) {
    case .success:
      if let file = DashedFile.takenForHelp(in: arguments) {
        return Self.report("“\(file)” is not an option; \(DashedFile.cure(for: file))", .usage)
      }
      if arguments.first == "help",
        let sentence = UsageHint.unknownCommand(in: Array(arguments.dropFirst()))
      {
        return Self.report(sentence, .usage)
      }
      return Self.printOnRequest(help(error))
    case .validationFailure:
      if let sentence = UsageHint.unknownCommand(in: arguments) {
        return Self.report(sentence, .usage)
      }
      let message = FencepostCommand.fullMessage(for: error)
      var sentence = message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message
      // An unknown option is named first.
      if let unknown = UsageHint.unknownOption(in: arguments),
        let usage = sentence.firstRange(of: "\nUsage:")
      {
        sentence = unknown + sentence[usage.lowerBound...]
      }
      StandardError.print("fencepost: \(expansion.located(sentence).shownFileName)")
      if let cure = UsageHint.cure(for: message) { StandardError.say(cure) }
      if let file = DashedFile.existing(in: arguments) {
        StandardError.say(DashedFile.cure(for: file))
      }
      return ExitStatus.usage.rawValue
    default:
      let failure = CommandFailure(error)
      let status = Self.report(failure.sentence, failure.status)
      // An interruption explains any later failure.
      return Self.interruptedStatus ?? status
    }
  }

  private func help(_ error: any Error) -> String {
    let whole = FencepostCommand.fullMessage(for: error)
    guard whole.hasPrefix("OVERVIEW:"), let page = try? HelpPage(requestedBy: arguments) else {
      return whole
    }
    return page.text
  }

  /// Removes the `--all` of `help X --all` and `X --help --all`, which the parser rejects.
  private static func withoutAll(_ arguments: [String]) -> [String] {
    let asksForHelp =
      arguments.first == "help" || arguments.contains { $0 == "--help" || $0 == "-h" }
    return asksForHelp ? arguments.filter { $0 != "--all" } : arguments
  }

  static func printOnRequest(_ text: String) -> Int32 {
    let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    do {
      try OutputFile.write { $0.append(verbatim: text + end) }
      return ExitStatus.done.rawValue
    } catch {
      let failure = CommandFailure(error)
      return report(failure.sentence, failure.status)
    }
  }

  private static func report(_ sentence: String?, _ status: ExitStatus) -> Int32 {
    if let sentence { StandardError.say(sentence) }
    return status.rawValue
  }

  /// The shell's status for the signal received, such as 130 after SIGINT.
  private static var interruptedStatus: Int32? { Interruption.signal.map { 128 + $0 } }
}

/// Detects file names that begin with a dash.
///
/// The parser reads `-dash.gpx` as the options `-d`, `-a`, `-s`, `-h` and so on, and prints help.
enum DashedFile {
  /// The letters of options that can share a dash.
  private static let letters = Set("hqv")

  /// Returns an argument whose `h` made the parser print help by mistake, if any.
  static func takenForHelp(in arguments: [String]) -> String? {
    let arguments = beforeEnd(arguments)
    guard !arguments.contains(where: { $0 == "-h" || $0.hasPrefix("--help") }) else { return nil }
    return arguments.first { argument in
      isJoined(argument) && argument.contains("h") && !letters.isSuperset(of: argument.dropFirst())
    }
  }

  /// Returns an argument that the parser took for options but that names a file, if any.
  static func existing(in arguments: [String]) -> String? {
    beforeEnd(arguments).first { argument in
      guard isJoined(argument) else { return false }
      var status = stat()
      // `status` is a local variable of the size that the system expects.
      return unsafe stat(argument.fileNameBytes, &status) == 0
    }
  }

  static func cure(for argument: String) -> String {
    "to name the file “\(argument)”, write ./\(argument), or put -- before it"
  }

  private static func beforeEnd(_ arguments: [String]) -> ArraySlice<String> {
    arguments.prefix { $0 != "--" }
  }

  /// Whether an argument has one dash and several letters.
  private static func isJoined(_ argument: String) -> Bool {
    argument.count > 2 && argument.hasPrefix("-") && !argument.hasPrefix("--")
  }
}
