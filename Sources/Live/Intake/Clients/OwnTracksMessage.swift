import FencepostCOpened
import FencepostFixes
import FencepostFormats
import FoundationEssentials

/// Reads OwnTracks messages; only those of the type `location` contain a fix.
///
/// An encrypted message is read as its decrypted content, which includes the topic.
struct OwnTracksMessage {
  /// In early versions, `tst` in Overland's OwnTracks mode counts from 2001-01-01.
  private static var overlandEpochSeconds: Double { 978_307_200 }
  /// A date before Overland existed (2008) when counted from 1970, and after 2038 from 2001.
  private static var leastSeconds: Double { 1_200_000_000 }

  private(set) var message: JSONValue?
  private(set) var fault: String?
  private let isAgentOverland: Bool

  /// Reads an object with a `_type`, sent by a client with this `User-Agent`.
  init(_ message: JSONValue, keys: OwnTracksKeys?, agent: String?) {
    isAgentOverland = agent?.hasPrefix("Overland") == true
    guard message["_type"]?.string == "encrypted" else {
      self.message = message
      return
    }
    guard let keys else {
      fault = "an encrypted message cannot be read without --owntracks-keys"
      return
    }
    guard let text = keys.open(message["data"]?.string ?? "") else {
      fault = "no key decrypts this encrypted message"
      return
    }
    self.message = try? JSONValue(parsing: text.span, limits: ClientPost.limits)
    if self.message == nil { fault = "an encrypted message does not contain JSON" }
  }

  /// Whether Overland sent this in its OwnTracks mode, judging by the agent or the topic.
  var isByOverland: Bool {
    let topicLevels = message?["topic"]?.string?.split(separator: "/") ?? []
    return isLocation && (isAgentOverland || (trackerID == nil && topicLevels.count == 2))
  }

  private var isLocation: Bool { message?["_type"]?.string == "location" }

  var topicDevice: String? { Self.device(ofTopic: message?["topic"]?.string ?? "") }

  /// The device in a topic such as `owntracks/USER/DEVICE` or Overland's `owntracks/DEVICE`.
  static func device(ofTopic topic: String) -> String? {
    let levels = topic.split(separator: "/")
    guard levels.count >= 2 else { return nil }
    return levels.count == 2 && levels[0] == "owntracks"
      ? String(levels[1]) : levels.suffix(2).joined(separator: "/")
  }

  var trackerID: String? {
    let text = message?["tid"]?.string
    return text?.isEmpty == false ? text : nil
  }

  func record(now: Int64) -> ClientRecord? {
    if let fault { return .fault(device: nil, Rejection(reason: .malformed, detail: fault)) }
    guard isLocation else { return nil }
    let fields = ClientFields(message)
    var time = fields.time("tst")
    if isByOverland, let seconds = fields.number("tst"), 0..<Self.leastSeconds ~= seconds {
      time = .milliseconds(Int64((seconds + Self.overlandEpochSeconds) * 1000))
    }
    return ClientRecord(
      device: nil, latitude: fields.number("lat"), longitude: fields.number("lon"), time: time,
      now: now,
      accuracy: fields.number("acc"), speed: fields.number("vel").map { $0 / 3.6 },
      course: fields.number("cog"))
  }
}

/// The keys that users typed into OwnTracks to encrypt messages.
///
/// The app pads a key with zeros to 32 bytes and seals each message with libsodium's `secretbox`
/// (XSalsa20-Poly1305). `data` is Base64 of the 24-byte nonce and the sealed text.
package struct OwnTracksKeys: Sendable {
  private static var keyBytes: Int { Int(crypto_secretbox_KEYBYTES) }
  private static var nonceBytes: Int { Int(crypto_secretbox_NONCEBYTES) }
  private static var tagBytes: Int { Int(crypto_secretbox_MACBYTES) }

  private let keys: [[UInt8]]

  /// Reads at least one key, one per line; every message is tried with each key.
  package init(_ text: String) throws(OwnTracksKeyError) {
    // The sentence is a constant of the program.
    if let failure = unsafe copened_failure(COPENED_SODIUM) {
      throw OwnTracksKeyError(description: unsafe String(cString: failure))
    }
    var keys: [[UInt8]] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() where !line.isEmpty {
      guard line.utf8.count <= Self.keyBytes else {
        throw OwnTracksKeyError(
          description: "line \(index + 1): a key must not be longer than \(Self.keyBytes) bytes")
      }
      keys.append(
        Array(line.utf8) + [UInt8](repeating: 0, count: Self.keyBytes - line.utf8.count))
    }
    guard !keys.isEmpty, sodium_init() >= 0 else {
      throw OwnTracksKeyError(description: "it contains no key")
    }
    self.keys = keys
  }

  /// Decrypts `data`; nil if no key fits or the message was changed.
  func open(_ data: String) -> [UInt8]? {
    guard let bytes = Data(base64Encoded: data), bytes.count >= Self.nonceBytes + Self.tagBytes
    else { return nil }
    let nonce = Array(bytes.prefix(Self.nonceBytes))
    let sealed = Array(bytes.dropFirst(Self.nonceBytes))
    var plain = [UInt8](repeating: 0, count: sealed.count - Self.tagBytes)
    for key in keys {
      // All buffers have the lengths that the function requires.
      let status = unsafe crypto_secretbox_open_easy(
        &plain, sealed, UInt64(sealed.count), nonce, key)
      if status == 0 { return plain }
    }
    return nil
  }
}

/// An unusable key file.
package struct OwnTracksKeyError: Error, CustomStringConvertible, Sendable {
  /// The reason as a sentence, which never contains part of a key.
  package let description: String
}
