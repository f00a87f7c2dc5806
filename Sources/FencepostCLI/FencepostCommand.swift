import FencepostFiles
import ArgumentParser
import Glibc

@main
struct FencepostCommand: AsyncParsableCommand {
  static let version = "0.3.0"

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
      ProfilesCommand.self, RulesCommand.self, ManCommand.self,
    ])

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
    if arguments == ["--version"] { Glibc.exit(CommandRun.printOnRequest(version)) }
    Glibc.exit(await CommandRun(arguments: arguments).status())
  }

  /// The arguments without the program's name; file names that are not UTF-8 survive.
  static var arguments: [String] {
    // `argv` has `argc` strings, which never change.
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { text in unsafe String(fileNameAt: text) }
    }
  }
}
