import FencepostFiles
import ArgumentParser
import Fencepost
import FencepostFormats
import Glibc
import FencepostLive
import FencepostNotifications
import FencepostReporting

/// Which events go to the output, and in what form.
struct LiveOutputArguments: ParsableArguments {
  /// The forms that can be written line by line.
  enum Form: String, CaseIterable, ExpressibleByArgument, OutputForm {
    case text, ndjson, csv
  }

  @Option(
    help: ArgumentHelp(
      "The form of the lines; by default text on a terminal and ndjson elsewhere."))
  var format: Form?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where the lines go; ‘-’ is standard output. A file is appended to.", valueName: "file"),
    completion: .file())
  var output = "-"

  @Option(
    help: ArgumentHelp(
      "What is reported: alert, suppressed, enter, exit, dwell, refresh, summary, with commas, or all.",
      valueName: "list"))
  var events = EventSelection.standard

  /// Opens the output and applies the options.
  ///
  /// - Parameters:
  ///   - options: The options of the session.
  ///   - zone: Whose clock the times of a table are of.
  /// - Throws: `OutputFailure` if the file cannot be opened.
  func apply(to options: inout LiveOptions, zone: ClockZone) throws(OutputFailure) {
    options.selection = events
    if output != "-" {
      let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY
      // The name is valid until the call returns.
      let descriptor = unsafe open(output.fileNameBytes, flags, 0o666)
      guard descriptor >= 0 else { throw OutputFailure(path: output, code: errno) }
      options.output = (descriptor, output)
    }
    let isTerminal = isatty(options.output.descriptor) == 1
    switch format ?? Form(endingOf: output) ?? (isTerminal ? .text : .ndjson) {
    case .ndjson: options.form = .ndjson
    case .csv: options.form = .csv
    case .text: options.form = .text(isTerminal ? .terminal : TextLayout(), zone)
    }
  }
}
