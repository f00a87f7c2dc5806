import Fencepost
import Fixes
import Formats
import HTTP
import Reporting

/// Takes in the fixes that phones and programs post.
///
/// `/pub` is for the OwnTracks app, which posts one JSON message at a time and expects an array of
/// messages back. `/fixes` takes many at once in any format that is read from files, and tells what it
/// made of them. An answer of success means that the session has them.
final class FixDesk {
  /// Where fixes are posted.
  static let paths: Set<String> = ["/pub", "/fixes"]

  private let intake: FixIntake
  private let deviceField: String
  private let options: FixStream.Options

  /// - Parameters:
  ///   - intake: Where the fixes go.
  ///   - deviceField: The member of a JSON object that names its device.
  ///   - options: How bytes become fixes.
  init(intake: FixIntake, deviceField: String, options: FixStream.Options) {
    self.intake = intake
    self.deviceField = deviceField
    self.options = options
  }

  /// Answers a request that posts fixes.
  func take(_ request: HTTPRequest) -> HTTPAnswer {
    if let refusal = Self.refuse(request) { return .response(refusal) }
    let isPhone = request.path == "/pub"
    // What is no JSON is told by its line below.
    let message =
      isPhone ? try? JSONValue(parsing: String(decoding: request.body, as: UTF8.self)) : nil
    if let refusal = Self.refuse(message) { return .response(refusal) }
    let posted = PostedFixes(
      request.body,
      origin: PostedFixes.Origin(
        device: Self.device(of: request), defaultDevice: Self.defaultDevice(request, message),
        deviceField: deviceField),
      options: options)
    let response = Self.response(to: posted, isPhone: isPhone)
    guard posted.acceptedCount > 0 else { return .response(response) }
    let promise = HTTPPromise()
    let isTaken = intake.offer(posted.lines) { promise.keep(response) }
    guard isTaken else {
      return .response(
        HTTPResponse(
          .unavailable, sentence: "too many fixes wait to be looked at; please send them again",
          fields: [("Retry-After", "5")]))
    }
    return .later(promise)
  }

  // MARK: What is refused

  private static func refuse(_ request: HTTPRequest) -> HTTPResponse? {
    let type = (request.field("content-type") ?? "").lowercased()
    for family in ["multipart/", "image/", "audio/", "video/", "font/", "application/zip"]
    where type.hasPrefix(family) {
      return HTTPResponse(
        .unsupportedMediaType, sentence: "\(family.hasSuffix("/") ? type : family) is no track")
    }
    if let coding = request.field("content-encoding")?.lowercased(),
      !["gzip", "x-gzip", "identity"].contains(coding)
    {
      return HTTPResponse(.unsupportedMediaType, sentence: "of encodings only gzip is read")
    }
    guard request.body.isEmpty else { return nil }
    return HTTPResponse(.badRequest, sentence: "there is nothing in it")
  }

  /// Refuses a message of a phone that can never be read, and says what to change.
  private static func refuse(_ message: JSONValue?) -> HTTPResponse? {
    guard message?["_type"]?.string == "encrypted" else { return nil }
    return HTTPResponse(
      .badRequest, sentence: "encrypted messages cannot be read; send them over HTTPS instead")
  }

  // MARK: Devices

  /// The device of all fixes, where the sender names it beside the message.
  private static func device(of request: HTTPRequest) -> String? {
    if let device = nonempty(request.queryValue("device")) { return device }
    let user = nonempty(request.queryValue("u") ?? request.field("x-limit-u"))
    let device = nonempty(request.queryValue("d") ?? request.field("x-limit-d"))
    if let user, let device { return "\(user)/\(device)" }
    return device ?? user
  }

  /// The device of fixes that name none, by what else is known.
  private static func defaultDevice(_ request: HTTPRequest, _ message: JSONValue?) -> String? {
    // As in owntracks/USER/DEVICE.
    let topic = nonempty(message?["topic"]?.string)?.split(separator: "/") ?? []
    if topic.count >= 2 { return topic.suffix(2).joined(separator: "/") }
    return nonempty(Credential.user(of: request)) ?? nonempty(message?["tid"]?.string)
  }

  private static func nonempty(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return text
  }

  // MARK: Answers

  /// What is wrong with the sender's message, rather than with what its receiver saw or garbled.
  private static let faults: Set<Rejection.Reason> = [.malformed, .coordinate, .time, .tooLong]

  private static func response(to posted: PostedFixes, isPhone: Bool) -> HTTPResponse {
    let isBad = posted.failure != nil || posted.rejections.contains { faults.contains($0.reason) }
    let status: HTTPStatus =
      if posted.isTooLarge {
        .contentTooLarge
      } else if posted.isUnrecognised && posted.acceptedCount == 0 {
        .unsupportedMediaType
      } else {
        isBad ? .badRequest : .ok
      }
    if isPhone, status == .ok {
      return HTTPResponse(.ok, type: "application/json", body: Array("[]".utf8))
    }
    return HTTPResponse(
      status, type: "application/json", body: Array((account(of: posted) + "\n").utf8))
  }

  /// What was kept and what was not, as JSON.
  private static func account(of posted: PostedFixes) -> String {
    var output = ByteBuffer()
    output.append("{\"accepted\":")
    output.append(decimal: posted.acceptedCount)
    output.append(",\"rejected\":")
    output.append(decimal: posted.rejectedCount)
    output.append(",\"rejections\":[")
    for (index, rejection) in posted.rejections.enumerated() {
      output.append(index > 0 ? ",{\"line\":" : "{\"line\":")
      if let line = rejection.line { output.append(decimal: line) } else { output.append("null") }
      output.append(",\"reason\":")
      output.append(json: rejection.reason.rawValue)
      if let detail = rejection.detail {
        output.append(",\"detail\":")
        output.append(json: detail)
      }
      output.append("}")
    }
    output.append("],\"error\":")
    if let failure = posted.failure { output.append(json: failure) } else { output.append("null") }
    output.append("}")
    return output.text
  }
}
