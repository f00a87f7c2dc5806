#if Command
import FencepostFixes
import FencepostFormats
import FencepostTime
import FencepostTracks

/// Reads OwnTracks messages; only those of the type `location` contain a fix.
///
/// Phones post them, brokers forward them, and Overland can imitate them. Their members are
/// described in the OwnTracks booklet, “JSON”.
struct OwnTracksMessage {
  /// In early versions, `tst` in Overland's OwnTracks mode counts from 2001-01-01.
  private static var overlandEpochSeconds: Double { 978_307_200 }
  /// A date before Overland existed (2008) when counted from 1970, and after 2038 from 2001.
  private static var leastSeconds: Double { 1_200_000_000 }

  private let message: JSONValue
  private let isAgentOverland: Bool

  /// Reads an object with a `_type`, sent by a client with this `User-Agent`.
  init(_ message: JSONValue, agent: String?) {
    self.message = message
    isAgentOverland = agent?.hasPrefix("Overland") == true
  }

  /// Whether Overland sent this in its OwnTracks mode, judging by the agent or the topic.
  var isByOverland: Bool {
    let topicLevels = message["topic"]?.string?.split(separator: "/") ?? []
    return isLocation && (isAgentOverland || (trackerID == nil && topicLevels.count == 2))
  }

  private var isLocation: Bool { message["_type"]?.string == "location" }

  var topicDevice: String? { Self.device(ofTopic: message["topic"]?.string ?? "") }

  /// The device in a topic such as `owntracks/USER/DEVICE` or Overland's `owntracks/DEVICE`.
  static func device(ofTopic topic: String) -> String? {
    let levels = topic.split(separator: "/")
    guard levels.count >= 2 else { return nil }
    return levels.count == 2 && levels[0] == "owntracks"
      ? String(levels[1]) : levels.suffix(2).joined(separator: "/")
  }

  var trackerID: String? {
    let text = message["tid"]?.string
    return text?.isEmpty == false ? text : nil
  }

  func record(now: Int64) -> DeviceRecord? {
    if message["_type"]?.string == "encrypted" {
      let detail = "an encrypted message cannot be read; delete the key in the app, and use TLS"
      return .fault(device: nil, Rejection(reason: .malformed, detail: detail))
    }
    guard isLocation else { return nil }
    var object = JSONFix(message)
    if isByOverland, 0..<Self.leastSeconds ~= object.timeNumber {
      let seconds = object.timeNumber + Self.overlandEpochSeconds
      object.fix.timeMilliseconds = EpochTime.milliseconds(rounding: seconds * 1000)
    }
    return DeviceRecord(object, message, now: now)
  }
}
#endif
