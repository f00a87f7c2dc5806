import ArgumentParser
import Formats
import Geodesy
import Glibc
import Reporting

/// One run of the program, from its arguments to its exit status.
struct CommandRun {
  /// The arguments without the program's name.
  let arguments: [String]

  /// Runs the command and tells the user what went wrong, if something did.
  func status() async -> Int32 {
    Geodesic.endUnavailable { reason in
      StandardError.say(reason)
      OutputFile.removeUnfinished()
      exit(ExitStatus.inputOutput.rawValue)
    }
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

  /// Turns what was thrown into words and a status.
  private func report(_ error: any Error) -> Int32 {
    // The parser's own: help and version on request, and errors of usage. What it does not know
    // it calls a failure.
    switch FencepostCommand.exitCode(for: error) {
    case .success:
      if let file = DashedFile.takenForHelp(in: arguments) {
        StandardError.say("‘\(file)’ is no option; \(DashedFile.cure(for: file))")
        return ExitStatus.usage.rawValue
      }
      return Self.printOnRequest(FencepostCommand.fullMessage(for: error))
    case .validationFailure:
      let message = FencepostCommand.fullMessage(for: error)
      let ours = message.hasPrefix("Error: ") ? String(message.dropFirst(7)) : message
      StandardError.print("fencepost: \(ours.shownFileName)")
      if let file = DashedFile.existing(in: arguments) {
        StandardError.say(DashedFile.cure(for: file))
      }
      return ExitStatus.usage.rawValue
    default:
      let failure = CommandFailure(error)
      if let sentence = failure.sentence { StandardError.say(sentence) }
      // The interruption explains whatever failed after it.
      return Self.interruptedStatus ?? failure.status.rawValue
    }
  }

  /// Prints help that the user asked for, which is data.
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

  /// 130 after SIGINT, as a shell would have it, and likewise for the others.
  private static var interruptedStatus: Int32? {
    Interruption.signal.map { 128 + $0 }
  }
}
