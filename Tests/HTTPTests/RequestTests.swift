import Foundation
import FencepostHTTP
import TestSupport
import Synchronization
import Testing

@Suite("A request")
struct RequestTests {
  /// Takes requests within narrow limits, and remembers them.
  private final class Counter: Sendable {
    private let server: HTTPServer
    private let requests: Requests
    var port: UInt16 { server.port }

    private final class Requests: Sendable { let taken = Mutex<[HTTPRequest]>([]) }

    init(_ change: (inout HTTPLimits) -> Void = { _ in }) throws {
      var limits = HTTPLimits()
      limits.headBytes = 1024
      limits.headerCount = 10
      limits.bodyBytes = 64
      change(&limits)
      server = try HTTPServer(try #require(HTTPAddress("127.0.0.1:0")), limits: limits)
      let requests = Requests()
      self.requests = requests
      server.start {
        HTTPHandler { request, _ in
          requests.taken.withLock { $0.append(request) }
          return .response(HTTPResponse(.ok, sentence: "taken"))
        }
      }
    }

    deinit { server.stop() }

    /// The requests that have come whole.
    var taken: [HTTPRequest] { requests.taken.withLock { $0 } }

    /// Sends bytes in pieces of a size, and waits for the answer.
    func status(_ text: String, pieces: Int = .max) throws -> Int? {
      let client = try RawClient(port: port)
      try client.send(text, pieces: pieces)
      try client.wait("no answer to \(text.prefix(200).debugDescription)") {
        $0.status != nil || $0.isClosed
      }
      return client.status
    }
  }

  @Test("is the same however its bytes are split", arguments: [1, 2, 3, 7, 64, .max])
  func cuts(pieces: Int) throws {
    let text =
      "POST /a%20b/c?x=1&y=a+b%2B&z HTTP/1.1\r\nHost: localhost:80\r\nX-Limit-U:  me \r\n"
      + "Content-Length: 5\r\n\r\nhello"
    let counter = try Counter()
    #expect(try counter.status(text, pieces: pieces) == 200)
    let request = try #require(counter.taken.first)
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
    let counter = try Counter()
    #expect(try counter.status(text, pieces: pieces) == 200)
    let request = try #require(counter.taken.first)
    #expect(String(decoding: request.body, as: UTF8.self) == "Wiki0123456789")
  }

  @Test(
    "that is malformed is refused, even byte by byte",
    arguments: [
      ("GET /\r\nHost: a\r\n\r\n", .versionNotSupported),
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
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\nx", .badRequest),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx", .badRequest),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", .badRequest
      ),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        .badRequest
      ),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        .badRequest
      ),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", .notImplemented),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", .badRequest),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
        .badRequest
      ),
      ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", .badRequest),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .badRequest),
      ("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", .notImplemented),
      ("get / HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .notImplemented),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .badRequest),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", .badRequest),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\nab\r\n", .badRequest),
    ] as [(String, HTTPStatus)])
  func malformed(text: String, status: HTTPStatus) throws {
    let counter = try Counter()
    #expect(try counter.status(text) == status.rawValue)
    #expect(try counter.status(text, pieces: 1) == status.rawValue)
    #expect(counter.taken.isEmpty)
  }

  @Test(
    "that is too large is refused before it is stored",
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
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999\r\n\r\n", .contentTooLarge),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n41\r\n"
          + String(repeating: "a", count: 65),
        .contentTooLarge
      ),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"
          + String(repeating: "a", count: 65),
        .contentTooLarge
      ),
      (
        "GET / HTTP/1.1\r\nHost: a\r\nX:" + String(repeating: " ", count: 1100),
        .headerFieldsTooLarge
      ),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
          + String(repeating: "A: b\r\n", count: 1000),
        .headerFieldsTooLarge
      ),
    ] as [(String, HTTPStatus)])
  func tooLarge(text: String, status: HTTPStatus) throws {
    let counter = try Counter()
    #expect(try counter.status(text) == status.rawValue)
    #expect(try counter.status(text, pieces: 1) == status.rawValue)
    #expect(counter.taken.isEmpty)
  }

  @Test("that is incomplete is awaited, wherever it ends")
  func incomplete() throws {
    let counter = try Counter { $0.headMilliseconds = 600_000 }
    let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
    var clients: [RawClient] = []
    for count in 1..<text.utf8.count {
      let client = try RawClient(port: counter.port)
      try client.send(Array(text.utf8.prefix(count)))
      clients.append(client)
    }
    // Each byte here is looked at after those of the others.
    #expect(try counter.status(text) == 200)
    #expect(counter.taken.count == 1)
    for (count, client) in clients.enumerated() {
      #expect(client.status == nil)
      try client.send(Array(text.utf8.dropFirst(count + 1)))
      try client.waitForClose()
      #expect(client.status == 200)
    }
  }

  @Test("that a client breaks off is neither answered nor processed")
  func brokenOff() throws {
    let counter = try Counter()
    let client = try RawClient(port: counter.port)
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell")
    client.finish()
    try client.waitForClose()
    #expect(client.received.isEmpty)
    #expect(counter.taken.isEmpty)
  }

  @Test("is answered even if the client has shut down its side")
  func halfClosed() throws {
    let counter = try Counter()
    let client = try RawClient(port: counter.port)
    try client.get("/")
    client.finish()
    try client.waitForClose()
    #expect(client.status == 200)
  }

  @Test("is the only one of its connection: later bytes are ignored")
  func pipelined() throws {
    let counter = try Counter()
    let client = try RawClient(port: counter.port)
    try client.send("GET /one HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n")
    try client.send("no request at all\0\n\n")
    try client.waitForClose()
    #expect(client.text.components(separatedBy: "HTTP/1.1 ").count == 2)
    #expect(counter.taken.map(\.path) == ["/one"])
  }

  @Test(
    "whose parts never end times out, whatever the parser skips",
    arguments: [
      "\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + String(repeating: "0", count: 3000),
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;"
        + String(repeating: "a", count: 3000),
    ])
  func endless(text: String) throws {
    let counter = try Counter { limits in
      limits.headMilliseconds = 300
      limits.bodyMilliseconds = 300
    }
    #expect(try counter.status(text) == 408)
  }

  @Test("that stalls gives way if all bodies together are too large")
  func allBodies() throws {
    let counter = try Counter { limits in
      limits.allBodyBytes = 100
      limits.shortBodyBytes = 0
    }
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60\r\n\r\n"
    let first = try RawClient(port: counter.port)
    try first.send(head + String(repeating: "a", count: 59))
    #expect(try counter.status(head + String(repeating: "b", count: 60)) == 200)
    try first.waitForClose()
    #expect(first.status == 503)
    let narrow = try Counter { limits in
      limits.allBodyBytes = 50
      limits.shortBodyBytes = 59
    }
    #expect(try narrow.status(head + String(repeating: "a", count: 60)) == 503)
    #expect(narrow.taken.isEmpty)
  }

  @Test("that is short has room beside all long ones, and lets none give way")
  func shortBody() throws {
    let counter = try Counter { limits in
      limits.bodyBytes = 100
      limits.allBodyBytes = 100
      limits.shortBodyBytes = 60
    }
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: "
    let first = try RawClient(port: counter.port)
    try first.send(head + "100\r\n\r\n" + String(repeating: "a", count: 99))
    #expect(try counter.status(head + "60\r\n\r\n" + String(repeating: "b", count: 60)) == 200)
    try first.send("a")
    try first.waitForClose()
    #expect(first.status == 200)
  }

  @Test("of random bytes is refused or awaited, and the next one is still answered")
  func random() throws {
    let counter = try Counter { limits in
      limits.headMilliseconds = 50
      limits.bodyMilliseconds = 50
    }
    var generator = SplitMix64(seed: 6)
    let pieces = [
      "GET ", "/", " HTTP/1.1", "\r\n", "Host: a", ":", "\0", "\n", "é", "Content-Length: 9",
      "PRI * HTTP/2.0", "CONNECT a:1", "Upgrade: h2c", "Connection: upgrade", "0", "POST /",
      "Transfer-Encoding: chunked", " ", "\t", "\r",
    ]
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<40 { text += pieces.randomElement(using: &generator) ?? "" }
      let client = try RawClient(port: counter.port)
      try client.send(text)
      try client.wait("neither answered nor closed") { $0.status != nil || $0.isClosed }
    }
    #expect(try counter.status("GET /after HTTP/1.1\r\nHost: a\r\n\r\n") == 200)
  }
}
