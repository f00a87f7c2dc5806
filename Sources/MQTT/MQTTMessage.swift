/// A message that a broker passes on, or should.
public struct MQTTMessage: Equatable, Sendable {
  /// What it is about, in levels separated by slashes.
  public var topic: String
  /// Its content.
  public var payload: [UInt8]
  /// Whether the broker keeps it for those who subscribe later; of a received message, whether it
  /// was kept.
  public var isRetained: Bool

  /// Makes a message.
  public init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}

/// Rules for the names of topics, from section 4.7 of MQTT 3.1.1.
public enum MQTTTopic {
  /// The most bytes of a topic or filter.
  public static var mostBytes: Int { 65_535 }

  /// Whether a text names one topic: not empty, without wildcards.
  public static func isTopic(_ text: String) -> Bool {
    isText(text) && !text.contains("#") && !text.contains("+")
  }

  /// Whether a text is a filter of topics: `+` stands for a whole level, and `#`, at the end, for
  /// all that follow.
  public static func isFilter(_ text: String) -> Bool {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return isText(text)
      && levels.dropLast().allSatisfy { !$0.contains("#") }
      && levels.allSatisfy { level in
        level == "#" || level == "+" || !(level.contains("#") || level.contains("+"))
      }
  }

  private static func isText(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= mostBytes && !text.utf8.contains(0)
  }
}

/// How a client connects to a broker.
public struct MQTTOptions: Sendable {
  /// How an encrypted connection is made.
  public struct Security: Equatable, Sendable {
    /// A file with the certificates of authorities to trust, in PEM; nil trusts those of the
    /// system.
    public var authorityPath: String?
    /// A file with the client's own certificate, in PEM; nil has none.
    public var certificatePath: String?
    /// A file with the key of that certificate, in PEM.
    public var keyPath: String?

    /// Trusts what the system trusts, and has no certificate of its own.
    public init() {}
  }

  /// The broker's name or address.
  public var host: String
  /// The broker's port.
  public var port: UInt16
  /// The client's name at the broker, which distinguishes its session from those of others.
  public var clientID: String
  /// Whether the broker keeps subscriptions and messages for the client while it is not connected.
  public var keepsSession = false
  /// The user's name, if the broker asks for one.
  public var user: String?
  /// The user's password, if the broker asks for one; without a user it is not sent.
  public var password: String?
  /// How the connection is encrypted; nil for no encryption.
  public var security: Security?
  /// What the broker publishes when the connection breaks without a farewell.
  public var will: MQTTMessage?

  /// Makes the options of an unencrypted connection.
  public init(host: String, port: UInt16, clientID: String) {
    self.host = host
    self.port = port
    self.clientID = clientID
  }
}
