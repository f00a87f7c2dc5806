import ArgumentParser

/// The commands that show profiles of phones and other engines.
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
