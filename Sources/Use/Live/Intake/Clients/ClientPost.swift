#if Command
package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
package import FencepostHTTP
import FencepostTime
import FencepostTracks
import FoundationEssentials
import Synchronization

/// A post from a known client, as records of fixes.
///
/// Phones send fixes in many forms and to fixed paths. The post is recognized by what it contains,
/// and the sender is answered in the way that its program expects.
package struct ClientPost {
  /// What a post does not say itself: the member that names the device, and the time.
  ///
  /// Both are the same for all posts of a server, except the time.
  package struct Context {
    /// The member of a plain JSON object that names its device.
    package var deviceField: String
    /// The time of receipt in milliseconds since 1970, which counts for fixes without a time.
    package var now: Int64

    /// Creates what a post does not say by itself.
    package init(deviceField: String, now: Int64) {
      self.deviceField = deviceField
      self.now = now
    }
  }

  /// A photo in an OwnTracks message is a long string.
  static let limits = JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 4 << 20)

  /// The longest body that is read as a form; forms of positions have a few hundred bytes.
  private static var mostFormBytes: Int { 64 * 1024 }

  /// The program that sent the post.
  package var client: PostingClient
  /// The fixes and faults of the post, oldest first; empty for a heartbeat.
  package var records: [DeviceRecord] = []
  /// The device in the topic of an OwnTracks message; nil without one.
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
      self.init(json: message, context, agent: request.field("user-agent"))
    } else if body.bytes.allSatisfy(PostBody.isBlank) {
      self.init(query: request.query, context)
    } else {
      self.init(form: body.bytes, context)
    }
  }

  private init(_ client: PostingClient, _ records: [DeviceRecord]) {
    self.client = client
    let times = records.compactMap { record in
      if case .fix(_, let fix) = record { fix.timeMilliseconds } else { nil }
    }
    let isNewestFirst = zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
    // The session wants the oldest first.
    self.records = isNewestFirst && times.first != times.last ? records.reversed() : records
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

  /// Whether an array that begins with this element may come from a known client.
  static func begins(with element: JSONValue) -> Bool {
    element["_type"]?.string != nil || PointFeature.isGeoJSON(element)
      || PositionReport.isReport(element)
  }

  /// Recognizes a message by its content, or returns nil if no known client sends it.
  init?(json message: JSONValue, _ context: Context, agent: String? = nil) {
    let now = context.now
    let objects = message.array ?? [message]
    if (message.array?.first ?? message)["_type"]?.string != nil {
      let messages = objects.map { OwnTracksMessage($0, agent: agent) }
      self.init(
        messages.contains { $0.isByOverland } ? .overland : .ownTracks,
        messages.compactMap { $0.record(now: now) })
      topicDevice = messages.lazy.compactMap(\.topicDevice).first
      trackerID = messages.lazy.compactMap(\.trackerID).first
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
      guard let first = objects.first, PositionReport.isReport(first) else { return nil }
      self.init(.reporter, objects.compactMap { PositionReport.record(of: $0, now: now) })
    }
  }
}

extension DeviceRecord {
  /// Creates a record, in meters, m/s and degrees; bad values of motion count as unknown.
  ///
  /// Without a time, the time of receipt `now` counts.
  init(
    device: String?, latitude: Double?, longitude: Double?, time: ClientFields.Time, now: Int64,
    accuracy: Double?, speed: Double?, course: Double?
  ) {
    var fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: latitude ?? .nan, longitudeDegrees: longitude ?? .nan))
    if let accuracy, accuracy >= 0 { fix.accuracyMeters = Float(accuracy) }
    if let speed, speed >= 0 { fix.speedMetersPerSecond = Float(speed) }
    if let course, 0...360 ~= course { fix.courseDegrees = course == 360 ? 0 : Float(course) }
    switch time {
    case .unstated: fix.timeMilliseconds = now
    case .milliseconds(let milliseconds): fix.timeMilliseconds = milliseconds
    case .unreadable(let text):
      self = .fault(device: device, Rejection(reason: .time, detail: text))
      return
    }
    guard fix.coordinate.isValid else {
      let words = [latitude, longitude].map { $0.map { "\($0)" } ?? "none" }
      self = .fault(
        device: device, Rejection(reason: .coordinate, detail: words.joined(separator: ",")))
      return
    }
    self = .fix(device: device, fix)
  }
}

extension DeviceRecord {
  /// Creates a record of an OwnTracks message, a gpsd report or a plain object, as `value` was read.
  ///
  /// Without a time, the time of receipt `now` counts.
  init(_ object: JSONFix, _ value: JSONValue, now: Int64) {
    let fix = object.fix
    func number(_ value: Float) -> Double? { value.isFinite ? Double(value) : nil }
    let time: ClientFields.Time =
      if object.hasTimeFault {
        .unreadable(ClientFields(value).text("time", "tst", "timestamp") ?? "")
      } else {
        fix.timeMilliseconds.map { .milliseconds($0) } ?? .unstated
      }
    self.init(
      device: nil, latitude: object.latitude.isNaN ? nil : object.latitude,
      longitude: object.longitude.isNaN ? nil : object.longitude, time: time, now: now,
      accuracy: number(fix.accuracyMeters), speed: number(fix.speedMetersPerSecond),
      course: number(fix.courseDegrees))
  }
}

/// The named values of a client's record as text, from a query, a form or a JSON object.
///
/// Names are compared in lower case, and the first value of a name counts. Empty values count as
/// missing, because some clients send `""` for unknown values.
struct ClientFields {
  /// When a record says that it was made.
  enum Time: Equatable {
    /// There is no time, so that of the receipt counts.
    case unstated
    /// Milliseconds since 1970.
    case milliseconds(Int64)
    /// A text that is not a time, as sent.
    case unreadable(String)
  }

  private var values: [String: String] = [:]

  init(_ items: [HTTPRequest.QueryItem]) {
    for item in items { add(item.name, item.value) }
  }

  /// Takes the members of an object that are numbers, strings or Booleans.
  init(_ object: JSONValue?) {
    guard case .object(let members) = object else { return }
    for member in members {
      switch member.value {
      case .number(_, let text), .string(let text): add(member.key, text)
      case .boolean(let flag): add(member.key, "\(flag)")
      case .null, .array, .object: continue
      }
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    let value = value.trimmed
    guard !value.isEmpty, values[name.lowercased()] == nil else { return }
    values[name.lowercased()] = value
  }

  func text(_ names: String...) -> String? { text(names) }

  private func text(_ names: [String]) -> String? { names.lazy.compactMap { values[$0] }.first }

  /// The number under the first name that has a value; nil if that is not a number.
  func number(_ names: String...) -> Double? { text(names).flatMap(Self.number) }

  static func number(_ text: String) -> Double? {
    // `Double` also accepts words and hexadecimal digits.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The time under the first name that has a value.
  ///
  /// A number is seconds or milliseconds since 1970, depending on its size. Text is ISO 8601, where
  /// a space may separate date and time. GPSLogger percent-encodes it even in a body.
  func time(_ names: String...) -> Time {
    guard let text = text(names) else { return .unstated }
    let plain = text.contains("%") ? Percent.decoded(text) ?? text : text
    let milliseconds =
      if let number = Self.number(plain) {
        EpochTime.milliseconds(inAnyUnit: number)
      } else {
        ISO8601.milliseconds(parsing: plain)
          // A plus sign that was not encoded has become a space.
          ?? ISO8601.milliseconds(parsing: Self.withPlus(plain))
      }
    return milliseconds.map(Time.milliseconds) ?? .unreadable(text)
  }

  private static func withPlus(_ text: String) -> String {
    guard let blank = text.lastIndex(of: " ") else { return text }
    return text[..<blank] + "+" + text[text.index(after: blank)...]
  }
}

/// The kinds of clients that post fixes, by the response that each accepts as delivery.
///
/// Most phones repeat their oldest message until it is accepted, and send nothing newer. So a
/// message that can never be used is accepted too, and ``PostLog`` reports it.
package enum PostingClient: String, Sendable {
  /// OwnTracks in HTTP mode.
  case ownTracks = "OwnTracks"
  /// Overland, and GPSLogger in its Dawarich mode.
  case overland = "Overland"
  /// Home Assistant's apps, which post to a webhook.
  case homeAssistant = "Home Assistant"
  /// Home Assistant's apps when they ask which server they have, and give up without an answer.
  case homeAssistantSetup = "Home Assistant's setup"
  /// Traccar Client, OsmAnd, GPSLogger and others that send one fix as named values.
  case reporter = "a position report"
  /// A message from a broker, whose sender gets no answer.
  case broker = "MQTT"
  /// A program, which gets a summary of its fixes.
  case program = "a program"

  /// The success that the client expects; nil if it expects a summary.
  var taken: HTTPResponse? {
    switch self {
    case .ownTracks: Self.json("[]")
    case .overland: Self.json(#"{"result":"ok"}"#)
    case .homeAssistant: Self.json("{}")
    case .homeAssistantSetup: Self.json(Self.setup)
    case .reporter: HTTPResponse(.ok)
    case .broker, .program: nil
    }
  }

  /// The members of a server's configuration that Home Assistant's apps read.
  private static let setup =
    #"{"location_name":"Fencepost","latitude":0,"longitude":0,"elevation":0,"time_zone":"UTC","#
    + #""unit_system":{"length":"km","mass":"g","temperature":"°C","volume":"L"},"#
    + ##""components":[],"version":"2024.1.0","theme_color":"#03A9F4","entities":{}}"##

  private static func json(_ text: String) -> HTTPResponse {
    HTTPResponse(.ok, type: "application/json", body: Array(text.utf8))
  }
}

/// Reports positions that were refused although their sender got the answer that all is well.
///
/// Reports the first of each kind and device, or every one. Senders can invent devices, so it stops
/// after a hundred. Thread-safe.
package final class PostLog: Sendable {
  private static var mostReported: Int { 100 }
  private static var mostCharacters: Int { 80 }

  private let say: @Sendable (String) -> Void
  private let isVerbose: Bool
  private let reported = Mutex<Set<String>>([])

  /// Creates a log, which reports every refusal if it is verbose.
  ///
  /// `say` receives sentences from any thread.
  package init(isVerbose: Bool = false, say: @escaping @Sendable (String) -> Void = { _ in }) {
    self.isVerbose = isVerbose
    self.say = say
  }

  /// Reports a refusal if its kind and device are new.
  package func note(_ rejection: Rejection, of name: String, by client: PostingClient) {
    let device = name.prefix(Self.mostCharacters)
    let isNew = reported.withLock { reported in
      reported.count < Self.mostReported
        && reported.insert("\(rejection.reason.rawValue) \(device)").inserted
    }
    guard isNew || isVerbose else { return }
    let detail = rejection.detail.map { ": \(Self.shortened($0))" } ?? ""
    say(
      "\(Self.shortened(name)): refused data from \(client.rawValue): "
        + "\(rejection.reason.rawValue)\(detail)")
  }

  func note(_ posted: PostedFixes, of name: String, by client: PostingClient) {
    for rejection in posted.rejections { note(rejection, of: name, by: client) }
    if posted.rejections.isEmpty, let failure = posted.failure {
      note(Rejection(reason: .malformed, detail: failure), of: name, by: client)
    }
  }

  /// The text, cut after a word and marked if it is too long.
  static func shortened(_ text: String) -> String {
    let start = text.prefix(mostCharacters)
    guard start.endIndex < text.endIndex else { return text }
    // Drop a word that the cut splits, unless it is most of the text.
    let isBetweenWords = text[start.endIndex] == " "
    guard let end = isBetweenWords ? start.endIndex : start.lastIndex(of: " "),
      text[..<end].count > mostCharacters / 2
    else { return "\(start)…" }
    return "\(text[..<end]) …"
  }
}
#endif
