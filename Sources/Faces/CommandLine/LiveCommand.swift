#if Command
import ArgumentParser
import FencepostSession
import FencepostFiles
import FencepostFixes
import FencepostLive
import FencepostReporting
import FencepostTracks
import Glibc

/// The command `live`: follows a receiver, a server or a broker and reports events as they happen.
///
/// ``FollowingArguments`` has what it shares with ``ServeCommand``. This type finds out what the
/// source is and refuses names that can never become one.
///
/// Exit status: 0 if the source ends, 65 if more fixes are rejected than kept, 66 if the source is
/// missing, 74 if an alert or the state is lost, and 130 or 143 after a signal.
struct LiveCommand: AsyncParsableCommand, ShowsUnits {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Report alerts while a receiver moves.",
    discussion: """
      SOURCE is one of these:
        -                            standard input
        /dev/ttyUSB0                 a serial device that sends NMEA 0183
        gpsd://HOST[:2947][/DEVICE]  gpsd
        tcp://HOST:PORT              a server
        udp://[HOST]:PORT            datagrams
        mqtt://[USER@]HOST[:1883]/owntracks/#
                                     a message broker; mqtts:// with encryption

      Fencepost recognizes NMEA 0183, gpsd JSON, OwnTracks JSON, CSV and GPX by their \
      content. It waits for a source that is lost.

      Each event is one line, written at once. The same bytes give the same events as \
      replay. Changes to the store take effect at the next lookup. SIGHUP triggers one, and reads \
      --rules and --places again.

      With --state, the session resumes at the next byte of its input, whatever ended it. No \
      alert is lost, and none is sent twice, except one that was being sent at that moment.

      A broker must send messages of OwnTracks, or what serve accepts. The topic names the \
      device. With --state, the broker keeps what comes while the program is away. It may \
      forget a message once the session has saved it.

      With --map, a browser shows where you are, the path, the watched circles and each \
      alert.

      Ctrl-C (SIGINT) and SIGTERM end the session within a second, with a summary. The exit \
      status is then 130 or 143. If the source ends by itself, it is 0; 65 if more fixes \
      were rejected than kept; 74 if an alert was not delivered or the state not saved.

      Examples:
        fencepost live gpsd://localhost --store stories.sqlite --state walk.state
        fencepost live /dev/ttyUSB0 --store stories.sqlite --map 127.0.0.1:8080
      """)

  @Argument(
    help: .value("source", "Where the fixes come from, such as gpsd://localhost or /dev/ttyUSB0."))
  var source: String

  @OptionGroup(title: "Source") var connection: LiveArguments
  @OptionGroup(title: "Map") var map: MapArguments
  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup var following: FollowingArguments

  var shownUnits: ShownUnits { following.units.units }

  /// Checks that the source can exist, and that its options fit its kind.
  ///
  /// A device may be missing, since receivers are plugged in later. A name that looks like a server
  /// or a topic without its scheme is refused with the address that was probably meant.
  func validate() throws {
    if MQTTAddress.isBroker(source) {
      try following.brokers.check(source: try MQTTArguments.check(source: source))
      return try require(
        connection.deviceField == nil && connection.idleTimeout == nil,
        "--device-field and --idle-timeout cannot be used with a source that begins with mqtt://")
    }
    try require(
      following.brokers.mqttClientId == nil,
      "--mqtt-client-id can only be used with a source that begins with mqtt://, not “\(source)”")
    try following.brokers.check(source: nil)
    try require(
      following.maxDevices == nil || connection.deviceField != nil,
      "--max-devices needs --device-field, or a source that begins with mqtt://")
    let schemes = ["gpsd", "tcp", "udp", "mqtt", "mqtts"]
    if let scheme = schemes.first(where: { source.hasPrefix("\($0):") }),
      !source.hasPrefix("\(scheme)://"), Self.kind(of: source) == nil
    {
      let rest = source.dropFirst(scheme.count + 1).drop { $0 == "/" }
      throw ValidationError(
        "no such file: “\(source)”. For an address, write \(scheme)://\(rest), with two slashes.")
    }
    guard let address = LiveAddress(source) else {
      throw ValidationError(
        "unknown source “\(source)”. Use -, a device, gpsd://HOST, tcp://HOST:PORT, udp://:PORT or "
          + "mqtt://HOST.")
    }
    // The session waits for a missing device, but would wait forever for a mistyped server.
    guard case .device(let path) = address, Self.kind(of: path) == nil else { return }
    if let meant = Self.meant(by: path) {
      throw ValidationError("no such file: “\(path)”. Did you mean \(meant)?")
    }
    try require(
      !LiveAddress.isHostAndPort(path),
      "no such file: “\(path)”. Write gpsd://\(path) for gpsd, mqtt://\(path) for a message "
        + "broker, or tcp://\(path) for any other server.")
    try require(
      !LiveAddress.isHostAndPort(String(path.prefix { $0 != "/" })),
      "no such file: “\(path)”. For a topic of a message broker, write mqtt://\(path)")
  }

  /// Follows a broker's devices, or the single source.
  func run() async throws {
    if MQTTAddress.isBroker(source) { return try await followBroker() }
    try following.checkFiles(reading: source, state: connection.state)
    try await following.follow(try options(), statePath: connection.state, web: try map.place())
  }

  /// Follows the devices whose messages a broker forwards.
  private func followBroker() async throws {
    try following.checkFiles(reading: nil, state: connection.state)
    let place = try following.brokers.source(source, statePath: connection.state)
    let intake = FixIntake()
    var options = try following.options(
      .intake(intake), name: place.address.name, statePath: connection.state, broker: place.address)
    if let track = connection.track { options.track = track }
    // Messages are rewritten with the device in this member.
    options.deviceField = "device"
    var settings = MQTTIntakeOptions(place: place) { StandardError.say($0) }
    settings.fixes = options.fixes
    settings.isVerbose = following.verbose
    try await following.follow(
      options, statePath: connection.state, web: try map.place(),
      broker: MQTTIntake(settings, intake: intake))
  }

  /// The options of a session that reads the source itself, rather than through a broker.
  private func options() throws -> LiveOptions {
    guard let address = LiveAddress(source) else { throw ExitStatus.usage }
    var options = try following.options(address, name: source, statePath: connection.state)
    if let track = connection.track { options.track = track }
    if case .device(let path) = address {
      let kind = Self.kind(of: path)
      if kind == S_IFDIR { throw CommandFailure(.inputMissing, "\(path): is a directory") }
      // Noise at the wrong speed must not be recognized as a format. A missing device counts as a
      // line.
      if kind == nil || kind == S_IFCHR { options.fixes.format = .nmea }
    }
    options.deviceField = connection.deviceField
    options.baud = connection.baud
    options.idleTimeoutMilliseconds = connection.idleTimeoutMilliseconds(for: address)
    return options
  }

  /// The source that was probably meant by the name of a file that does not exist.
  static func meant(by name: String) -> String? {
    switch name.lowercased() {
    case "gpsd", "localhost": return "gpsd://localhost"
    case "stdin": return "- (standard input)"
    default: break
    }
    if name.hasPrefix("dev/") { return "/" + name }
    // The receiver may not be plugged in yet.
    let isDevice = ["tty", "rfcomm", "serial", "gps"].contains { name.hasPrefix($0) }
    let device = "/dev/" + name
    guard !name.contains("/"), !name.contains("."), isDevice || kind(of: device) != nil else {
      return nil
    }
    return device
  }

  /// What a path leads to, as one of the system's `S_IFMT` kinds; nil if nothing is there.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    // `status` is a local variable of the size that the system expects.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }
}

/// The options of `live` about its source, and where it keeps its session.
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

  @Option(
    "file", "Keep the session in FILE, so that it resumes after a restart.", completion: .file())
  var state: String?

  @Option("name", "Name of the walk in every event. Default: the source, or stdin.")
  var track: String?

  /// Parses the speed of a serial line, so that the parser's message can list the valid ones.
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

/// Where `live` and `serve` write events, in which format, and which ones.
///
/// Unlike ``OutputArguments``, the file is appended to and written line by line.
struct LiveOutputArguments: ParsableArguments {
  /// The formats that can be written line by line.
  enum Form: String, CaseIterable, ExpressibleByArgument, OutputForm { case text, ndjson, csv }

  @Option("format", "text, ndjson or csv. Default: text on a terminal, ndjson elsewhere.")
  var format: Form?

  @Option(
    name: .shortAndLong, "file", "Append to FILE. \"-\" is standard output.",
    "SIGHUP opens FILE again, so that it can be rotated.", completion: .file())
  var output = "-"

  @Option(
    "list", "Report these events, separated by commas, or \"all\".",
    "alert, suppressed (an entry held back), enter, exit, dwell, refresh (a lookup of the "
      + "nearest stories), summary.")
  var events = EventSelection.standard

  /// Opens the output and sets its format.
  ///
  /// The format is the chosen one, else that of the file's ending, else text on a terminal and
  /// ndjson elsewhere.
  func apply(to options: inout LiveOptions) throws(OutputFailure) {
    options.selection = events
    if output != "-" { options.output = try LiveOutput(path: output) }
    let isTerminal = options.output.isTerminal
    switch format ?? Form(endingOf: output) ?? (isTerminal ? .text : .ndjson) {
    case .ndjson: options.form = .ndjson
    case .csv: options.form = .csv
    case .text: options.form = .text(isTerminal ? .terminal : TextLayout())
    }
  }
}
#endif
