import FencepostTracks
import ArgumentParser
import FencepostFixes
import Glibc
import FencepostLive

struct LiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Report alerts as a receiver moves.",
    discussion: """
      The source is ‘-’ (standard input, as in gpspipe -w | fencepost live -), a serial device such as \
      /dev/ttyUSB0, gpsd://HOST[:2947][/DEVICE], tcp://HOST:PORT, udp://[HOST]:PORT, or a message broker: \
      mqtt://[USER@]HOST[:1883]/owntracks/# or mqtts:// with encryption. What comes is \
      recognised by its content: NMEA 0183, gpsd JSON, OwnTracks JSON, CSV, GPX; a serial device \
      speaks NMEA 0183. A source that is lost is waited for.

      Each event is a line, written at once. The same bytes give the same events as replay. SIGHUP has \
      the store asked anew; an edit is otherwise seen at the next refresh.

      With --state the session survives whatever ends it, and goes on with the next byte of its \
      input: no alert is lost, and none comes again because of the restart, except one that was on \
      its way out at the very moment.

      A broker's messages are those of OwnTracks or anything that serve takes; the topic names the device. \
      With --state the broker keeps what comes while the program is away, and may forget a message once the \
      session has saved it.

      With --map a browser shows where you are, the path, the monitored circles and each alert.

      SIGINT (Ctrl-C) and SIGTERM end it within a second, with a summary; the exit status is 130 or \
      143 then. Where the source ends by itself it is 0, 65 if more was refused than kept, and 74 if an \
      alert never reached a sink or the state is not saved.

      Example:
        fencepost live gpsd://localhost --store stories.sqlite --state walk.state
      """)

  @Argument(help: .value("source", "Where the fixes come from."))
  var source: String

  @OptionGroup(title: "Source")
  var connection: LiveArguments

  @OptionGroup(title: "Map")
  var map: MapArguments

  @OptionGroup var rulesFile: RulesFileArguments

  @OptionGroup var following: FollowingArguments

  func validate() throws {
    if MQTTAddress.isBroker(source) { return try validateBroker() }
    for (option, value) in [
      ("--mqtt-client-id", following.brokers.mqttClientId),
      ("--owntracks-keys", connection.owntracks.owntracksKeys),
    ] where value != nil {
      throw ValidationError("\(option) belongs to a source mqtt://, which ‘\(source)’ is not")
    }
    try following.brokers.check(source: nil)
    if let scheme = Self.schemes.first(where: { source.hasPrefix("\($0):") }),
      !source.hasPrefix("\(scheme)://"), Self.kind(of: source) == nil
    {
      let rest = source.dropFirst(scheme.count + 1).drop { $0 == "/" }
      throw ValidationError(
        "‘\(source)’ is no file; an address has two slashes: \(scheme)://\(rest)")
    }
    guard let address = LiveAddress(source) else {
      throw ValidationError(
        "‘\(source)’ is no source; it is -, a device, gpsd://HOST, tcp://HOST:PORT, udp://:PORT or "
          + "mqtt://HOST")
    }
    // The session waits for a missing device, but would wait forever for a mistyped server.
    guard case .device(let path) = address, Self.kind(of: path) == nil else { return }
    if LiveAddress.isHostAndPort(path) {
      throw ValidationError(
        "‘\(path)’ is no file; gpsd://\(path) is a gpsd there, mqtt://\(path) a message broker, "
          + "tcp://\(path) any other server")
    }
    if LiveAddress.isHostAndPort(String(path.prefix { $0 != "/" })) {
      throw ValidationError("‘\(path)’ is no file; mqtt://\(path) is a topic of a message broker")
    }
  }

  private static var schemes: [String] { ["gpsd", "tcp", "udp", "mqtt", "mqtts"] }

  private func validateBroker() throws {
    try following.brokers.check(source: try MQTTArguments.check(source: source))
    if connection.deviceField != nil || connection.idleTimeout != nil {
      throw ValidationError("--device-field and --idle-timeout are for sources other than mqtt://")
    }
  }

  func run() async throws {
    if MQTTAddress.isBroker(source) { return try await followBroker() }
    try following.checkFiles(reading: source, state: connection.state)
    try await following.follow(
      try options(), statePath: connection.state, web: try map.place())
  }

  /// Follows the devices whose messages a broker forwards.
  private func followBroker() async throws {
    try following.checkFiles(reading: nil, state: connection.state)
    let place = try following.brokers.source(source, statePath: connection.state)
    let intake = FixIntake()
    var options = try following.options(
      .intake(intake), name: place.address.name, statePath: connection.state,
      broker: place.address)
    if let track = connection.track { options.track = track }
    options.logPath = connection.log
    // Messages are rewritten with the device in this member.
    options.deviceField = "device"
    var settings = MQTTIntake.Options(place: place) { StandardError.say($0) }
    settings.fixes = options.fixes
    settings.keys = try connection.owntracks.keys()
    settings.isVerbose = following.verbose
    try await following.follow(
      options, statePath: connection.state, web: try map.place(),
      broker: MQTTIntake(settings, intake: intake))
  }

  private func options() throws -> LiveOptions {
    guard let address = LiveAddress(source) else { throw ExitStatus.usage }
    var options = try following.options(address, name: source, statePath: connection.state)
    if let track = connection.track { options.track = track }
    options.logPath = connection.log
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

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    // `status` is a local variable of the size that the system expects.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }
}
