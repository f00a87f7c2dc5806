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
      "port \(port) does not speak TLS; use mqtt:// for no encryption, or try port 8883"
    case .otherProtocol:
      "the server on port \(port) does not speak MQTT; the usual ports are 1883, "
        + "and 8883 for mqtts://"
    case .denied: "\(error); its access rules do not let \(user) read this topic"
    case .endedHandshake:
      "\(error); if port \(port) is not encrypted, use mqtt://"
    case .endedUnanswered:
      "\(error); if port \(port) is encrypted, use mqtts://"
    case .unanswered: "no answer within 10 s; is there a broker on port \(port)?"
    case .unknownHost: "no such host: “\(place.address.host)” has no address on this network"
    case .closed, .other: error.description
    }
  }

  private var port: UInt16 { place.address.port }
  private var user: String { place.address.user.map { "“\($0)”" } ?? "this user" }

  private var login: String {
    guard place.address.user != nil else {
      let scheme = place.address.isEncrypted ? "mqtts" : "mqtt"
      return "it requires a user name and a password; put the name in the address "
        + "(\(scheme)://USER@HOST) and the password in a file for \(place.passwordOption)"
    }
    guard place.password != nil else {
      return
        "it requires a password for \(user); put it in a file for \(place.passwordOption)"
    }
    return
      "it does not let \(user) in; the name or password is wrong, or this user is not allowed"
  }

  private func certificate(_ error: MQTTError) -> String {
    switch error.cause {
    case .otherName:
      return
        "its certificate is not for “\(place.address.host)”; use the host name that is in the "
        + "certificate"
    case .untrustedCertificate:
      guard let path = place.security.authorityPath else {
        return
          "its certificate is not trusted: it has expired, or is signed by an authority that this "
          + "system does not know; to trust others, use --mqtt-ca"
      }
      return
        "its certificate is not trusted: it has expired, or no authority in \(path) signed it"
    default:
      guard let path = place.security.certificatePath, error.cause == .refusedCertificate else {
        return "it requires a certificate; use --mqtt-cert and --mqtt-key"
      }
      return "it rejects the certificate in \(path)"
    }
  }

  private func file(_ error: MQTTError) -> String {
    let security = place.security
    switch error.cause {
    case .authorityFile:
      return
        "\(security.authorityPath ?? "the system") has no PEM certificates, which --mqtt-ca needs"
    case .certificateFile:
      return
        "\(security.certificatePath ?? "a file") has no PEM certificate, which --mqtt-cert needs"
    default:
      return "\(security.keyPath ?? "a file") is not a PEM key, or not the key of the "
        + "certificate in \(security.certificatePath ?? "--mqtt-cert")"
    }
  }
}
