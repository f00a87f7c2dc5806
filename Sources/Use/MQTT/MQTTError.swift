/// Why a broker cannot be used, as a sentence that leaves out the broker's name.
///
/// The caller adds the broker's name and what to do, by the cause.
package struct MQTTError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The cause, as far as it suggests what to do.
  ///
  /// Causes that a setting must change are lasting; the others may pass by themselves.
  package enum Cause: Sendable, CaseIterable {
    /// The broker refuses the user name or the password.
    case login
    /// The broker's certificate has expired, or no trusted authority signed it.
    case untrustedCertificate
    /// The broker's certificate is for another host name.
    case otherName
    /// The broker requires a client certificate.
    case missingCertificate
    /// The broker rejects the client certificate.
    case refusedCertificate
    /// The file of trusted authorities cannot be read.
    case authorityFile
    /// The file of the client certificate cannot be read.
    case certificateFile
    /// The file of the private key cannot be read, or belongs to another certificate.
    case keyFile
    /// The server does not speak TLS.
    case unencrypted
    /// The server does not speak MQTT.
    case otherProtocol
    /// The broker's access rules forbid the topic.
    case denied
    /// The broker closed the connection during the TLS handshake.
    case endedHandshake
    /// The broker closed an unencrypted connection without an answer.
    case endedUnanswered
    /// The server accepted the connection but sent nothing.
    case unanswered
    /// The host name has no address.
    case unknownHost
    /// The broker closed an established connection.
    case closed
    /// Another failure, which only the description explains.
    case other
  }

  /// What the error suggests to do.
  package let cause: Cause
  /// The message, without a final period.
  package let description: String

  /// Creates an error with a message that names neither the broker nor a remedy.
  package init(_ description: String, cause: Cause = .other) {
    self.description = description
    self.cause = cause
  }

  /// Whether the error persists until a setting changes, here or at the broker.
  package var isLasting: Bool {
    switch cause {
    case .endedHandshake, .endedUnanswered, .unanswered, .unknownHost, .closed, .other: false
    default: true
    }
  }

  /// Maps messages from OpenSSL and libmosquitto to causes; the first match wins.
  ///
  /// A TLS "alert" is sent by the broker. All other messages are local.
  private static let encryptionFaults: [(words: String, cause: Cause, sentence: String)] = [
    ("host name verification failed", .otherName, "its certificate is for another host"),
    ("load CA certificates", .authorityFile, "the trusted authorities cannot be read"),
    ("load client certificate", .certificateFile, "the client certificate cannot be read"),
    ("load client key", .keyFile, "the client key cannot be read, or is for another certificate"),
    ("key values mismatch", .keyFile, "the client key is for another certificate"),
    ("certificate verify failed", .untrustedCertificate, "its certificate is not trusted"),
    ("alert certificate required", .missingCertificate, "it requires a certificate"),
    ("alert unknown ca", .refusedCertificate, "it rejects the client certificate"),
    ("alert bad certificate", .refusedCertificate, "it rejects the client certificate"),
    ("alert unsupported certificate", .refusedCertificate, "it rejects the client certificate"),
    ("alert certificate", .refusedCertificate, "it rejects the client certificate"),
    ("wrong version number", .unencrypted, "it does not speak TLS"),
    ("http request", .unencrypted, "it does not speak TLS"),
    ("packet length too long", .unencrypted, "it does not speak TLS"),
    ("unexpected eof", .endedHandshake, "it closed the connection before encryption began"),
  ]

  /// Derives the error for a failed TLS connection from the library's log messages.
  init(ofEncryption complaints: [String]) {
    let fault = Self.encryptionFaults.first { fault in
      complaints.contains { $0.lowercased().contains(fault.words.lowercased()) }
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
