import Foundation
import FencepostHTTP
import TestSupport
import Synchronization
import Testing

/// A test's server: by default it echoes the path, and it stops with the test.
final class ServerFixture {
  let server: HTTPServer
  var port: UInt16 { server.port }

  init(
    _ limits: HTTPLimits = HTTPLimits(),
    _ handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer = { request in
      .response(HTTPResponse(.ok, sentence: "\(request.path) \(request.body.count)"))
    },
    byHead: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
  ) throws {
    server = try HTTPServer(try #require(HTTPAddress("127.0.0.1:0")), limits: limits)
    server.start { HTTPHandler(answerByHead: byHead) { request, _ in handler(request) } }
  }

  deinit { server.stop() }
}

/// A feed that always has more to send, and counts its calls.
private final class EndlessFeed: EventFeed {
  let asked: Asked
  let pieceBytes: Int

  final class Asked: Sendable { let count = Atomic(0) }

  init(_ asked: Asked, pieceBytes: Int) {
    self.asked = asked
    self.pieceBytes = pieceBytes
  }

  var dueMilliseconds: Int64? { 0 }

  func last(nowMilliseconds: Int64) -> [UInt8]? { nil }

  func next(nowMilliseconds: Int64) -> [UInt8]? {
    asked.count.add(1, ordering: .relaxed)
    return [UInt8](repeating: 0x61, count: pieceBytes)
  }
}

/// The number of events, set from any thread.
final class Sayings: Sendable { let count = Atomic(0) }

/// Says what is new when it is asked, and waits to be asked.
final class PatientFeed: EventFeed {
  private let sayings: Sayings
  private var said = 0

  init(_ sayings: Sayings) {
    self.sayings = sayings
  }

  var dueMilliseconds: Int64? { nil }

  func last(nowMilliseconds: Int64) -> [UInt8]? { Array("over".utf8) }

  func next(nowMilliseconds: Int64) -> [UInt8]? {
    let count = sayings.count.load(ordering: .sequentiallyConsistent)
    guard count > said else { return nil }
    defer { said = count }
    return Array("<\(count)>".utf8)
  }
}

@Suite("The server")
struct HTTPServerTests {
  @Test("answers a request and closes the connection")
  func answers() throws {
    let fixture = try ServerFixture()
    let client = try RawClient(port: fixture.port)
    try client.get("/hello")
    try client.waitForClose()
    #expect(client.status == 200)
    #expect(client.body == "/hello 0\n")
    #expect(client.text.contains("Connection: close"))
    #expect(client.text.contains("X-Content-Type-Options: nosniff"))
  }

  @Test("answers HEAD with the length and without the body")
  func head() throws {
    let fixture = try ServerFixture()
    let client = try RawClient(port: fixture.port)
    try client.send("HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try client.waitForClose()
    #expect(client.status == 200)
    #expect(client.text.contains("Content-Length: 9"))
    #expect(client.body == "")
  }

  @Test("sends 100 Continue to a client that expects it")
  func expectContinue() throws {
    let fixture = try ServerFixture()
    let client = try RawClient(port: fixture.port)
    try client.send(
      "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    try client.wait("it was not told to go on") { $0.text.contains("100 Continue\r\n\r\n") }
    try client.send("abc")
    try client.waitForClose()
    #expect(client.text.contains("200 OK"))
    #expect(client.body.contains("/x 3"))
  }

  @Test("refuses an endless head, and keeps no more of it than allowed")
  func endlessHead() throws {
    let fixture = try ServerFixture()
    let client = try RawClient(port: fixture.port)
    try client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
    try client.send([UInt8](repeating: 0x61, count: 4 << 20))
    try client.wait("no answer") { $0.status != nil || $0.isClosed }
    #expect(client.status == 431)
  }

  @Test("refuses a body by its declared length, before it comes")
  func largeBody() throws {
    let fixture = try ServerFixture()
    let client = try RawClient(port: fixture.port)
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
    try client.wait("no answer") { $0.status != nil }
    #expect(client.status == 413)
  }

  @Test("refuses a body in chunks as soon as it is too long, and the client sees why")
  func endlessBody() throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 100_000
    let fixture = try ServerFixture(limits)
    let client = try RawClient(port: fixture.port)
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"
    for _ in 0..<200 { try client.send(chunk) }
    try client.wait("no answer") { $0.status != nil }
    #expect(client.status == 413)
  }

  @Test("gives up a request that comes too slowly")
  func slowHead() throws {
    var limits = HTTPLimits()
    limits.headMilliseconds = 200
    let fixture = try ServerFixture(limits)
    let client = try RawClient(port: fixture.port)
    try client.send("GET / HT")
    try client.waitForClose()
    #expect(client.status == 408)
  }

  @Test("gives up a body that comes too slowly")
  func slowBody() throws {
    var limits = HTTPLimits()
    limits.bodyMilliseconds = 200
    let fixture = try ServerFixture(limits)
    let client = try RawClient(port: fixture.port)
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
    try client.waitForClose()
    #expect(client.status == 408)
  }

  @Test("keeps room for pages besides event streams")
  func streams() throws {
    var limits = HTTPLimits()
    limits.streams = 2
    // Nobody reads the streams here; they are not to be given up for that.
    limits.stallMilliseconds = 600_000
    let fixture = try ServerFixture(limits) { request in
      request.path == "/events"
        ? .events(EndlessFeed(EndlessFeed.Asked(), pieceBytes: 10))
        : .response(HTTPResponse(.ok, sentence: "page"))
    }
    let open = try (0..<2).map { _ in try RawClient(port: fixture.port) }
    for client in open {
      try client.get("/events")
      try client.wait("no stream") { $0.status == 200 }
    }
    let third = try RawClient(port: fixture.port)
    try third.get("/events")
    try third.waitForClose()
    #expect(third.status == 503)
    let page = try RawClient(port: fixture.port)
    try page.get("/")
    try page.waitForClose()
    #expect(page.status == 200)
    // Until here both streams are held open.
    #expect(open.allSatisfy { !$0.isClosed })
  }

  @Test(
    "requests no more events than a slow client takes, serves others meanwhile, and gives it up")
  func slowClient() throws {
    let asked = EndlessFeed.Asked()
    var limits = HTTPLimits()
    limits.stallMilliseconds = 1000
    limits.streams = 1
    let fixture = try ServerFixture(limits) { request in
      request.path == "/events"
        ? .events(EndlessFeed(asked, pieceBytes: 1 << 20))
        : .response(HTTPResponse(.ok, sentence: "page"))
    }
    let slow = try RawClient(port: fixture.port, receiveBytes: 4096)
    try slow.get("/events")
    for _ in 0..<20 {
      let other = try RawClient(port: fixture.port)
      try other.get("/")
      try other.waitForClose()
      #expect(other.status == 200)
    }
    // What the system holds on the way is some hundred kilobytes: far less than two pieces.
    #expect(asked.count.load(ordering: .relaxed) <= 2)
    // There is room for another stream only when the slow one was given up.
    try Bell().wait("there is no room") {
      let next = try RawClient(port: fixture.port)
      try next.get("/events")
      try next.wait("no answer") { $0.status != nil }
      return next.status == 200
    }
    try slow.waitForClose()
    #expect(slow.received.count < 4 << 20)
  }

  @Test("answers when another thread keeps a promise, or that none came in time")
  func promises() throws {
    let promise = HTTPPromise()
    let patient = try ServerFixture { _ in .later(promise) }
    let kept = try RawClient(port: patient.port)
    try kept.get("/kept")
    Thread.detachNewThread { promise.keep(HTTPResponse(.ok, sentence: "kept")) }
    try kept.waitForClose()
    #expect(kept.body == "kept\n")
    var limits = HTTPLimits()
    limits.answerMilliseconds = 100
    let hasty = try ServerFixture(limits) { _ in .later(HTTPPromise()) }
    let broken = try RawClient(port: hasty.port)
    try broken.get("/broken")
    try broken.waitForClose()
    #expect(broken.status == 503)
  }

  @Test("names the port that is taken")
  func portTaken() throws {
    let fixture = try ServerFixture()
    let address = try #require(HTTPAddress("127.0.0.1:\(fixture.port)"))
    let error = #expect(throws: ListeningError.self) { _ = try HTTPServer(address) }
    #expect(
      error?.description
        == "cannot listen on 127.0.0.1:\(fixture.port): another program is using that port"
    )
    #expect(error?.isAddressWrong == false)
    let strange = try #require(HTTPAddress("203.0.113.7:0"))
    #expect(throws: ListeningError.self) { _ = try HTTPServer(strange) }
  }

  @Test("closes every connection when stopped")
  func stops() throws {
    let fixture = try ServerFixture { _ in .events(EndlessFeed(EndlessFeed.Asked(), pieceBytes: 10))
    }
    let client = try RawClient(port: fixture.port)
    try client.get("/events")
    try client.wait("no stream") { $0.status == 200 }
    fixture.server.stop()
    try client.waitForClose()
  }

  @Test("never lets a header field of an answer break its line")
  func splitting() throws {
    let fixture = try ServerFixture { _ in
      .response(HTTPResponse(.ok, fields: [("Location", "/\r\nSet-Cookie: a=b")]))
    }
    let client = try RawClient(port: fixture.port)
    try client.get("/")
    try client.waitForClose()
    #expect(client.text.contains("Location: /Set-Cookie: a=b\r\n"))
  }

  @Test("sends a long answer completely, even to a slow client")
  func longAnswer() throws {
    var limits = HTTPLimits()
    limits.stallMilliseconds = 10_000
    let body = [UInt8]((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 % 251) })
    let fixture = try ServerFixture(limits) { _ in .response(HTTPResponse(.ok, body: body)) }
    let client = try RawClient(port: fixture.port, receiveBytes: 4096)
    try client.get("/")
    try client.waitForClose()
    #expect(client.received.suffix(body.count).elementsEqual(body))
  }

  @Test("gives up a client that reads nothing of its answer")
  func stalledAnswer() throws {
    var limits = HTTPLimits()
    limits.stallMilliseconds = 100
    let body = [UInt8](repeating: 0x61, count: 16 << 20)
    let fixture = try ServerFixture(limits) { _ in .response(HTTPResponse(.ok, body: body)) }
    let slow = try RawClient(port: fixture.port, receiveBytes: 4096)
    try slow.get("/long")
    try slow.wait("no answer") { $0.status == 200 }
    try slow.waitUntilDropped()
    try slow.waitForClose()
    #expect(slow.received.count < body.count)
  }

  @Test("sends news to streams when woken from any thread")
  func wakes() throws {
    let sayings = Sayings()
    let fixture = try ServerFixture { _ in .events(PatientFeed(sayings)) }
    let clients = try (0..<3).map { _ in try RawClient(port: fixture.port) }
    for client in clients {
      try client.get("/events")
      try client.wait("no stream") { $0.status == 200 }
    }
    for count in 1...50 {
      sayings.count.store(count, ordering: .sequentiallyConsistent)
      fixture.server.wake()
      for client in clients {
        try client.wait("not told of \(count)") { $0.text.contains("<\(count)>") }
      }
    }
  }

  @Test("sends the last events of streams when stopped")
  func lastWords() throws {
    let fixture = try ServerFixture { _ in .events(PatientFeed(Sayings())) }
    let client = try RawClient(port: fixture.port)
    try client.get("/events")
    try client.wait("no stream") { $0.status == 200 }
    fixture.server.stop()
    try client.waitForClose()
    #expect(client.body == "over")
    // Late calls have no effect.
    fixture.server.wake()
    fixture.server.stop()
  }

  @Test("frees its port when stopped, and when released without")
  func freesPort() throws {
    let stopped = try ServerFixture()
    let port = stopped.port
    stopped.server.stop()
    let address = try #require(HTTPAddress("127.0.0.1:\(port)"))
    for _ in 0..<2 {
      var server: HTTPServer?
      try Bell().wait("the port is not free") {
        server = try? HTTPServer(address)
        return server != nil
      }
      #expect(server?.port == port)
    }
  }

  @Test(
    "listens on every kind of address, and reports what is wrong with others",
    arguments: [
      ("127.0.0.1:0", nil), ("localhost:0", nil), ("0.0.0.0:0", nil), (":0", nil),
      ("203.0.113.7:0", "cannot listen on 203.0.113.7:0: this machine has no such address"),
      ("no-such-host.invalid:0", "cannot listen on no-such-host.invalid:0: "),
    ] as [(String, String?)])
  func addresses(text: String, sentence: String?) throws {
    let address = try #require(HTTPAddress(text))
    do throws(ListeningError) {
      let server = try HTTPServer(address)
      #expect(sentence == nil)
      #expect(server.port > 0)
      // Connections wait until it begins to answer.
      let client = try? RawClient(port: server.port)
      try? client?.get("/")
      server.start { HTTPHandler { _, _ in .response(HTTPResponse(.ok, sentence: "here")) } }
      try? client?.waitForClose()
      #expect(client?.status == 200)
      server.stop()
    } catch {
      #expect(sentence.map { error.description.hasPrefix($0) } == true)
      #expect(error.isAddressWrong)
    }
  }
}
