import FencepostFiles
import ArgumentParser
import FencepostFormats
import Glibc
import FencepostReporting

/// One run of the program, from its arguments to its exit status.
struct CommandRun {
  /// The arguments without the program's name.
  let arguments: [String]

  func status() async -> Int32 {
    do {
      try await run()
      return Self.interruptedStatus ?? ExitStatus.done.rawValue
    } catch {
      return report(error)
    }
  }

  /// Runs the command as a task that a signal cancels.
  private func run() async throws {
    let task = Task { [arguments] in
      var command = try FencepostCommand.parseAsRoot(arguments)
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    }
    Interruption.watch { task.cancel() }
    try await task.value
  }

  private func report(_ error: any Error) -> Int32 {
    // The parser classifies its own errors: help and version requests, and usage errors.
    switch FencepostCommand.exitCode(for: error) {
    case .success:
      if let file = DashedFile.takenForHelp(in: arguments) {
        StandardError.say("‘\(file)’ is no option; \(DashedFile.cure(for: file))")
        return ExitStatus.usage.rawValue
      }
      return Self.printOnRequest(FencepostCommand.fullMessage(for: error))
    case .validationFailure:
      if let sentence = UsageHint.unknownCommand(in: arguments) {
        StandardError.say(sentence.shownFileName)
        return ExitStatus.usage.rawValue
      }
      let message = FencepostCommand.fullMessage(for: error)
      let ours = message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message
      StandardError.print("fencepost: \(Self.aboutOptions(ours, arguments).shownFileName)")
      if let meant = UsageHint.meant(in: arguments) { StandardError.say(meant) }
      if let file = DashedFile.existing(in: arguments) {
        StandardError.say(DashedFile.cure(for: file))
      }
      return ExitStatus.usage.rawValue
    default:
      let failure = CommandFailure(error)
      if let sentence = failure.sentence { StandardError.say(sentence) }
      // An interruption explains any later failure.
      return Self.interruptedStatus ?? failure.status.rawValue
    }
  }

  /// A usage error's message, which names an unknown option first if there is one.
  private static func aboutOptions(_ message: String, _ arguments: [String]) -> String {
    guard !message.hasPrefix("Unknown option"),
      let sentence = UsageHint.unknownOption(in: arguments),
      let usage = message.firstRange(of: "\nUsage:")
    else { return message }
    return sentence + message[usage.lowerBound...]
  }

  /// Prints requested help to standard output.
  private static func printOnRequest(_ text: String) -> Int32 {
    var output = OutputFile()
    output.buffer.append(verbatim: text)
    if !text.isEmpty && !text.hasSuffix("\n") { output.buffer.append(UInt8(ascii: "\n")) }
    do {
      try output.finish()
      return ExitStatus.done.rawValue
    } catch {
      let failure = CommandFailure(error)
      if let sentence = failure.sentence { StandardError.say(sentence) }
      return failure.status.rawValue
    }
  }

  /// The shell's status for the signal received, such as 130 after SIGINT.
  private static var interruptedStatus: Int32? {
    Interruption.signal.map { 128 + $0 }
  }
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
      isJoined(argument) && argument.contains("h")
        && !letters.isSuperset(of: argument.dropFirst())
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
    "for the file ‘\(argument)’ write ./\(argument), or put -- before it"
  }

  private static func beforeEnd(_ arguments: [String]) -> ArraySlice<String> {
    arguments.prefix { $0 != "--" }
  }

  /// Whether an argument has one dash and several letters.
  private static func isJoined(_ argument: String) -> Bool {
    argument.count > 2 && argument.hasPrefix("-") && !argument.hasPrefix("--")
  }
}
