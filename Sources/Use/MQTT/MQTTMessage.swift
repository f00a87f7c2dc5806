/// A message received from a broker, or to be published.
///
/// A message is delivered at least once, so its receiver may see it again.
package struct MQTTMessage: Equatable, Sendable {
  /// The topic, in levels separated by slashes.
  package var topic: String
  /// The contents, which may be any bytes and may be empty.
  package var payload: [UInt8]
  /// Whether the broker keeps the message for later subscribers, or has kept it.
  package var isRetained: Bool

  /// Creates a message, which the broker forgets after delivery unless it is retained.
  package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}

/// How a client connects to a broker, and what the broker remembers of it.
///
/// The version is MQTT 3.1.1, and every subscription has quality of service 1.
package struct MQTTOptions: Sendable {
  /// Whom an encrypted connection trusts, and how the client proves who it is.
  ///
  /// The files are read anew for each connection, so a renewed certificate needs no restart.
  package struct Security: Equatable, Sendable {
    /// The trusted authorities, as a PEM file; nil trusts the system's.
    package var authorityPath: String?
    /// The client certificate, as a PEM file; nil for none.
    package var certificatePath: String?
    /// The private key of the client certificate, as a PEM file.
    package var keyPath: String?

    /// Trusts the system's authorities and sends no client certificate.
    package init() {}
  }

  /// The broker's name or address.
  package var host: String
  /// The broker's port, by custom 1883, or 8883 with encryption.
  package var port: UInt16
  /// Identifies the client's session at the broker; must be unique there.
  package var clientID: String
  /// Whether the broker keeps subscriptions and messages while the client is disconnected.
  package var keepsSession = false
  /// The user's name; nil to log in without one.
  package var user: String?
  /// The password; not sent without a user name.
  package var password: String?
  /// Nil for an unencrypted connection.
  package var security: Security?
  /// The last will, published if the connection breaks without a clean disconnect.
  package var will: MQTTMessage?

  /// Creates options for an unencrypted connection without a user.
  package init(host: String, port: UInt16, clientID: String) {
    self.host = host
    self.port = port
    self.clientID = clientID
  }
}
