import ArgumentParser

/// The command line's entry point; each subcommand is a file beside this one.
@main
struct FencepostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fencepost",
    abstract: "Which stories would alert along a path, when, and why not the others.",
    version: "0.1.0")
}
