import FencepostFixes
import FencepostFormats

/// Reads OwnTracks' messages, of which only those of type `location` hold a fix.
///
/// An encrypted message is read as what it holds. Its topic is sealed with it.
struct OwnTracksMessage {
  /// In early versions `tst` of Overland's OwnTracks mode counts from 2001-01-01.
  private static var overlandEpochSeconds: Double { 978_307_200 }
  /// Before Overland existed (2008) if it counts from 1970, and after 2038 if from 2001.
  private static var leastSeconds: Double { 1_200_000_000 }

  /// The message, decrypted; nil if it could not be.
  private(set) var message: JSONValue?
  /// Why the message could not be decrypted, as a sentence.
  private(set) var fault: String?
  private let isAgentOverland: Bool

  /// - Parameters:
  ///   - message: An object with a `_type`.
  ///   - keys: What encrypted messages are opened with.
  ///   - agent: The `User-Agent` of the client, if stated.
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
      fault = "an encrypted message fits none of the keys"
      return
    }
    self.message = try? JSONValue(parsing: text.span, limits: ClientPost.limits)
    if self.message == nil { fault = "an encrypted message holds no JSON" }
  }

  /// Whether the message is by Overland in its OwnTracks mode, by its agent or by a topic of two levels
  /// without a tracker id.
  var isByOverland: Bool {
    isLocation && (isAgentOverland || (trackerID == nil && topicLevels.count == 2))
  }

  private var isLocation: Bool { message?["_type"]?.string == "location" }

  /// The device that the message's topic names.
  var topicDevice: String? { Self.device(ofTopic: message?["topic"]?.string ?? "") }

  /// The device that a topic such as `owntracks/USER/DEVICE` names, or Overland's `owntracks/DEVICE`; nil for a
  /// topic of one level.
  static func device(ofTopic topic: String) -> String? {
    let levels = topic.split(separator: "/")
    guard levels.count >= 2 else { return nil }
    return levels.count == 2 && levels[0] == "owntracks"
      ? String(levels[1]) : levels.suffix(2).joined(separator: "/")
  }

  private var topicLevels: [Substring] { message?["topic"]?.string?.split(separator: "/") ?? [] }

  /// The two letters that the user has chosen for the device.
  var trackerID: String? {
    let text = message?["tid"]?.string
    return text?.isEmpty == false ? text : nil
  }

  /// The message's fix; nil if it has none.
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
      ClientFields.motion(
        accuracy: fields.number("acc"), speed: fields.number("vel").map { $0 / 3.6 },
        course: fields.number("cog")))
  }
}
