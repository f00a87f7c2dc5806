import ArgumentParser
import Glibc

/// The options of every command that gives a short account of what it did or found.
struct AccountArguments: ParsableArguments {
  /// The forms of the account.
  enum Format: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Sentences for people.
    case text
    /// One JSON object.
    case ndjson
  }

  @Option(
    help: ArgumentHelp(
      "The form of the account.",
      discussion: "The default is text on a terminal and ndjson elsewhere."))
  var format: Format?

  /// The form that is meant.
  var chosenFormat: Format {
    format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .ndjson)
  }
}
