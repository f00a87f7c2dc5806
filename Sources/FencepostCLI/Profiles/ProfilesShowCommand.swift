import ArgumentParser
import FencepostPhones
import FencepostReporting
import Glibc

/// Shows a profile.
struct ProfilesShowCommand: AsyncParsableCommand {
  /// The forms of a profile.
  enum Format: String, CaseIterable, ExpressibleByArgument, OutputForm, Sendable {
    /// A table for people.
    case text
    /// The profile itself, for a file.
    case ndjson = "json"
  }

  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a profile's values with their sources.",
    discussion: """
      As json it is the profile itself, which a file can hold and change; a file is checked, and \
      its first fault named by line and path.

      Examples:
        fencepost profiles show iphone
        fencepost profiles show android -o mine.json
        fencepost profiles show mine.json
      """)

  @Argument(
    help: ArgumentHelp(
      "A built-in profile’s name, or a file; ‘-’ is standard input.", valueName: "profile"),
    completion: .file(extensions: ["json"]))
  var profile: String

  @Option(
    help: ArgumentHelp(
      "The form of the profile.",
      discussion: """
        The default follows from the ending of the output's name (.json), else it is text on a \
        terminal and json elsewhere.
        """))
  var format: Format?

  @OptionGroup var output: OutputArguments

  func run() async throws {
    if BuiltInProfile(named: profile) == nil {
      try FileUse(writing: [("--output", output.path)]).check(reading: [profile])
    }
    let profile = try ProfileFiles.profile(profile)
    var file = try OutputFile(path: output.path)
    switch output.form(format) {
    case .ndjson: file.buffer.append(verbatim: profile.json)
    case .text:
      for line in profile.lines { file.buffer.append(verbatim: line.forTerminal + "\n") }
    }
    try file.finish()
  }
}
