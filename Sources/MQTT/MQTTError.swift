/// Why a broker cannot be used, as a sentence without its name.
package struct MQTTError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The kinds of faults that somebody can do something about.
  package enum Cause: Sendable, CaseIterable {
    /// It does not let the user in.
    case login
    /// Its certificate is by nobody that is trusted, or out of date.
    case untrustedCertificate
    /// Its certificate is for another name than the address has.
    case otherName
    /// It asks for a certificate.
    case missingCertificate
    /// It does not accept the certificate that it was shown.
    case refusedCertificate
    /// The file of authorities to trust cannot be used.
    case authorityFile
    /// The file of the client's own certificate cannot be used.
    case certificateFile
    /// The file of that certificate's key cannot be used.
    case keyFile
    /// What answers does not speak TLS.
    case unencrypted
    /// What answers does not speak MQTT.
    case otherProtocol
    /// It denies a subscription.
    case denied
    /// It ended the connection before it was encrypted.
    case endedHandshake
    /// It ended an unencrypted connection without an answer.
    case endedUnanswered
    /// It did not answer in time.
    case unanswered
    /// Its name is not known.
    case unknownHost
    /// It ended a connection that had been made.
    case closed
    /// Anything else.
    case other
  }

  /// What can be done about it.
  package let cause: Cause
  /// The sentence, without a full stop.
  package let description: String

  /// Makes an error.
  package init(_ description: String, cause: Cause = .other) {
    self.description = description
    self.cause = cause
  }

  /// Whether it stays until somebody changes a setting, here or at the broker.
  package var isLasting: Bool {
    switch cause {
    case .endedHandshake, .endedUnanswered, .unanswered, .unknownHost, .closed, .other: false
    default: true
    }
  }
}

extension MQTTError {
  /// What OpenSSL and libmosquitto write of encryption, and what it means; the first that fits
  /// counts.
  ///
  /// An alert is the other side's word, everything else our own.
  private static let encryptionFaults: [(words: String, cause: Cause, sentence: String)] = [
    ("host name verification failed", .otherName, "its certificate is for another name"),
    ("load CA certificates", .authorityFile, "the authorities to trust cannot be read"),
    ("load client certificate", .certificateFile, "the own certificate cannot be read"),
    ("load client key", .keyFile, "the key of the own certificate does not fit, or cannot be read"),
    ("key values mismatch", .keyFile, "the key of the own certificate does not fit"),
    ("certificate verify failed", .untrustedCertificate, "its certificate is not trusted"),
    ("alert certificate required", .missingCertificate, "it asks for a certificate"),
    ("alert unknown ca", .refusedCertificate, "it does not accept the certificate"),
    ("alert bad certificate", .refusedCertificate, "it does not accept the certificate"),
    ("alert unsupported certificate", .refusedCertificate, "it does not accept the certificate"),
    ("alert certificate", .refusedCertificate, "it does not accept the certificate"),
    ("wrong version number", .unencrypted, "it does not speak TLS"),
    ("http request", .unencrypted, "it does not speak TLS"),
    ("packet length too long", .unencrypted, "it does not speak TLS"),
    ("unexpected eof", .endedHandshake, "it ended the connection before it was encrypted"),
  ]

  /// Makes the error of an encrypted connection that failed, of what the library has said.
  init(ofEncryption complaints: [String]) {
    let fault = Self.encryptionFaults.first { fault in
      complaints.contains { $0.mentions(fault.words) }
    }
    if let fault {
      self.init(fault.sentence, cause: fault.cause)
    } else {
      let words = complaints.last.map { " (\($0))" } ?? ""
      self.init(
        "no secure connection\(words)", cause: complaints.isEmpty ? .endedHandshake : .other)
    }
  }
}

extension String {
  /// Whether words are in it, in letters of any case.
  fileprivate func mentions(_ words: String) -> Bool {
    lowercased().contains(words.lowercased())
  }
}
