#if Command
import Dispatch
import FencepostFixes
import FencepostFormats
package import FencepostHTTP
package import FencepostTracks
import Synchronization

/// Handles requests that post fixes.
///
/// ``ClientPost`` recognizes phones by what they post and responds as each expects. Anything else
/// is a track file and gets a summary of its fixes. A success means that the session has them.
package final class FixIngestHandler: Sendable {
  /// The paths for posting fixes, other than webhooks; the first two serve no other purpose.
  private static let paths: Set<String> = [
    "/pub", "/fixes", "/", "/log", "/api/v1/overland/batches",
  ]
  private static let webhook = "/api/webhook/"
  /// Where to post fixes, for the answer to a request at any other path.
  package static let directions = "post fixes to /fixes?device=NAME, or from OwnTracks to /pub"

  private let intake: FixIntake
  private let options: FixIngestOptions
  private let turns = PostTurns()

  /// Creates a handler that offers fixes to a session.
  package init(intake: FixIntake, options: FixIngestOptions = FixIngestOptions()) {
    self.intake = intake
    self.options = options
  }

  /// Responds to a request that ``refuse(_:)`` has admitted, after another thread has read it.
  ///
  /// The answer is promised if the post was queued, and is given after the session has judged and
  /// saved the fixes. Status 503 tells the sender to post again in five seconds.
  package func take(_ request: HTTPRequest) -> HTTPAnswer {
    let promise = HTTPPromise()
    let start = SystemTime.monotonicMilliseconds
    let busy = Self.busy("too many posts are waiting; please send it again")
    let isAdded = turns.add(
      of: Self.device(of: request) ?? Self.defaultDevice(request, nil) ?? "",
      byteCount: request.body.count
    ) { [self] isLong in
      guard SystemTime.monotonicMilliseconds - start < Self.mostWaitMilliseconds else {
        // Its sender is about to give up.
        promise.keep(busy)
        return true
      }
      return read(request, isLong: isLong, promise)
    }
    return isAdded ? .later(promise) : .response(busy)
  }

  private static var mostWaitMilliseconds: Int64 { 4000 }
  /// How long the session may take for one portion of a long post.
  private static var mostPortionMilliseconds: Int64 { 5000 }
  private static var portionCount: Int { 500 }

  private static func busy(_ sentence: String) -> HTTPResponse {
    HTTPResponse(.unavailable, sentence: sentence, fields: [("Retry-After", "5")])
  }

  /// Reads a request and keeps the promise; false, without effect, if it would take too long.
  private func read(_ request: HTTPRequest, isLong: Bool, _ promise: HTTPPromise) -> Bool {
    guard isLong || request.body.count <= PostTurns.mostShortBytes else { return false }
    let time = ReadingTime()
    let body = PostBody(
      request.body, mostBytes: isLong ? PostBody.mostBytes : PostTurns.mostShortBytes)
    guard isLong || !(body.isTooLarge || body.mayExpand) else { return false }
    let context = ClientPost.Context(deviceField: options.deviceField, now: options.now())
    let post = body.failure == nil ? ClientPost(request, body, context) : nil
    if post == nil, request.body.allSatisfy(PostBody.isBlank) {
      promise.keep(Self.answerToNothing(request))
      return true
    }
    let client = Self.client(of: post, request)
    let origin = PostedFixes.Origin(
      device: Self.device(of: request), defaultDevice: Self.defaultDevice(request, post),
      deviceField: options.deviceField)
    let log = client == .program ? nil : options.log
    let posted =
      if let post {
        PostedFixes(post.records, origin: origin, log: log, client: client)
      } else {
        PostedFixes(body, origin: origin, options: options.fixes, time: time)
      }
    if post == nil { log?.note(posted, of: "a phone", by: client) }
    offer(posted, PostAnswer(posted, client: client), isLong: isLong, promise)
    return true
  }

  /// The sender, which is always a phone at `/pub` and always a program at `/fixes`.
  private static func client(of post: ClientPost?, _ request: HTTPRequest) -> PostingClient {
    switch (post?.client, request.path) {
    case (nil, "/pub"): .ownTracks
    case (nil, _), (.ownTracks, "/fixes"): .program
    case (let client?, _): client
    }
  }

  /// Offers the fixes to the session, those of a long post in portions so that others get in.
  private func offer(
    _ posted: PostedFixes, _ answer: PostAnswer, isLong: Bool, _ promise: HTTPPromise
  ) {
    guard posted.acceptedCount > 0 else { return promise.keep(answer.response) }
    let full = Self.busy("too many fixes are waiting; please send them again")
    guard isLong else {
      let isTaken = intake.offer(posted.fixes) { promise.keep(answer.response(after: $0)) }
      if !isTaken { promise.keep(full) }
      return
    }
    var whole = IntakeAccount()
    var start = 0
    while start < posted.acceptedCount, whole.isSaved {
      let settlement = Settlement()
      let portion = Array(posted.fixes[start...].prefix(Self.portionCount))
      let end = SystemTime.monotonicMilliseconds + Self.mostPortionMilliseconds
      guard intake.offer(portion, onSettled: { settlement.settle($0) }),
        let account = settlement.wait(unless: { SystemTime.monotonicMilliseconds >= end })
      else { return promise.keep(full) }
      whole.add(account, from: start)
      start += portion.count
    }
    promise.keep(answer.response(after: whole))
  }

  /// The response to a post without a body, which phones send to clear a retained message.
  private static func answerToNothing(_ request: HTTPRequest) -> HTTPResponse {
    let client: PostingClient =
      switch request.path {
      case "/pub": .ownTracks
      case "/api/v1/overland/batches": .overland
      case let path where path.hasPrefix(webhook): .homeAssistant
      default: .program
      }
    return client.taken ?? HTTPResponse(.badRequest, sentence: "the body is empty")
  }

  // MARK: Requests

  /// Whether a request posts fixes, at a path and with a method that its sender may use.
  package static func isPost(_ request: HTTPRequest) -> Bool {
    if ["/pub", "/fixes"].contains(request.path) { return true }
    let isPath = paths.contains(request.path) || request.path.hasPrefix(webhook)
    return isPath && (request.method == "POST" || isReport(request))
  }

  /// Whether a request without a body has a position in its query.
  private static func isReport(_ request: HTTPRequest) -> Bool {
    request.method == "GET" && PositionReport.isReport(request.query)
  }

  /// Query items with which OsmAnd, Traccar, GPSLogger and others report positions.
  private static let reportNames: Set<String> = [
    "id", "deviceid", "device", "imei", "lat", "latitude", "lon", "lng", "long", "longitude",
    "location", "timestamp",
  ]

  /// Whether a request looks as if it reported a position, though in no form that is known.
  package static func resemblesReport(_ request: HTTPRequest) -> Bool {
    request.query.contains { reportNames.contains($0.name.lowercased()) }
  }

  /// Whether a request that posts fixes has the secret in its query or in a webhook's path.
  package static func carries(_ token: Credential, _ request: HTTPRequest) -> Bool {
    guard isPost(request) else { return false }
    let values = ["token", "api_key"].compactMap { request.queryValue($0) }
    if values.contains(where: token.matches) { return true }
    return request.path.hasPrefix(webhook)
      && token.matches(String(request.path.dropFirst(webhook.count)))
  }

  /// Refuses a post before its body is read, or returns nil to admit it.
  package static func refuse(_ request: HTTPRequest) -> HTTPResponse? {
    guard request.method == "POST" || isReport(request) else {
      return HTTPResponse(
        .methodNotAllowed, sentence: "this address only accepts POST; \(directions)",
        fields: [("Allow", "POST")])
    }
    // Any page can make a browser send this, without an `Origin` header.
    let isByBrowser =
      request.field("sec-fetch-site") != nil
      || (request.field("user-agent") ?? "").hasPrefix("Mozilla/")
    if request.method == "GET", isByBrowser {
      return HTTPResponse(
        .forbidden, sentence: "apps can send a position in the address, but browsers cannot")
    }
    let type = (request.field("content-type") ?? "").lowercased()
    if type.hasPrefix("multipart/") {
      return HTTPResponse(
        .unsupportedMediaType,
        sentence: "\(type) is not a track; send forms as "
          + "application/x-www-form-urlencoded")
    }
    for family in ["image/", "audio/", "video/", "font/", "application/zip"]
    where type.hasPrefix(family) {
      return HTTPResponse(
        .unsupportedMediaType,
        sentence: "\(family.hasSuffix("/") ? type : family) is not a track")
    }
    if let coding = request.field("content-encoding")?.lowercased(),
      !["gzip", "x-gzip", "identity"].contains(coding)
    {
      return HTTPResponse(
        .unsupportedMediaType, sentence: "only gzip content encoding is supported")
    }
    return nil
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

  /// The device of fixes that name none, from an OwnTracks topic, the user name or the tracker ID.
  private static func defaultDevice(_ request: HTTPRequest, _ post: ClientPost?) -> String? {
    post?.topicDevice ?? nonempty(Credential.user(of: request)) ?? post?.trackerID
      ?? nonempty(request.queryValue("id"))
  }

  private static func nonempty(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return text
  }
}

/// How posts are read, and who hears of refused positions.
///
/// They come from the command's options and stay the same while the server runs.
package struct FixIngestOptions: Sendable {
  /// The member of a JSON object that names its device.
  package var deviceField = "device"
  /// How track files are decoded; the session's own options decide which fixes count.
  package var fixes = FixStreamOptions()
  /// Reports refused positions whose sender was told that they had arrived.
  package var log = PostLog()
  /// The time in milliseconds since 1970, for fixes without one.
  package var now: @Sendable () -> Int64 = { SystemTime.epochMilliseconds }

  /// Creates options for fixes that name their device in the member `device`.
  package init() {}
}

/// Reads posts in order, away from the server's thread.
///
/// One thread reads short posts and another long ones, so that nobody waits for someone else's long
/// post. The posts of one device stay in order: a short one waits for earlier long ones.
final class PostTurns: Sendable {
  /// The most bytes of a short post, which phones usually send.
  static var mostShortBytes: Int { 32 * 1024 }
  /// Total bytes of posts that wait or are being read.
  private static var mostBytes: Int { 32 << 20 }
  /// Additional bytes for short posts only.
  private static var shortBytes: Int { 4 << 20 }
  /// The most posts that wait or are being read, whatever their size.
  private static var mostPosts: Int { 1024 }

  /// What the lock protects: how much waits.
  private struct Contents {
    var byteCount = 0
    var postCount = 0
    /// The number of posts that each device has on the thread for long posts.
    var longCounts: [String: Int] = [:]
  }

  private let contents = Mutex(Contents())
  private let shortPosts = DispatchQueue(label: "short posts")
  private let longPosts = DispatchQueue(label: "long posts")

  /// Adds a post, or returns false if too much is waiting.
  ///
  /// `read` learns whether it runs on the thread for long posts, and returns false to be moved
  /// there.
  func add(
    of device: String, byteCount: Int, read: @escaping @Sendable (_ isLong: Bool) -> Bool
  ) -> Bool {
    let most = Self.mostBytes + (byteCount <= Self.mostShortBytes ? Self.shortBytes : 0)
    let isAdded = contents.withLock { contents in
      guard contents.byteCount + byteCount <= most, contents.postCount < Self.mostPosts else {
        return false
      }
      contents.byteCount += byteCount
      contents.postCount += 1
      return true
    }
    guard isAdded else { return false }
    shortPosts.async { [self] in
      let isAlone = contents.withLock { $0.longCounts[device] == nil }
      guard !isAlone || !read(false) else { return leave(byteCount) }
      contents.withLock { $0.longCounts[device, default: 0] += 1 }
      longPosts.async { [self] in
        _ = read(true)
        contents.withLock { contents in
          let count = (contents.longCounts[device] ?? 1) - 1
          contents.longCounts[device] = count > 0 ? count : nil
        }
        leave(byteCount)
      }
    }
    return true
  }

  private func leave(_ byteCount: Int) {
    contents.withLock { contents in
      contents.byteCount -= byteCount
      contents.postCount -= 1
    }
  }
}
#endif
