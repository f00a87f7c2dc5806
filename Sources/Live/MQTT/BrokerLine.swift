import FencepostFixes
import FencepostFormats
import FencepostTime
import FencepostTracks

/// A broker's message in a JSON object, as `mosquitto_sub -F %J` prints it.
///
/// The form is `{"tst":…,"topic":"owntracks/USER/DEVICE","payload":{…}}`. The payload may also be a
/// string that contains JSON (`%j`). The object's time is that of receipt, and counts only if the
/// payload has none.
struct BrokerLine {
  let device: String
  private let payload: JSONValue
  /// When the message came, in milliseconds since 1970; `Fix.noTime` if unknown.
  private let receiptMilliseconds: Int64

  init?(_ line: Span<UInt8>) {
    guard let object = try? JSONValue(parsing: line, limits: ClientPost.limits),
      let topic = object["topic"]?.string, let content = object["payload"]
    else { return nil }
    // mosquitto_sub writes the zone twice.
    let time = object["tst"]?.string?.replacing("Z+0000", with: "Z")
    receiptMilliseconds = time.flatMap { ISO8601.milliseconds(parsing: $0) } ?? Fix.noTime
    device = OwnTracksMessage.device(ofTopic: topic) ?? topic
    if let text = content.string {
      payload = (try? JSONValue(parsing: Array(text.utf8).span, limits: ClientPost.limits)) ?? .null
    } else {
      payload = content
    }
  }

  /// The fix or its fault; nil if this type of message contains none.
  func content(line number: Int) -> DeviceLines.Line? {
    let context = ClientPost.Context(deviceField: "device", now: receiptMilliseconds)
    let records = ClientPost(json: payload, context)?.records ?? [plainRecord]
    guard records.count <= 1 else {
      return .rejection(
        device: device,
        Rejection(reason: .malformed, line: number, detail: "the payload holds several fixes"))
    }
    switch records.first {
    case nil: return nil
    case .fix(_, var fix):
      fix.line = Int32(clamping: number)
      return .fix(device: device, fix)
    case .fault(_, var rejection):
      rejection.line = number
      return .rejection(device: device, rejection)
    }
  }

  private var plainRecord: ClientRecord {
    let fields = ClientFields(payload)
    return ClientRecord(
      device: nil, latitude: fields.number("lat", "latitude"),
      longitude: fields.number("lon", "longitude", "lng"),
      time: fields.time("time", "tst", "timestamp"), now: receiptMilliseconds,
      ClientFields.motion(
        accuracy: fields.number("eph", "acc", "accuracy"), speed: fields.number("speed"),
        course: fields.number("track", "course")))
  }
}
