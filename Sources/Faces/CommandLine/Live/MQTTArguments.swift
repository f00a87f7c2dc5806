#if Command
import ArgumentParser
import FencepostLive
import FoundationEssentials
import Glibc

/// The options for message brokers, of a source, of a sink, or of both.
///
/// `live` follows devices whose messages a broker forwards (``source(_:statePath:)``). `live` and
/// `serve` publish alerts to one (``sink(statePath:source:)``). Certificates are shared by both;
/// passwords are shared only if both log in as the same user of the same broker.
struct MQTTArguments: ParsableArguments {
  @Option(
    "url", "Publish each alert to this topic, such as mqtt://localhost/fencepost/alerts.",
    """
    Alerts are JSON as in the output, sent at least once (QoS 1). TOPIC/status says \
    "online" while the program runs and "offline" afterwards, however it ends.
    """)
  var mqtt: String?

  @Flag(help: "Let the broker of --mqtt keep the last alert for later subscribers.")
  var mqttRetain = false

  @Flag(help: "Announce the alerts of --mqtt to Home Assistant.")
  var mqttDiscovery = false

  @Option("topic", "Topic where Home Assistant looks for the announcement.")
  var mqttDiscoveryPrefix = Self.standardDiscoveryPrefix

  @Option(
    "file", "Read the password of the broker's user from the first line of FILE.",
    "The address names the user. The variable FENCEPOST_MQTT_PASSWORD does the same.",
    completion: .file())
  var mqttPasswordFile: String?

  @Option(
    "file", "Read the password of the user of --mqtt from the first line of FILE.",
    "Use it if an mqtt:// source has another broker or user: each is sent only its own "
      + "password. The variable FENCEPOST_MQTT_SINK_PASSWORD does the same.", completion: .file())
  var mqttSinkPasswordFile: String?

  @Option(
    "file", "Trust the certificates in this PEM file for mqtts://. Default: those of the system.",
    completion: .file())
  var mqttCa: String?

  @Option("file", "Show the certificate in this PEM file to the broker.", completion: .file())
  var mqttCert: String?

  @Option("file", "Use the key in this PEM file with --mqtt-cert.", completion: .file())
  var mqttKey: String?

  @Option(
    "name", "Connect to the broker of an mqtt:// source under this name.",
    """
    With --state, the broker keeps a session under this name. By default the name is made \
    from the name of this machine, the address and the state file, and is printed at the \
    start.
    """)
  var mqttClientId: String?

  /// The files to read, so that no output overwrites them.
  var files: [String] {
    [mqttPasswordFile, mqttSinkPasswordFile, mqttCa, mqttCert, mqttKey].compactMap { $0 }
  }

  /// The sink, if any, of a session that may also follow a broker.
  ///
  /// Its client id is made from the machine, the address and the state file, and so is the same
  /// after a restart.
  func sink(statePath: String?, source: MQTTAddress?) throws -> LiveOptions.Sink? {
    guard let mqtt else { return nil }
    let address = try Self.address(mqtt, option: "--mqtt: ")
    let id = MQTTPlace.clientID(["sink", Self.machine, address.name, Self.whole(statePath)])
    var place = try place(address, clientID: id, password: try sinkPassword(address, source))
    if source.map({ !$0.isSameLogin(as: address) }) ?? false {
      place.passwordOption = "--mqtt-sink-password-file"
    }
    return .mqtt(
      place, isRetained: mqttRetain, discoveryPrefix: mqttDiscovery ? mqttDiscoveryPrefix : nil)
  }

  /// Where a source connects; with a state, the broker keeps a session.
  ///
  /// Without a state, the client id is a new one each time unless the user names one, so that two
  /// programs can follow the same topics.
  func source(_ text: String, statePath: String?) throws -> MQTTPlace {
    var address = try Self.address(text, option: "")
    if address.topic.isEmpty { address.topic = MQTTIntake.defaultTopic }
    // Without a session, two programs may follow the same topics side by side.
    let own = statePath == nil ? UUID().uuidString : Self.whole(statePath)
    let id = mqttClientId ?? MQTTPlace.clientID([Self.machine, address.name, own])
    var place = try place(address, clientID: id, password: try password())
    place.keepsSession = statePath != nil
    return place
  }

  /// Where to connect, with the user's certificates.
  ///
  /// - Throws: ``CommandFailure`` with status 66 if one of the files cannot be read.
  private func place(
    _ address: MQTTAddress, clientID: String, password: String?
  ) throws -> MQTTPlace {
    // The paths are valid until the calls return.
    for path in files where unsafe access(path, R_OK) != 0 {
      throw CommandFailure(.inputMissing, "\(path): cannot be read")
    }
    var place = MQTTPlace(address: address, clientID: clientID)
    place.password = password
    place.secure(authorityPath: mqttCa, certificatePath: mqttCert, keyPath: mqttKey)
    return place
  }

  private func password() throws -> String? {
    try Self.password(mqttPasswordFile, or: "FENCEPOST_MQTT_PASSWORD")
  }

  /// The sink's own password, or the source's if both have the same user and broker.
  private func sinkPassword(_ sink: MQTTAddress, _ source: MQTTAddress?) throws -> String? {
    if let own = try Self.password(mqttSinkPasswordFile, or: "FENCEPOST_MQTT_SINK_PASSWORD") {
      return own
    }
    guard let source, !source.isSameLogin(as: sink) else { return try password() }
    if sink.user != nil, try password() != nil {
      throw ValidationError(
        "--mqtt names another broker or user than the source. Put its password into a "
          + "file for --mqtt-sink-password-file.")
    }
    return nil
  }

  private static func password(_ path: String?, or variable: String) throws -> String? {
    try path.map(InputFile.firstLine) ?? Terminal.variable(variable)
  }

  /// The name of this machine; empty if it is unknown.
  private static var machine: String {
    var name = [CChar](repeating: 0, count: 256)
    // The system writes no more bytes than the array has.
    guard unsafe gethostname(&name, name.count) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// An absolute path, which is the same from every folder.
  private static func whole(_ path: String?) -> String {
    path.map { URL(fileURLWithPath: $0).standardizedFileURL.path } ?? ""
  }

  private static func address(_ text: String, option: String) throws -> MQTTAddress {
    do throws(MQTTAddress.Fault) {
      return try MQTTAddress(text)
    } catch {
      throw ValidationError("\(option)\(error)")
    }
  }

  /// Checks the address of a source, whose topic may have wildcards or be empty.
  static func check(source text: String) throws -> MQTTAddress {
    let address = try address(text, option: "")
    let topic = address.topic
    try require(
      topic.isEmpty || MQTTAddress.isFilter(topic),
      "“\(topic)” is not a topic filter. Write # only at the end, and + for a whole level.")
    return address
  }

  /// Checks that every option has an effect, given the broker that the session follows, if any.
  func check(source: MQTTAddress?) throws {
    let sink = try mqtt.map { try Self.address($0, option: "--mqtt: ") }
    let addresses = [source, sink].compactMap(\.self)
    let securing = Self.given([
      ("--mqtt-ca", mqttCa), ("--mqtt-cert", mqttCert), ("--mqtt-key", mqttKey),
    ])
    let logging = Self.given([
      ("--mqtt-password-file", mqttPasswordFile),
      ("--mqtt-sink-password-file", mqttSinkPasswordFile),
    ])
    if addresses.isEmpty, let option = (logging + securing).first {
      throw ValidationError("\(option) needs a message broker: a source mqtt://HOST, or --mqtt")
    }
    if let option = securing.first, !addresses.contains(where: \.isEncrypted) {
      throw ValidationError(
        "\(option) needs an encrypted connection, whose address begins with mqtts://")
    }
    if let option = logging.first, !addresses.contains(where: { $0.user != nil }) {
      throw ValidationError("\(option) needs the user's name in the address: mqtt://USER@HOST")
    }
  }

  /// The names of the options that have a value.
  private static func given(_ options: [(name: String, value: String?)]) -> [String] {
    options.filter { $0.value != nil }.map(\.name)
  }

  private static let standardDiscoveryPrefix = "homeassistant"

  /// Checks what does not depend on the source; ``check(source:)`` checks the rest.
  func validate() throws {
    if let mqtt {
      let topic = try Self.address(mqtt, option: "--mqtt: ").topic
      try require(
        MQTTAddress.isTopic(topic),
        "--mqtt: the address must end in a topic, such as /fencepost/alerts")
    } else if let option = Self.given([
      ("--mqtt-retain", mqttRetain ? "" : nil), ("--mqtt-discovery", mqttDiscovery ? "" : nil),
      ("--mqtt-sink-password-file", mqttSinkPasswordFile),
    ]).first {
      throw ValidationError("\(option) needs --mqtt")
    }
    try require(
      mqttDiscovery || mqttDiscoveryPrefix == Self.standardDiscoveryPrefix,
      "--mqtt-discovery-prefix needs --mqtt-discovery")
    try require(MQTTAddress.isTopic(mqttDiscoveryPrefix), "--mqtt-discovery-prefix must be a topic")
    try require(
      (mqttCert == nil) == (mqttKey == nil), "--mqtt-cert and --mqtt-key must be used together")
    if mqttClientId?.isEmpty == true { throw ValidationError("--mqtt-client-id must not be empty") }
  }
}
#endif
