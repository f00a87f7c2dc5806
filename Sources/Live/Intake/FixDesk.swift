package import Fixes
import Formats
package import HTTP

/// Takes in the fixes that phones and programs post.
///
/// `/pub` is for the OwnTracks app, which posts one JSON message at a time and expects an array of
/// messages back. `/fixes` takes many at once in any format that is read from files, and tells what
/// became of them. An answer of success means that the session has them.
package final class FixDesk {
  /// Where fixes are posted.
  package static let paths: Set<String> = ["/pub", "/fixes"]
  /// Where to, in words.
  package static let directions = "fixes are posted to /fixes?device=NAME, and by OwnTracks to /pub"

  private let intake: FixIntake
  private let deviceField: String
  private let options: FixStream.Options

  /// - Parameters:
  ///   - intake: Where the fixes go.
  ///   - deviceField: The member of a JSON object that names its device.
  ///   - options: How bytes become fixes.
  package init(intake: FixIntake, deviceField: String, options: FixStream.Options) {
    self.intake = intake
    self.deviceField = deviceField
    self.options = options
  }

  /// Answers a request that posts fixes, and that ``refuse(_:)`` has let pass.
  package func take(_ request: HTTPRequest) -> HTTPAnswer {
    let isPhone = request.path == "/pub"
    if request.body.allSatisfy(Self.isBlank) {
      // Phones send such a message to clear what a broker retains, and hold all others back until it
      // is taken.
      return .response(
        isPhone
          ? PostAnswer.taken
          : HTTPResponse(.badRequest, sentence: "there is nothing in it"))
    }
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
    let answer = PostAnswer(posted, isPhone: isPhone)
    guard posted.acceptedCount > 0 else { return .response(answer.response) }
    let promise = HTTPPromise()
    let isTaken = intake.offer(posted.lines, lineCount: posted.acceptedCount) { account in
      promise.keep(answer.response(after: account))
    }
    guard isTaken else {
      return .response(
        HTTPResponse(
          .unavailable, sentence: "too many fixes wait to be looked at; please send them again",
          fields: [("Retry-After", "5")]))
    }
    return .later(promise)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  // MARK: What is refused

  /// Refuses a post by its head, before its body is read; nil lets it pass.
  package static func refuse(_ request: HTTPRequest) -> HTTPResponse? {
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
    return nil
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
}
