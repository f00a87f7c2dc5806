import HTTP
import TestSupport
import Testing

@Suite("A request")
struct RequestDecoderTests {
  private static let limits: HTTPLimits = {
    var limits = HTTPLimits()
    limits.headBytes = 1024
    limits.headerCount = 10
    limits.bodyBytes = 64
    return limits
  }()

  /// Decodes bytes that come in pieces of a size; nil where more are needed.
  private static func decode(_ text: String, pieces: Int = .max) throws(HTTPRefusal) -> HTTPRequest?
  {
    var decoder = RequestDecoder(limits: limits)
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, pieces == .max ? bytes.count : start + pieces)
      if case .complete(let request) = try decoder.take(Array(bytes[start..<end])) {
        return request
      }
      start = end
    }
    return nil
  }

  private static func status(_ text: String, pieces: Int = .max) -> HTTPStatus? {
    do throws(HTTPRefusal) {
      return try decode(text, pieces: pieces) == nil ? nil : .ok
    } catch {
      return error.status
    }
  }

  @Test("is the same however its bytes are cut", arguments: [1, 2, 3, 7, 64, .max])
  func cuts(pieces: Int) throws {
    let text =
      "POST /a%20b/c?x=1&y=a+b%2B&z HTTP/1.1\r\nHost: localhost:80\r\nX-Limit-U:  me \r\n"
      + "Content-Length: 5\r\n\r\nhello"
    let request = try #require(try Self.decode(text, pieces: pieces))
    #expect(request.method == "POST")
    #expect(request.path == "/a b/c")
    #expect(request.query.map(\.name) == ["x", "y", "z"])
    #expect(request.query.map(\.value) == ["1", "a b+", ""])
    #expect(request.field("x-limit-u") == "me")
    #expect(request.host == "localhost")
    #expect(String(decoding: request.body, as: UTF8.self) == "hello")
  }

  @Test("in chunks has the body of the chunks", arguments: [1, 5, .max])
  func chunks(pieces: Int) throws {
    let text =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "4;note=1\r\nWiki\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
    let request = try #require(try Self.decode(text, pieces: pieces))
    #expect(String(decoding: request.body, as: UTF8.self) == "Wiki0123456789")
  }

  @Test(
    "that is not well-formed is refused, also byte by byte",
    arguments: [
      ("GET /\r\nHost: a\r\n\r\n", .badRequest),
      ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .versionNotSupported),
      ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("GET /%C3%28 HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("GET /?a=%0d%0a HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("G\u{1}T / HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("GET / HTTP/1.1\r\n\r\n", .badRequest),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .badRequest),
      ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .badRequest),
      ("GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n", .badRequest),
      ("GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n", .badRequest),
      ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", .badRequest),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", .badRequest
      ),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", .badRequest),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", .badRequest),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        .badRequest
      ),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .notImplemented),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .badRequest),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", .badRequest),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\nab\r\n", .badRequest),
    ] as [(String, HTTPStatus)])
  func malformed(text: String, status: HTTPStatus) {
    #expect(Self.status(text) == status)
    #expect(Self.status(text, pieces: 1) == status)
  }

  @Test(
    "that is too large is refused before it is kept",
    arguments: [
      ("GET /" + String(repeating: "a", count: 1100), .uriTooLong),
      (
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 1100),
        .headerFieldsTooLarge
      ),
      (
        "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: b\r\n", count: 11) + "\r\n",
        .headerFieldsTooLarge
      ),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65\r\n\r\n", .contentTooLarge),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        .contentTooLarge
      ),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n41\r\n", .contentTooLarge),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
        .contentTooLarge
      ),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(repeating: "0", count: 300),
        .badRequest
      ),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
          + String(repeating: "A: b\r\n", count: 1000),
        .headerFieldsTooLarge
      ),
    ] as [(String, HTTPStatus)])
  func tooLarge(text: String, status: HTTPStatus) {
    #expect(Self.status(text) == status)
    #expect(Self.status(text, pieces: 1) == status)
  }

  @Test("that has not come whole is waited for")
  func incomplete() throws {
    let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
    for count in 0..<text.utf8.count {
      #expect(try Self.decode(String(decoding: text.utf8.prefix(count), as: UTF8.self)) == nil)
    }
  }

  @Test("of random bytes is refused or waited for, and never more is kept than allowed")
  func random() {
    var generator = SplitMix64(seed: 6)
    let pieces = [
      "GET ", "/", " HTTP/1.1", "\r\n", "Host: a", ":", "\0", "\n", "é", "Content-Length: 9",
    ]
    for _ in 0..<2000 {
      var decoder = RequestDecoder(limits: Self.limits)
      for _ in 0..<40 {
        let piece = pieces.randomElement(using: &generator) ?? ""
        do throws(HTTPRefusal) {
          if case .complete = try decoder.take(Array(piece.utf8)) { break }
        } catch {
          break
        }
      }
      #expect(decoder.keptBytes <= 1024 + 64)
    }
  }
}
