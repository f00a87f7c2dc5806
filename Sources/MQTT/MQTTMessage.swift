/// A message that a broker passes on, or should.
package struct MQTTMessage: Equatable, Sendable {
  /// What it is about, in levels separated by slashes.
  package var topic: String
  /// Its content.
  package var payload: [UInt8]
  /// Whether the broker keeps it for those who subscribe later; of a received message, whether it
  /// was kept.
  package var isRetained: Bool

  /// Makes a message.
  package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}

/// Rules for the names of topics, from section 4.7 of MQTT 3.1.1.
package enum MQTTTopic {
  /// The most bytes of a topic or filter.
  package static var mostBytes: Int { 65_535 }

  /// Whether a text names one topic: not empty, without wildcards.
  package static func isTopic(_ text: String) -> Bool {
    isText(text) && !text.contains("#") && !text.contains("+")
  }

  /// Whether a text is a filter of topics: `+` stands for a whole level, and `#`, at the end, for
  /// all that follow.
  package static func isFilter(_ text: String) -> Bool {
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
package struct MQTTOptions: Sendable {
  /// How an encrypted connection is made.
  package struct Security: Equatable, Sendable {
    /// A file with the certificates of authorities to trust, in PEM; nil trusts those of the
    /// system.
    package var authorityPath: String?
    /// A file with the client's own certificate, in PEM; nil has none.
    package var certificatePath: String?
    /// A file with the key of that certificate, in PEM.
    package var keyPath: String?

    /// Trusts what the system trusts, and has no certificate of its own.
    package init() {}
  }

  /// The broker's name or address.
  package var host: String
  /// The broker's port.
  package var port: UInt16
  /// The client's name at the broker, which distinguishes its session from those of others.
  package var clientID: String
  /// Whether the broker keeps subscriptions and messages for the client while it is not connected.
  package var keepsSession = false
  /// The user's name, if the broker asks for one.
  package var user: String?
  /// The user's password, if the broker asks for one; without a user it is not sent.
  package var password: String?
  /// How the connection is encrypted; nil for no encryption.
  package var security: Security?
  /// What the broker publishes when the connection breaks without a farewell.
  package var will: MQTTMessage?

  /// Makes the options of an unencrypted connection.
  package init(host: String, port: UInt16, clientID: String) {
    self.host = host
    self.port = port
    self.clientID = clientID
  }
}
