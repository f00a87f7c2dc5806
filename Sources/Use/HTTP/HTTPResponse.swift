#if Command
import NIOHTTP1

/// A response, or an error that refuses a request with one.
///
/// Each response closes its connection, and every one has the fields that keep browsers from
/// guessing types.
package struct HTTPResponse: Error, Equatable, Sendable {
  /// The status code.
  package var status: HTTPStatus
  /// Header fields other than length, connection and security, which every response has.
  package var fields: [(name: String, value: String)]
  /// The contents; must be empty with a status that has none, such as 204.
  package var body: [UInt8]

  /// Creates a response; `type` is the media type of the body.
  package init(
    _ status: HTTPStatus, type: String? = nil, fields: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.status = status
    self.fields = (type.map { [("Content-Type", $0)] } ?? []) + fields
    self.body = body
  }

  /// Creates a response with a sentence for people as its body.
  package init(
    _ status: HTTPStatus, sentence: String, fields: [(name: String, value: String)] = []
  ) {
    self.init(
      status, type: "text/plain; charset=utf-8", fields: fields, body: Array((sentence + "\n").utf8)
    )
  }

  /// Whether status, body and all fields are equal, in order.
  package static func == (one: HTTPResponse, other: HTTPResponse) -> Bool {
    one.status == other.status && one.body == other.body
      && one.fields.elementsEqual(other.fields, by: ==)
  }

  /// Asks the client to retry a little later.
  static func unavailable(_ sentence: String) -> HTTPResponse {
    HTTPResponse(.unavailable, sentence: sentence, fields: [("Retry-After", "5")])
  }

  var head: HTTPResponseHead {
    var head = Self.head(status, fields)
    if head.status.mayHaveResponseBody {
      head.headers.add(name: "Content-Length", value: "\(body.count)")
    }
    return head
  }

  /// The head of an event stream, which has no length.
  static var streamHead: HTTPResponseHead {
    head(
      .ok,
      [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        // Keeps proxies from buffering events.
        ("X-Accel-Buffering", "no"),
      ])
  }

  private static func head(
    _ status: HTTPStatus, _ fields: [(name: String, value: String)]
  ) -> HTTPResponseHead {
    // A line break in a value would start another field.
    let safe = (fields + common).map { field in
      (field.name, field.value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })
    }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status.rawValue),
      headers: HTTPHeaders(safe))
  }

  /// One request per connection is simple, and fast enough for a page of five files.
  private static let common: [(name: String, value: String)] = [
    ("Connection", "close"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

/// A status code (RFC 9110, section 15).
///
/// These are the ones that servers here send. 431 is from RFC 6585, section 5.
package enum HTTPStatus: Int, Sendable {
  case ok = 200
  case noContent = 204
  case seeOther = 303
  case badRequest = 400
  case unauthorized = 401
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case contentTooLarge = 413
  case uriTooLong = 414
  case unsupportedMediaType = 415
  case headerFieldsTooLarge = 431
  case internalError = 500
  case notImplemented = 501
  case unavailable = 503
  case versionNotSupported = 505
}
#endif
