#if Command
import FencepostGeodesy
import FencepostMQTT

/// A broker and a topic, as users write them: `mqtt://[USER@]HOST[:PORT]/TOPIC`.
///
/// `mqtts://` stands for an encrypted connection. The topic may have wildcards where fixes are
/// read, but not where alerts are published.
package struct MQTTAddress: Equatable, Sendable {
  /// The broker's host name or address, not empty, without brackets.
  package var host: String
  /// The broker's port, 1 to 65,535.
  package var port: UInt16
  /// The user's name; nil to sign in without one.
  package var user: String?
  /// Whether the connection is encrypted.
  package var isEncrypted: Bool
  /// The topic or topic filter; empty if the address has none.
  package var topic: String

  /// What is wrong with an address.
  ///
  /// Commands print it beside the option that has the address.
  package struct Fault: Error, CustomStringConvertible, Sendable {
    /// A sentence without a period that never contains a password.
    package let description: String
  }

  /// Whether two addresses have the same user and broker, and so the same password.
  package func isSameLogin(as other: MQTTAddress) -> Bool {
    (host, port, user) == (other.host, other.port, other.user)
  }

  /// Whether a text begins as the address of a broker does.
  package static func isBroker(_ text: String) -> Bool {
    text.hasPrefix("mqtt://") || text.hasPrefix("mqtts://")
  }

  /// Whether `text` is a topic: not empty, and without wildcards (MQTT 3.1.1, section 4.7).
  package static func isTopic(_ text: String) -> Bool {
    isFilter(text) && !text.contains("#") && !text.contains("+")
  }

  /// Whether `text` is a topic filter, where `+` stands for one whole level, and `#`, which must
  /// come last, for all remaining levels.
  package static func isFilter(_ text: String) -> Bool {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return !text.isEmpty && text.utf8.count <= 65_535 && !text.utf8.contains(0)
      && levels.dropLast().allSatisfy { !$0.contains("#") }
      && levels.allSatisfy { level in
        level == "#" || level == "+" || !(level.contains("#") || level.contains("+"))
      }
  }

  /// Parses an address, taking the topic literally, without escapes.
  ///
  /// The default port is 1883, or 8883 if encrypted.
  ///
  /// - Throws: ``Fault``, also if the address has a password, which other users could see in the
  ///   list of processes.
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
      throw Fault(description: "“\(place)” must be HOST or HOST:PORT")
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

/// A broker's address and what else is needed to connect to it.
///
/// The password comes from a file and never from the address, so that it appears in no list of
/// processes.
package struct MQTTPlace: Sendable {
  /// The broker, the user and the topic.
  package var address: MQTTAddress
  /// The user's password; nil to connect without one.
  package var password: String?
  private(set) var security = MQTTOptions.Security()
  /// The client's name at the broker; must survive restarts if the broker keeps a session.
  package var clientID: String
  /// Whether the broker keeps a session, with messages that arrive while this program is away.
  package var keepsSession = false
  /// The option that names the password file, for messages.
  package var passwordOption = "--mqtt-password-file"

  /// Creates a place without a password or certificates.
  package init(address: MQTTAddress, clientID: String) {
    self.address = address
    self.clientID = clientID
  }

  /// Sets the PEM files of an encrypted connection; without `authorityPath`, trusts the system's.
  package mutating func secure(
    authorityPath: String?, certificatePath: String?, keyPath: String?
  ) {
    security.authorityPath = authorityPath
    security.certificatePath = certificatePath
    security.keyPath = keyPath
  }

  /// Derives a client name that stays the same at each start.
  ///
  /// - Returns: At most 22 letters and digits, which every broker accepts.
  package static func clientID(_ parts: [String]) -> String {
    var hash = StableHash()
    for part in parts { hash.combine(Array(part.utf8) + [0]) }
    return "fencepost" + String(hash.value, radix: 36)
  }

  var options: MQTTOptions {
    var options = MQTTOptions(host: address.host, port: address.port, clientID: clientID)
    options.keepsSession = keepsSession
    options.user = address.user
    options.password = password
    if address.isEncrypted { options.security = security }
    return options
  }

  /// An error with what a user can do about it, in one sentence without a period.
  func advice(on error: MQTTError) -> String {
    let port = address.port
    let user = address.user.map { "“\($0)”" } ?? "this user"
    return switch error.cause {
    case .login where address.user == nil:
      "it requires a user name and a password; put the name in the address "
        + "(\(address.isEncrypted ? "mqtts" : "mqtt")://USER@HOST) and the password in a file for "
        + passwordOption
    case .login where password == nil:
      "it requires a password for \(user); put it in a file for \(passwordOption)"
    case .login:
      "it does not let \(user) in; the name or password is wrong, or this user is not allowed"
    case .untrustedCertificate:
      "its certificate is not trusted: it has expired, or "
        + (security.authorityPath.map { "no authority in \($0) signed it" }
          ?? "is signed by an authority that this system does not know; to trust others, use "
          + "--mqtt-ca")
    case .otherName:
      "its certificate is not for “\(address.host)”; use the host name that is in the certificate"
    case .refusedCertificate where security.certificatePath != nil:
      "it rejects the certificate in \(security.certificatePath ?? "")"
    case .missingCertificate, .refusedCertificate:
      "it requires a certificate; use --mqtt-cert and --mqtt-key"
    case .authorityFile:
      "\(security.authorityPath ?? "the system") has no PEM certificates, which --mqtt-ca needs"
    case .certificateFile:
      "\(security.certificatePath ?? "a file") has no PEM certificate, which --mqtt-cert needs"
    case .keyFile:
      "\(security.keyPath ?? "a file") is not a PEM key, or not the key of the "
        + "certificate in \(security.certificatePath ?? "--mqtt-cert")"
    case .unencrypted:
      "port \(port) does not speak TLS; use mqtt:// for no encryption, or try port 8883"
    case .otherProtocol:
      "the server on port \(port) does not speak MQTT; the usual ports are 1883, "
        + "and 8883 for mqtts://"
    case .denied: "\(error); its access rules do not let \(user) read this topic"
    case .endedHandshake: "\(error); if port \(port) is not encrypted, use mqtt://"
    case .endedUnanswered: "\(error); if port \(port) is encrypted, use mqtts://"
    case .unanswered: "no answer within 10 s; is there a broker on port \(port)?"
    case .unknownHost: "no such host: “\(address.host)” has no address on this network"
    case .closed, .other: error.description
    }
  }
}
#endif
