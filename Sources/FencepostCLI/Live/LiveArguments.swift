import ArgumentParser
import FencepostLive

/// The options of a live source and its state.
struct LiveArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The speed of a serial line: a standard rate, 50 to 4000000; auto tries until checksums hold.",
      discussion: "auto tries 9600, 4800, 38400, 115200, 57600 and 19200.",
      valueName: "rate"),
    completion: .list(["auto"] + BaudRate.standardRates.map(String.init)),
    transform: Self.baud)
  var baud = BaudRate.auto

  @Option(
    help: ArgumentHelp(
      "A source that is silent for longer is opened again; ‘none’ waits for ever.",
      discussion: "By default a minute for gpsd and tcp, none for the others.",
      valueName: "duration"))
  var idleTimeout: OrNone<DurationArgument>?

  @Option(
    help: ArgumentHelp(
      "The input is a JSON object a line, and this member names the device; each has an engine.",
      valueName: "name"))
  var deviceField: String?

  @OptionGroup
  var owntracks: OwnTracksArguments

  @Option(
    help: ArgumentHelp(
      "A file that the session is kept in, so that it goes on after a restart.",
      valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp(
      "Keep the raw input in a file for each day (UTC), to replay it later.",
      discussion: "--log walk.nmea writes walk-2026-03-04.nmea.",
      valueName: "file"),
    completion: .file())
  var log: String?

  @Option(
    help: ArgumentHelp(
      "The track's name in every event; by default the source, or stdin.", valueName: "name"))
  var track: String?

  private static func baud(_ text: String) throws -> BaudRate {
    guard let rate = BaudRate(text) else {
      let rates = BaudRate.standardRates.map(String.init).joined(separator: ", ")
      throw ValidationError("no standard rate; it is auto or one of \(rates)")
    }
    return rate
  }

  /// The limit of silence in milliseconds, nil for none.
  func idleTimeoutMilliseconds(for address: LiveAddress) -> Int? {
    if let idleTimeout { return idleTimeout.value.map { Int($0.milliseconds) } }
    switch address {
    case .gpsd, .tcp: return 60_000
    case .device, .standardInput, .udp, .intake: return nil
    }
  }

  func validate() throws {
    if let milliseconds = idleTimeout?.value?.milliseconds, milliseconds < 1 {
      throw ValidationError("--idle-timeout is longer than nothing, or none")
    }
    if deviceField?.isEmpty == true {
      throw ValidationError("--device-field names a member of the JSON objects")
    }
  }
}
