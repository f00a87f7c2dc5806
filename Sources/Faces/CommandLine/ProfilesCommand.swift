#if Command
import ArgumentParser
import FencepostMonitoring
import FencepostPhones
import FencepostReporting

/// The command `profiles`: a group of commands about the phones that can be simulated.
struct ProfilesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles", abstract: "List the simulated phones and geofencing services.",
    discussion: """
      A profile describes what happens between an entry and the notification: limits, \
      lookups, confirmation, delays. Each value has a source. A profile of your own is JSON \
      as described in Data/schemas/profile.schema.json. Begin with the output of "profiles \
      show", or name a built-in profile as its "base" and give only what differs.
      """,
    subcommands: [ProfilesListCommand.self, ProfilesShowCommand.self])
}

/// The command `profiles list`: a table of the built-in profiles.
///
/// The last columns count the values of each profile by what they rest on, so that a user sees how
/// far to trust it.
struct ProfilesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the built-in profiles.",
    discussion: """
      Shows for each profile how many circles it watches, how it tests for entries, and what \
      its values are based on: documentation, measurements, a fit to published figures, or \
      assumptions.

      Examples:
        fencepost profiles list
        fencepost profiles list --format ndjson
      """)

  @OptionGroup var account: AccountArguments

  /// Writes a row for each profile, or with ndjson an object.
  func run() async throws {
    let profiles = BuiltInProfile.allCases.map(\.profile)
    let heading = [
      "PROFILE", "REGIONS", "TEST", "ACCURACY", "DOCUMENTED", "MEASURED", "FITTED", "ASSUMED",
      "TITLE",
    ]
    let rows = profiles.map { profile in
      [
        profile.name, profile.limits.regions.value.value.map { "\($0)" } ?? "none",
        profile.test.at.value.rawValue, profile.test.accuracy.value.rawValue,
      ] + Basis.allCases.map { "\(profile.values(restingOn: $0))" } + [profile.title]
    }
    try account.write(([heading] + rows).map(Self.line), records: profiles) { output, profile in
      output.member("type", "profile")
      output.member("name", profile.name)
      output.member("title", profile.title)
      output.member("regions", profile.limits.regions.value.value)
      output.member("test", profile.test.at.value.rawValue)
      output.member("accuracy", profile.test.accuracy.value.rawValue)
      output.member("documented", profile.values(restingOn: .documented))
      output.member("measured", profile.values(restingOn: .measured))
      output.member("fitted", profile.values(restingOn: .fitted))
      output.member("assumed", profile.values(restingOn: .assumed))
    }
  }

  /// A row of the table in columns of fixed width; the title comes last and has any length.
  private static func line(_ cells: [String]) -> String {
    zip(cells, [16, 7, 5, 10, 10, 8, 6, 7]).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count) + 2)
    }.joined() + (cells.last ?? "")
  }
}

/// The command `profiles show`: every value of one profile, with its source.
///
/// Given a file, it checks the file: the first fault ends it with exit status 65.
struct ProfilesShowCommand: AsyncParsableCommand {
  /// The form of the profile: `text` for people, or the JSON that `--profile` reads.
  enum Format: String, CaseIterable, ExpressibleByArgument, OutputForm, Sendable {
    case text
    /// The profile itself, for a file.
    case ndjson = "json"
  }

  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the values of a profile with their sources.",
    discussion: """
      To make a profile of your own, write one as json and change it. If PHONE is a file, it \
      is checked. The first fault is reported with its line and path.

      Examples:
        fencepost profiles show iphone
        fencepost profiles show android --output mine.json
      """)

  @Argument(
    help: .value("phone", "A built-in profile or a profile file. Use \"-\" for standard input."),
    completion: .file(extensions: ["json"]))
  var profile: String

  @Option(
    "format", "text or json. Default: text.",
    "Without --format, an output file that ends in .json sets the format.")
  var format: Format?

  @OptionGroup var output: OutputArguments

  /// Writes the profile of the name or file.
  func run() async throws {
    if BuiltInProfile(named: profile) == nil {
      try FileUse(writing: [("--output", output.path)]).check(reading: [profile])
    }
    let profile = try ProfileFiles.profile(profile)
    let text =
      switch output.form(format) {
      case .ndjson: profile.json
      case .text: profile.lines.map { $0.forTerminal + "\n" }.joined()
      }
    try OutputFile.write(to: output.path) { $0.append(verbatim: text) }
  }
}
#endif
