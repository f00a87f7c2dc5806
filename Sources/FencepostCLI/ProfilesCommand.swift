import ArgumentParser
import FencepostMonitoring
import FencepostPhones
import FencepostReporting

struct ProfilesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "Show profiles of phones and other engines.",
    discussion: """
      A profile says what stands between a crossing and a notification: limits, refreshes, \
      confirmation, delays. Each value has its source. A profile of your own is JSON as \
      Data/schemas/profile.schema.json describes it; begin with what ‘show’ writes.
      """,
    subcommands: [ProfilesListCommand.self, ProfilesShowCommand.self])
}

struct ProfilesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the built-in profiles.",
    discussion: """
      Says of each how many regions it monitors, what it tests, and what its values rest on: \
      documents, measurements, a fit to published figures, or an assumption.

      Example:
        fencepost profiles list --format text
      """)

  @OptionGroup var account: AccountArguments

  func run() async throws {
    try account.write(
      [ProfileRow.heading] + BuiltInProfile.allCases.map { ProfileRow(profile: $0.profile).text },
      records: BuiltInProfile.allCases.map(\.profile)
    ) { output, profile in
      ProfileRow(profile: profile).write(to: &output)
    }
  }
}

private struct ProfileRow {
  let profile: PhoneProfile

  private static let columns = [14, 7, 5, 10, 10, 8, 6, 7]

  static var heading: String {
    line([
      "PROFILE", "REGIONS", "TEST", "ACCURACY", "DOCUMENTED", "MEASURED", "FITTED", "ASSUMED",
    ]) + "TITLE"
  }

  var text: String {
    let counts = Basis.allCases.map { "\(profile.values(restingOn: $0))" }
    return Self.line(
      [
        profile.name, regions, profile.test.at.value.rawValue, profile.test.accuracy.value.rawValue,
      ] + counts) + profile.title
  }

  private static func line(_ cells: [String]) -> String {
    zip(cells, columns).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count) + 2)
    }.joined()
  }

  private var regions: String { profile.limits.regions.value.value.map { "\($0)" } ?? "none" }

  func write(to output: inout OutputBuffer) {
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

struct ProfilesShowCommand: AsyncParsableCommand {
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
    help: .value("profile", "A built-in profile’s name, or a file; ‘-’ is standard input."),
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
