import NIOHTTP1

/// An answer, whole.
public struct HTTPResponse: Equatable, Sendable {
  /// What it says of the request.
  public var status: HTTPStatus
  /// Header fields, besides those of length, connection and safety, which are always there.
  public var fields: [(name: String, value: String)]
  /// What follows the head.
  public var body: [UInt8]

  /// Makes an answer of its parts.
  public init(
    _ status: HTTPStatus, type: String? = nil, fields: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.status = status
    self.fields = (type.map { [("Content-Type", $0)] } ?? []) + fields
    self.body = body
  }

  /// Makes an answer of a sentence.
  public init(
    _ status: HTTPStatus, sentence: String, fields: [(name: String, value: String)] = []
  ) {
    self.init(
      status, type: "text/plain; charset=utf-8", fields: fields, body: Array((sentence + "\n").utf8)
    )
  }

  /// Makes the answer to a request that is refused.
  public init(_ refusal: HTTPRefusal) {
    self.init(refusal.status, sentence: refusal.sentence)
  }

  /// Whether two answers are the same to whoever gets them.
  public static func == (one: HTTPResponse, other: HTTPResponse) -> Bool {
    one.status == other.status && one.body == other.body
      && one.fields.elementsEqual(other.fields, by: ==)
  }

  /// The answer to one who is to come again a little later.
  static func unavailable(_ sentence: String) -> HTTPResponse {
    HTTPResponse(.unavailable, sentence: sentence, fields: [("Retry-After", "5")])
  }

  /// What goes before the body.
  var head: HTTPResponseHead {
    let head = Self.head(status, fields)
    guard head.status.mayHaveResponseBody else { return head }
    var framed = head
    framed.headers.add(name: "Content-Length", value: "\(body.count)")
    return framed
  }

  /// What goes before a stream of events.
  static var streamHead: HTTPResponseHead {
    head(
      .ok,
      [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        // Proxies would hold events back until they have a page full.
        ("X-Accel-Buffering", "no"),
      ])
  }

  private static func head(
    _ status: HTTPStatus, _ fields: [(name: String, value: String)]
  ) -> HTTPResponseHead {
    // A field never ends before its line does, whatever it was made of.
    let safe = (fields + common).map { field in
      (field.name, field.value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })
    }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status.rawValue),
      headers: HTTPHeaders(safe))
  }

  /// One request a connection: it is simple, and costs a page of five files nothing.
  private static let common: [(name: String, value: String)] = [
    ("Connection", "close"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

/// What a server does with a request.
public enum HTTPAnswer {
  /// Answers at once.
  case response(HTTPResponse)
  /// Answers when the promise is kept.
  case later(HTTPPromise)
  /// Sends events until the client goes away.
  case events(any EventFeed)
}

/// A stream of server-sent events for one client.
///
/// Used on the server's thread only. It is asked for more only when all that it gave before is on its
/// way: what a slow client does not take is never made.
public protocol EventFeed: AnyObject {
  /// The next bytes.
  ///
  /// - Parameter nowMilliseconds: A clock that never goes back.
  /// - Returns: The bytes; nil where there is nothing to say now.
  func next(nowMilliseconds: Int64) -> [UInt8]?
  /// The last bytes, as the server stops.
  ///
  /// - Parameter nowMilliseconds: A clock that never goes back.
  /// - Returns: The bytes; nil where there is nothing left to say.
  func last(nowMilliseconds: Int64) -> [UInt8]?
  /// When to ask again although nobody has woken the server; nil whenever.
  var dueMilliseconds: Int64? { get }
}
