package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
package import FencepostHTTP
import FoundationEssentials

/// A post from a known client, as records of fixes.
package struct ClientPost {
  /// What else is needed to read a post.
  package struct Context {
    package var deviceField: String
    /// Keys for encrypted messages.
    package var keys: OwnTracksKeys?
    package var now: Int64

    package init(deviceField: String, keys: OwnTracksKeys? = nil, now: Int64) {
      self.deviceField = deviceField
      self.keys = keys
      self.now = now
    }
  }

  /// A photo in an OwnTracks message is a long string.
  static let limits = JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 4 << 20)

  private static var mostFormBytes: Int { 64 * 1024 }

  /// The sender, which decides the response.
  package var client: PostingClient
  package var records: [ClientRecord] = []
  package var topicDevice: String?
  /// The OwnTracks tracker ID, for fixes whose device has no other name.
  package var trackerID: String?

  /// Recognizes a client by its post; nil for a track file, JSON lines or damaged JSON.
  ///
  /// The body must be decompressed.
  package init?(_ request: HTTPRequest, _ body: [UInt8], _ context: Context) {
    self.init(request, PostBody(body), context)
  }

  init?(_ request: HTTPRequest, _ body: PostBody, _ context: Context) {
    if body.isJSON {
      guard let message = body.json else { return nil }
      self.init(message, context, agent: request.field("user-agent"))
    } else if body.bytes.allSatisfy(PostBody.isBlank) {
      self.init(query: request.query, context)
    } else {
      self.init(form: body.bytes, context)
    }
  }

  /// Recognizes a message by its content, or returns nil if no known client sends it.
  init?(json message: JSONValue, _ context: Context) {
    self.init(message, context, agent: nil)
  }

  private init(_ client: PostingClient, _ records: [ClientRecord]) {
    self.client = client
    self.records = records.oldestFirst
  }

  private init?(query items: [HTTPRequest.QueryItem], _ context: Context) {
    guard PositionReport.isReport(items) else { return nil }
    let record = PositionReport.record(of: ClientFields(items), speed: .knots, now: context.now)
    self.init(.reporter, record.map { [$0] } ?? [])
  }

  /// Ignores the content type: curl calls everything a form, and GPSLogger sends none.
  private init?(form body: [UInt8], _ context: Context) {
    let isForm = body.prefix { $0 != UInt8(ascii: "=") }.allSatisfy { byte in
      byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    guard isForm, body.count <= Self.mostFormBytes,
      let items = HTTPRequest.items(
        ofForm: String(decoding: body, as: UTF8.self).trimmed)
    else { return nil }
    self.init(query: items, context)
  }

  private init?(_ message: JSONValue, _ context: Context, agent: String?) {
    let now = context.now
    if (message.array?.first ?? message)["_type"]?.string != nil {
      self.init(ownTracks: message.array ?? [message], context, agent: agent)
    } else if let records = message.overlandRecords(now: now) {
      self.init(.overland, records)
    } else if let records = message.traccarRecords(now: now) {
      self.init(.reporter, records)
    } else if PointFeature.isGeoJSON(message) {
      guard let points = PointFeature.points(of: message) else { return nil }
      let names = [context.deviceField, "device_id"]
      self.init(
        .program,
        points.compactMap { PointFeature.record(of: $0, deviceNames: names, now: now) })
    } else if message.isByHomeAssistant {
      let isSetup = message["type"]?.string == "get_config"
      self.init(
        isSetup ? .homeAssistantSetup : .homeAssistant,
        message.homeAssistantRecord(now: now).map { [$0] } ?? [])
    } else {
      self.init(reports: message.array ?? [message], now: now)
    }
  }

  private init(ownTracks messages: [JSONValue], _ context: Context, agent: String?) {
    let messages = messages.map { OwnTracksMessage($0, keys: context.keys, agent: agent) }
    self.init(
      messages.contains { $0.isByOverland } ? .overland : .ownTracks,
      messages.compactMap { $0.record(now: context.now) })
    topicDevice = messages.lazy.compactMap(\.topicDevice).first
    trackerID = messages.lazy.compactMap(\.trackerID).first
  }

  private init?(reports objects: [JSONValue], now: Int64) {
    guard let first = objects.first, PositionReport.isReport(first) else { return nil }
    self.init(.reporter, objects.compactMap { PositionReport.record(of: $0, now: now) })
  }
}

package enum ClientRecord: Sendable {
  case fix(device: String?, Fix)
  /// A record that should contain a fix, and why it does not.
  case fault(device: String?, Rejection)
}

extension ClientRecord {
  var device: String? {
    switch self {
    case .fix(let device, _), .fault(let device, _): device
    }
  }

  /// Creates a record; without a time, the time of receipt `now` counts.
  init(
    device: String?, latitude: Double?, longitude: Double?, time: ClientFields.Time, now: Int64,
    _ fix: Fix
  ) {
    var fix = fix
    switch time {
    case .unstated: fix.timeMilliseconds = now
    case .milliseconds(let milliseconds): fix.timeMilliseconds = milliseconds
    case .unreadable(let text):
      self = .fault(device: device, Rejection(reason: .time, detail: text))
      return
    }
    fix.coordinate = Coordinate(
      latitudeDegrees: latitude ?? .nan, longitudeDegrees: longitude ?? .nan)
    guard fix.coordinate.isValid else {
      let words = [latitude, longitude].map { $0.map { "\($0)" } ?? "none" }
      self = .fault(
        device: device, Rejection(reason: .coordinate, detail: words.joined(separator: ",")))
      return
    }
    self = .fix(device: device, fix)
  }
}

extension [ClientRecord] {
  /// The records from oldest to newest, reversed if the whole batch is newest first.
  var oldestFirst: [ClientRecord] {
    let times = compactMap { record in
      if case .fix(_, let fix) = record { fix.timeMilliseconds } else { nil }
    }
    let isNewestFirst = zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
    return isNewestFirst && times.first != times.last ? reversed() : self
  }
}
