import ArgumentParser
import FencepostFormats
import Fencepost
import FencepostFiles
import FencepostLive
import FencepostReporting
import FoundationEssentials
import Glibc

struct LiveArguments: ParsableArguments {
  @Option(
    help: .value(
      "rate", "Speed of a serial line, from 50 to 4000000, or \"auto\".",
      "\"auto\" tries 9600, 4800, 38400, 115200, 57600 and 19200 until checksums are right."),
    completion: .list(["auto"] + BaudRate.standardRates.map(String.init)), transform: Self.baud)
  var baud = BaudRate.auto

  @Option(
    "duration", "Reopen a source after this much silence. \"none\" waits forever.",
    "Default: 1 minute for gpsd and tcp, none for the others.")
  var idleTimeout: OrNone<DurationArgument>?

  @Option(
    "name", "Read one JSON object per line. This member names its device.",
    "Each device is followed separately.")
  var deviceField: String?

  @OptionGroup var owntracks: OwnTracksArguments

  @Option(
    "file", "Keep the session in FILE, so that it resumes after a restart.", completion: .file())
  var state: String?

  @Option(
    "file", "Keep the raw input in a file per day (UTC), to replay it later.",
    "For example, --log walk.nmea writes walk-2026-03-04.nmea.",
    completion: .file())
  var log: String?

  @Option("name", "Name of the walk in every event. Default: the source, or stdin.")
  var track: String?

  private static func baud(_ text: String) throws -> BaudRate {
    guard let rate = BaudRate(text) else {
      let rates = BaudRate.standardRates.map(String.init).joined(separator: ", ")
      throw ValidationError("not a standard rate; use auto or one of \(rates)")
    }
    return rate
  }

  /// The limit of silence in milliseconds; nil for none.
  func idleTimeoutMilliseconds(for address: LiveAddress) -> Int? {
    if let idleTimeout { return idleTimeout.value.map { Int($0.milliseconds) } }
    switch address {
    case .gpsd, .tcp: return 60_000
    case .device, .standardInput, .udp, .intake: return nil
    }
  }

  func validate() throws {
    try require(
      idleTimeout?.value?.milliseconds ?? 1 >= 1, "--idle-timeout must be longer than 0, or none")
    try require(deviceField?.isEmpty != true, "--device-field must not be empty")
  }
}

/// Keys for encrypted OwnTracks messages.
struct OwnTracksArguments: ParsableArguments {
  @Option(
    "file", "Read the encryption keys of OwnTracks from FILE, one per line.",
    "The keys are tried in turn.",
    completion: .file())
  var owntracksKeys: String?

  func keys() throws -> OwnTracksKeys? {
    guard let path = owntracksKeys else { return nil }
    let text = try InputFile.strictText(of: path)
    do { return try OwnTracksKeys(text) } catch { throw CommandFailure(error, reading: path) }
  }
}

/// Which events go to the output, and in what format.
struct LiveOutputArguments: ParsableArguments {
  /// The formats that can be written line by line.
  enum Form: String, CaseIterable, ExpressibleByArgument, OutputForm { case text, ndjson, csv }

  @Option("format", "text, ndjson or csv. Default: text on a terminal, ndjson elsewhere.")
  var format: Form?

  @Option(
    name: .shortAndLong, "file", "Append to FILE. \"-\" is standard output.", completion: .file())
  var output = "-"

  @Option(
    "list", "Report these events, separated by commas, or \"all\".",
    "alert, suppressed (an entry held back), enter, exit, dwell, refresh (a lookup of the "
      + "nearest stories), summary.")
  var events = EventSelection.standard

  /// Opens the output and applies the options.
  func apply(to options: inout LiveOptions) throws(OutputFailure) {
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
    case .text: options.form = .text(isTerminal ? .terminal : TextLayout())
    }
  }
}
