import FencepostMQTT

/// A broker and what is said there, as users write it: `mqtt://[USER@]HOST[:PORT]/TOPIC`.
package struct MQTTAddress: Equatable, Sendable {
  /// The broker's name or address.
  package var host: String
  /// The broker's port.
  package var port: UInt16
  /// The user's name at the broker, if any.
  package var user: String?
  /// Whether the connection is encrypted: `mqtts://`.
  package var isEncrypted: Bool
  /// The topic, or the filter of topics; empty if the address has none.
  package var topic: String

  /// What is wrong with an address.
  package struct Fault: Error, CustomStringConvertible, Sendable {
    /// A sentence without a full stop that names no password.
    package let description: String
  }

  /// Whether two addresses are those of one user at one broker, so that one password serves both.
  package func isSameLogin(as other: MQTTAddress) -> Bool {
    (host, port, user) == (other.host, other.port, other.user)
  }

  /// Whether a text begins as an address of a broker does.
  package static func isBroker(_ text: String) -> Bool {
    text.hasPrefix("mqtt://") || text.hasPrefix("mqtts://")
  }

  /// Whether a text names one topic.
  package static func isTopic(_ text: String) -> Bool { MQTTTopic.isTopic(text) }

  /// Whether a text is a filter of topics, with `+` and `#` for any.
  package static func isFilter(_ text: String) -> Bool { MQTTTopic.isFilter(text) }

  /// Parses an address; the topic is taken as it stands, without escapes.
  ///
  /// The port is 1883 by default, and 8883 if encrypted.
  ///
  /// - Throws: ``Fault``, also for an address with a password, which others could read in the list of processes.
  package init(_ text: String) throws(Fault) {
    guard let rest = text.after("mqtts://") ?? text.after("mqtt://") else {
      throw Fault(description: "a broker's address must begin with mqtt:// or mqtts://")
    }
    isEncrypted = text.hasPrefix("mqtts://")
    let authority = rest.prefix { $0 != "/" }
    topic = String(rest.dropFirst(authority.count + 1))
    let at = authority.lastIndex(of: "@")
    if let at {
      let user = String(authority[..<at])
      guard !user.contains(":") else {
        throw Fault(
          description: "the address must not contain a password, which others could read there; "
            + "use --mqtt-password-file or FENCEPOST_MQTT_PASSWORD")
      }
      self.user = user.isEmpty ? nil : user
    }
    let place = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard let (host, port) = LiveAddress.hostAndPort(place), !host.isEmpty,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else {
      throw Fault(description: "‘\(place)’ must be HOST or HOST:PORT")
    }
    self.host = host
    self.port = port.flatMap { UInt16($0) } ?? (isEncrypted ? 8883 : 1883)
  }

  /// The address without the user, for messages and as the name of a track.
  package var name: String {
    let host = host.contains(":") ? "[\(host)]" : host
    let standard = isEncrypted ? 8883 : 1883
    return (isEncrypted ? "mqtts://" : "mqtt://") + host + (port == standard ? "" : ":\(port)")
      + (topic.isEmpty ? "" : "/\(topic)")
  }
}

/// A broker's address with what else is needed to connect to it.
package struct MQTTPlace: Sendable {
  /// The address.
  package var address: MQTTAddress
  /// The user's password, if any.
  package var password: String?
  /// How an encrypted connection is made.
  private(set) var security = MQTTOptions.Security()
  /// The client's name at the broker; it must be the same after a restart if the broker keeps a
  /// session for it.
  package var clientID: String
  /// Whether a source has the broker keep a session, with what comes while it is away.
  package var keepsSession = false
  /// The option that names the password's file, for messages.
  package var passwordOption = "--mqtt-password-file"

  /// Makes a place without a password.
  package init(address: MQTTAddress, clientID: String) {
    self.address = address
    self.clientID = clientID
  }

  /// Sets how an encrypted connection is made; all files are in PEM.
  ///
  /// - Parameters:
  ///   - authorityPath: A file with the certificates of authorities to trust; nil trusts those of the system.
  ///   - certificatePath: A file with the client's own certificate; nil has none.
  ///   - keyPath: A file with the key of that certificate.
  package mutating func secure(
    authorityPath: String?, certificatePath: String?, keyPath: String?
  ) {
    security.authorityPath = authorityPath
    security.certificatePath = certificatePath
    security.keyPath = keyPath
  }

  /// A client's name that is the same at each start, and differs between machines and purposes.
  ///
  /// - Parameter parts: What distinguishes the client from others.
  /// - Returns: At most 22 letters and digits, which every broker accepts.
  package static func clientID(_ parts: [String]) -> String {
    // FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo), which is the same at each start.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in Array(part.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return "fencepost" + String(hash, radix: 36)
  }

  var options: MQTTOptions {
    var options = MQTTOptions(host: address.host, port: address.port, clientID: clientID)
    options.keepsSession = keepsSession
    options.user = address.user
    options.password = password
    if address.isEncrypted { options.security = security }
    return options
  }
}
