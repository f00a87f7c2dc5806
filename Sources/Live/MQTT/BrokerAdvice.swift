import FencepostMQTT

/// Explains what a user can do about a broker's error.
struct BrokerAdvice: Sendable {
  let place: MQTTPlace

  /// The error and its remedy, in one sentence without a period.
  func sentence(about error: MQTTError) -> String {
    switch error.cause {
    case .login: login
    case .untrustedCertificate, .otherName, .missingCertificate, .refusedCertificate:
      certificate(error)
    case .authorityFile, .certificateFile, .keyFile: file(error)
    case .unencrypted:
      "port \(port) speaks no TLS; mqtt:// is an address without encryption, and 8883 the usual port with it"
    case .otherProtocol:
      "what answers on port \(port) speaks no MQTT; the usual ports are 1883, and 8883 with mqtts://"
    case .denied: "\(error); its access rules keep this topic from \(user)"
    case .endedHandshake:
      "\(error); if port \(port) has no encryption, the address begins with mqtt://"
    case .endedUnanswered:
      "\(error); if port \(port) is encrypted, the address begins with mqtts://"
    case .unanswered: "no answer came within 10 s; is port \(port) a broker's?"
    case .unknownHost: "no such host: ‘\(place.address.host)’ has no address on this network"
    case .closed, .other: error.description
    }
  }

  private var port: UInt16 { place.address.port }
  private var user: String { place.address.user.map { "‘\($0)’" } ?? "this user" }

  private var login: String {
    guard place.address.user != nil else {
      let scheme = place.address.isEncrypted ? "mqtts" : "mqtt"
      return "it lets nobody in without a name and a password; the name goes into the address "
        + "(\(scheme)://USER@HOST), the password into the file of \(place.passwordOption)"
    }
    guard place.password != nil else {
      return "it does not let \(user) in without a password; \(place.passwordOption) names its file"
    }
    return
      "it does not let \(user) in; the name or the password is wrong, or it keeps this user out"
  }

  private func certificate(_ error: MQTTError) -> String {
    switch error.cause {
    case .otherName:
      return
        "its certificate is for another name than ‘\(place.address.host)’; the address needs the "
        + "name that is in it"
    case .untrustedCertificate:
      guard let path = place.security.authorityPath else {
        return
          "its certificate is not trusted: it is out of date, or by an authority that this system "
          + "does not know; --mqtt-ca names a file of others"
      }
      return "its certificate is not trusted: it is out of date, or by no authority in \(path)"
    default:
      guard let path = place.security.certificatePath, error.cause == .refusedCertificate else {
        return "it asks for a certificate; --mqtt-cert and --mqtt-key give one"
      }
      return "it does not accept the certificate in \(path)"
    }
  }

  private func file(_ error: MQTTError) -> String {
    let security = place.security
    switch error.cause {
    case .authorityFile:
      return
        "\(security.authorityPath ?? "the system") has no certificates in PEM, which --mqtt-ca needs"
    case .certificateFile:
      return
        "\(security.certificatePath ?? "a file") has no certificate in PEM, which --mqtt-cert needs"
    default:
      return "\(security.keyPath ?? "a file") is no key in PEM, or not that of the certificate in "
        + "\(security.certificatePath ?? "--mqtt-cert")"
    }
  }
}
