import FencepostFiles
import ArgumentParser
import FencepostFormats
import FencepostReporting

/// Writes manual pages, for packagers.
struct ManCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man",
    abstract: "Write a manual page, or all of them into a folder.",
    discussion: """
      The pages are made of the help texts, so that both always say the same.

      Examples:
        fencepost man places import | man -l -
        fencepost man --output-dir /usr/share/man/man1
      """,
    shouldDisplay: false)

  @Argument(help: "The command whose page is wanted; without it the program's own.")
  var command: [String] = []

  @Option(
    help: ArgumentHelp("Write every command's page into this folder.", valueName: "folder"),
    completion: .directory)
  var outputDir: String?

  func run() async throws {
    let root = try Self.rootPage()
    guard let outputDir else {
      guard let page = root.page(of: command) else {
        throw ValidationError("There is no command ‘\(command.joined(separator: " "))’.")
      }
      try Self.write(page, to: OutputFile())
      return
    }
    for page in root.all {
      try Self.write(page, to: OutputFile(path: "\(outputDir)/\(page.fileName)"))
    }
  }

  private static func write(_ page: ManualPage, to output: consuming OutputFile) throws {
    output.buffer.append(verbatim: page.roff)
    try output.finish()
  }

  /// Parses the argument parser's dump of all help.
  private static func rootPage() throws -> ManualPage {
    do {
      _ = try FencepostCommand.parseAsRoot(["--experimental-dump-help"])
    } catch {
      let dump = try JSONValue(parsing: FencepostCommand.fullMessage(for: error))
      if let command = dump["command"] {
        return ManualPage(root: command, version: FencepostCommand.configuration.version)
      }
    }
    throw CommandFailure(.software, "the argument parser gives no account of the commands")
  }
}
