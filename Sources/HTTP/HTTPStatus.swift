/// A status code (RFC 9110, section 15).
public enum HTTPStatus: Int, Sendable {
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

/// A refused request.
public struct HTTPRefusal: Error, Equatable, Sendable {
  /// The status of the answer.
  public var status: HTTPStatus
  /// The reason, for the client.
  public var sentence: String

  /// Makes a refusal of its parts.
  public init(_ status: HTTPStatus, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }
}
