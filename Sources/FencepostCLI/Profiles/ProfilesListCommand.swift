import ArgumentParser
import FencepostMonitoring
import FencepostPhones
import FencepostReporting

/// Lists the built-in profiles.
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
    try account.writeLines(
      [ProfileRow.heading] + BuiltInProfile.allCases.map { ProfileRow($0.profile).text },
      records: BuiltInProfile.allCases.map(\.profile)
    ) { output, profile in
      ProfileRow(profile).write(to: &output)
    }
  }
}

/// A line about a profile.
private struct ProfileRow {
  let profile: PhoneProfile

  init(_ profile: PhoneProfile) {
    self.profile = profile
  }

  private static let columns = [14, 7, 5, 10, 10, 8, 6, 7]

  /// The heads of the columns.
  static var heading: String {
    line([
      "PROFILE", "REGIONS", "TEST", "ACCURACY", "DOCUMENTED", "MEASURED", "FITTED", "ASSUMED",
    ]) + "TITLE"
  }

  /// The line for people.
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

  /// Writes the line as members of a JSON object.
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
