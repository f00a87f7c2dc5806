import FencepostFiles
import ArgumentParser
import FencepostFormats
import Glibc

/// The command line's entry point.
@main
struct FencepostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fencepost",
    abstract: "Which stories would alert along a path, when, and why not the others.",
    discussion: """
      Reads a stream of location fixes, keeps the nearest places as monitored circles the way a \
      phone must, and reports an alert where the path crosses into one.

      Data goes to standard output, words to standard error. Exit status: 0 done, 64 usage, \
      65 input bad (what was good is still reported), 66 input missing, 74 input or output \
      failed, 130 or 143 interrupted (SIGINT, SIGTERM).
      """,
    version: "0.2.0",
    subcommands: [
      ReplayCommand.self, LiveCommand.self, ServeCommand.self, AnalyzeCommand.self,
      SweepCommand.self, CompareCommand.self, AdviseCommand.self, ExplainCommand.self,
      StudioCommand.self, ScheduleCommand.self, PlacesCommand.self,
      ProfilesCommand.self, RulesCommand.self, ManCommand.self,
    ])

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // Swift reads the arguments from this file, and without it finds none or crashes.
    guard unsafe access("/proc/self/cmdline", R_OK) == 0 else {
      StandardError.say(
        "/proc/self/cmdline: cannot be read; mount /proc, because the arguments are read there")
      Glibc.exit(74)
    }
    Glibc.exit(await CommandRun(arguments: arguments).status())
  }

  /// The arguments without the program's name; file names that are not UTF-8 survive.
  static var arguments: [String] {
    // `argv` has `argc` strings, which never change.
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { text in
        unsafe String(fileNameAt: text)
      }
    }
  }
}
