package import FencepostTracks
import FencepostFixes
import FencepostFormats
package import FencepostHTTP

/// Handles requests that post fixes.
///
/// `/pub` serves the OwnTracks app, which posts one JSON message at a time and expects an array of
/// messages back. `/fixes` takes many fixes at once in any track format and answers what became of them.
/// A success means that the session has them.
package final class FixIngestHandler: Sendable {
  /// The paths for posting fixes.
  package static let paths: Set<String> = ["/pub", "/fixes"]
  /// The paths, as a sentence.
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

  /// Answers a request that ``refuse(_:)`` has let pass.
  package func take(_ request: HTTPRequest) -> HTTPAnswer {
    let isPhone = request.path == "/pub"
    if request.body.allSatisfy(PostedFixes.isBlank) {
      // Phones send an empty message to clear a broker's retained one, and queue all others behind it.
      return .response(
        isPhone
          ? PostAnswer.taken
          : HTTPResponse(.badRequest, sentence: "there is nothing in it"))
    }
    // Malformed JSON is reported below, by line.
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

  // MARK: Refusals

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

  /// Refuses a phone's encrypted message and suggests a remedy.
  private static func refuse(_ message: JSONValue?) -> HTTPResponse? {
    guard message?["_type"]?.string == "encrypted" else { return nil }
    return HTTPResponse(
      .badRequest, sentence: "encrypted messages cannot be read; send them over HTTPS instead")
  }

  // MARK: Devices

  /// The device that the request names for all fixes, if any.
  private static func device(of request: HTTPRequest) -> String? {
    if let device = nonempty(request.queryValue("device")) { return device }
    let user = nonempty(request.queryValue("u") ?? request.field("x-limit-u"))
    let device = nonempty(request.queryValue("d") ?? request.field("x-limit-d"))
    if let user, let device { return "\(user)/\(device)" }
    return device ?? user
  }

  /// The device of fixes that name none, from the message or the credentials.
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
