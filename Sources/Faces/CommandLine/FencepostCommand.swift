#if Command
import ArgumentParser
import FencepostFiles
import FencepostFormats
import FencepostReporting
import Glibc

/// The program: it reads the arguments, runs one command and returns its exit status.
///
/// The commands are types of their own, listed in ``configuration``. This type does what is the
/// same for all: the file of `--rules`, signals, units, messages about wrong usage, and help pages.
@main
struct FencepostCommand: AsyncParsableCommand {
  static let version = "0.4.0"

  static let configuration = CommandConfiguration(
    commandName: "fencepost",
    abstract: "Replay walks past stories: which ones alert, when, and why not the others.",
    discussion: """
      Fencepost reads the fixes of a walk, watches the circles of the nearest stories as a \
      phone must, and reports an alert when the path enters one. Run fencepost without \
      arguments to see how to begin.

      Results go to standard output, messages to standard error. Exit status: 0 done, 1 a \
      story test failed, 64 wrong usage, 65 bad input (what was good is still reported), 66 \
      missing input, 74 reading or writing failed, 130 or 143 interrupted (SIGINT, SIGTERM).
      """,
    version: version,
    subcommands: [
      ReplayCommand.self, LiveCommand.self, ServeCommand.self, AnalyzeCommand.self,
      SweepCommand.self, CompareCommand.self, AdviseCommand.self, ExplainCommand.self,
      TestCommand.self, StudioCommand.self, ScheduleCommand.self, PlacesCommand.self,
      ProfilesCommand.self, RulesCommand.self,
    ])

  /// Runs the program and ends the process with its exit status.
  ///
  /// A broken pipe becomes an error of writing rather than a signal, so that reports can end
  /// properly.
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // Swift reads the arguments from this file, and without it finds none or crashes.
    guard unsafe access("/proc/self/cmdline", R_OK) == 0 else {
      StandardError.say(
        "/proc/self/cmdline: cannot be read. Mount /proc, because Fencepost reads its "
          + "arguments there.")
      Glibc.exit(74)
    }
    // Scripts ask often, and the parser alone would take most of the time.
    if arguments == ["--version"] { Glibc.exit(printOnRequest(version)) }
    Glibc.exit(await run(arguments))
  }

  /// The arguments without the program's name; file names that are not UTF-8 survive.
  static var arguments: [String] {
    // `argv` has `argc` strings, which never change.
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { text in unsafe String(fileNameAt: text) }
    }
  }
}

extension FencepostCommand {
  /// Runs the program with its arguments and returns its exit status.
  ///
  /// The command runs in a task that a signal cancels. Then the status is 128 plus the signal's
  /// number, whatever the command returns.
  private static func run(_ arguments: [String]) async -> Int32 {
    if arguments.isEmpty { return printOnRequest(HelpPage.overview) }
    var expansion = RulesFile.Expansion(arguments: arguments)
    do {
      expansion = try RulesFile.expand(arguments)
      let words = withoutAll(expansion.arguments)
      let task = Task {
        var command = try parseAsRoot(words)
        let units = (command as? any ShowsUnits)?.shownUnits ?? .metric
        if var asyncCommand = command as? any AsyncParsableCommand {
          try await ShownUnits.$current.withValue(units) { try await asyncCommand.run() }
        } else {
          try command.run()
        }
      }
      Interruption.watch { task.cancel() }
      try await task.value
      return interruptedStatus ?? ExitStatus.done.rawValue
    } catch {
      return report(error, arguments, expansion)
    }
  }

  /// Tells the user about an error, or prints the help that was asked for.
  ///
  /// The parser throws for help and versions too. Where its own message would mislead, a sentence
  /// of ``UsageHint`` or ``DashedFile`` replaces it or follows it. A message about an option that
  /// stands in a rules file names its line.
  ///
  /// - Returns: The exit status.
  private static func report(
    _ error: any Error, _ arguments: [String], _ expansion: RulesFile.Expansion
  ) -> Int32 {
    // The parser classifies its own errors: help and version requests, and usage errors.
    switch exitCode(for: error) {
    case .success:
      if let file = DashedFile.takenForHelp(in: arguments) {
        return report("“\(file)” is not an option; \(DashedFile.cure(for: file))", .usage)
      }
      if arguments.first == "help",
        let sentence = UsageHint.unknownCommand(in: Array(arguments.dropFirst()))
      {
        return report(sentence, .usage)
      }
      // The help that was asked for, or the version.
      let whole = fullMessage(for: error)
      let page = whole.hasPrefix("OVERVIEW:") ? try? HelpPage(requestedBy: arguments) : nil
      return printOnRequest(page?.text ?? whole)
    case .validationFailure:
      if let sentence = UsageHint.unknownCommand(in: arguments) {
        return report(sentence, .usage)
      }
      let message = fullMessage(for: error)
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
      let status = report(failure.sentence, failure.status)
      // An interruption explains any later failure.
      return interruptedStatus ?? status
    }
  }

  /// Removes the `--all` of `help X --all` and `X --help --all`, which the parser rejects.
  private static func withoutAll(_ arguments: [String]) -> [String] {
    let asksForHelp =
      arguments.first == "help" || arguments.contains { $0 == "--help" || $0 == "-h" }
    return asksForHelp ? arguments.filter { $0 != "--all" } : arguments
  }

  /// Prints what the user asked for to standard output, ending in a line break.
  ///
  /// - Returns: The exit status, which is 74 if nothing could be written.
  private static func printOnRequest(_ text: String) -> Int32 {
    let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    do {
      try OutputFile.write { $0.append(verbatim: text + end) }
      return ExitStatus.done.rawValue
    } catch {
      let failure = CommandFailure(error)
      return report(failure.sentence, failure.status)
    }
  }

  /// Prints a sentence, if any, and returns the status as a number.
  private static func report(_ sentence: String?, _ status: ExitStatus) -> Int32 {
    if let sentence { StandardError.say(sentence) }
    return status.rawValue
  }

  /// The shell's status for the signal received, such as 130 after SIGINT.
  private static var interruptedStatus: Int32? { Interruption.signal.map { 128 + $0 } }
}
#else
import Glibc

/// Says that the package was built for its libraries alone.
///
/// This is the whole program without the trait Command, which the other files here need. It always
/// exits with status 64.
@main
struct FencepostCommand {
  static func main() {
    var sentence = "fencepost: only the libraries were built; build with the trait Command\n"
    // The bytes live while they are written.
    _ = sentence.withUTF8 { bytes in
      unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
    exit(64)
  }
}
#endif
