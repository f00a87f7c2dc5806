import Foundation
import FencepostHTTP
import Synchronization
import TestSupport
import Testing

@Suite("The server with many clients")
struct CrowdTests {
  /// Admits requests that name the word.
  private static func stranger(_ request: HTTPRequest) -> HTTPResponse? {
    request.field("word") == "please" ? nil : HTTPResponse(.unauthorized, sentence: "the word")
  }

  /// Asks for a path and waits for the whole answer.
  private static func status(
    _ fixture: ServerFixture, _ path: String = "/", _ fields: [String] = []
  ) throws
    -> Int?
  {
    let client = try RawClient(port: fixture.port)
    try client.get(path, ["Host: a"] + fields)
    try client.waitForClose()
    return client.status
  }

  @Test("closes the oldest unadmitted connection for a new one")
  func unadmitted() throws {
    var limits = HTTPLimits()
    limits.unadmitted = 4
    limits.headMilliseconds = 600_000
    let fixture = try ServerFixture(limits, byHead: Self.stranger)
    let idle = try (0..<4).map { _ in try RawClient(port: fixture.port) }
    for client in idle.dropFirst() { try client.send("GET / HTTP/1.1\r\n") }
    #expect(try Self.status(fixture, "/", ["Word: please"]) == 200)
    try idle[0].waitForClose()
    #expect(idle[0].received.isEmpty)
    // There is a free place now: one that comes takes it, and the next is for another's.
    let fifth = try RawClient(port: fixture.port)
    #expect(try Self.status(fixture, "/", ["Word: please"]) == 200)
    try idle[1].waitForClose()
    // A client that has begun to send learns why.
    #expect(idle[1].status == 503)
    #expect(idle[1].text.contains("Retry-After: 5"))
    for client in [idle[2], idle[3], fifth] {
      client.read()
      #expect(!client.isClosed)
    }
    try idle[2].send("Host: a\r\nWord: please\r\n\r\n")
    try idle[2].waitForClose()
    #expect(idle[2].status == 200)
  }

  @Test("refuses by the head alone, without waiting for a body or sending 100 Continue")
  func byHead() throws {
    let fixture = try ServerFixture(byHead: Self.stranger)
    let head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n"
    let stranger = try RawClient(port: fixture.port)
    try stranger.send(head + "\r\n")
    try stranger.waitForClose()
    #expect(stranger.status == 401)
    #expect(!stranger.text.contains("100 Continue"))
    let friend = try RawClient(port: fixture.port)
    try friend.send(head + "Word: please\r\n\r\n")
    try friend.wait("not told to go on") { $0.text.contains("100 Continue\r\n\r\n") }
    try friend.send("abc")
    try friend.waitForClose()
    #expect(friend.body.contains("/x 3"))
  }

  @Test("sends HTTP/1.0 clients no 100 Continue")
  func oldVersion() throws {
    let fixture = try ServerFixture()
    let client = try RawClient(port: fixture.port)
    try client.send(
      "POST /x HTTP/1.0\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc")
    try client.waitForClose()
    #expect(client.status == 200)
  }

  @Test("keeps places for admitted requests despite many strangers")
  func strangers() throws {
    let fixture = try ServerFixture(byHead: Self.stranger)
    var strangers: [RawClient] = []
    for _ in 0..<200 {
      let client = try RawClient(port: fixture.port)
      // Announced, and never sent.
      try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
      strangers.append(client)
    }
    let start = Date()
    for _ in 0..<20 { #expect(try Self.status(fixture, "/", ["Word: please"]) == 200) }
    // Far less than any of the limits of time, and far more than it takes.
    #expect(Date().timeIntervalSince(start) < 10)
  }

  @Test("closes the longest stalled body for a new request")
  func still() throws {
    var limits = HTTPLimits()
    limits.admitted = 2
    let fixture = try ServerFixture(limits)
    let head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n"
    let bytes = { String(repeating: "a", count: $0) }
    let first = try RawClient(port: fixture.port)
    try first.send(head + bytes(10))
    Thread.sleep(forTimeInterval: 0.05)
    let second = try RawClient(port: fixture.port)
    try second.send(head + bytes(10))
    Thread.sleep(forTimeInterval: 0.05)
    // The first goes on, while a byte now and then is not enough for the second.
    try first.send(bytes(1990))
    Thread.sleep(forTimeInterval: 0.05)
    try second.send(bytes(1))
    #expect(try Self.status(fixture) == 200)
    try second.waitForClose()
    #expect(second.status == 503)
    try first.send(bytes(1000))
    try first.waitForClose()
    #expect(first.body == "/x 3000\n")
  }

  @Test("closes a client that does not read its answer")
  func unread() throws {
    var limits = HTTPLimits()
    limits.admitted = 1
    let body = [UInt8](repeating: 0x61, count: 16 << 20)
    let fixture = try ServerFixture(limits) { request in
      .response(HTTPResponse(.ok, body: request.path == "/long" ? body : []))
    }
    let slow = try RawClient(port: fixture.port, receiveBytes: 4096)
    try slow.get("/long")
    try slow.wait("no answer") { $0.status == 200 }
    #expect(try Self.status(fixture) == 200)
    try slow.waitForClose()
    #expect(slow.received.count < body.count)
  }

  @Test("refuses a request if all others wait for the server")
  func busy() throws {
    var limits = HTTPLimits()
    limits.admitted = 1
    let promise = HTTPPromise()
    let fixture = try ServerFixture(limits) { request in
      request.path == "/later" ? .later(promise) : .response(HTTPResponse(.ok))
    }
    let waiting = try RawClient(port: fixture.port)
    try waiting.get("/later")
    #expect(try Self.status(fixture) == 503)
    promise.keep(HTTPResponse(.ok, sentence: "kept"))
    try waiting.waitForClose()
    #expect(waiting.body == "kept\n")
    #expect(try Self.status(fixture) == 200)
  }

  @Test("gives up a body that grows too slowly")
  func drip() throws {
    var limits = HTTPLimits()
    limits.bodyStepMilliseconds = 500
    let fixture = try ServerFixture(limits)
    let client = try RawClient(port: fixture.port)
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
    let end = Date(timeIntervalSinceNow: 20)
    while client.status == nil, Date() < end {
      try client.send("a")
      client.read()
    }
    #expect(client.status == 408)
  }

  @Test("keeps event streams open and supplied, whatever other clients do")
  func streams() throws {
    var limits = HTTPLimits()
    limits.unadmitted = 2
    limits.admitted = 2
    limits.streams = 2
    let sayings = Sayings()
    let fixture = try ServerFixture(limits) { request in
      request.path == "/events"
        ? .events(PatientFeed(sayings)) : .response(HTTPResponse(.ok, sentence: "page"))
    }
    let viewers = try (0..<2).map { _ in try RawClient(port: fixture.port) }
    for viewer in viewers {
      try viewer.get("/events")
      try viewer.wait("no stream") { $0.status == 200 }
    }
    var others: [RawClient] = []
    for count in 1...20 {
      for head in ["", "GET /", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"] {
        others.append(try RawClient(port: fixture.port))
        try others.last?.send(head)
      }
      #expect(try Self.status(fixture) == 200)
      sayings.count.store(count, ordering: .sequentiallyConsistent)
      fixture.server.wake()
      for viewer in viewers {
        try viewer.wait("not told of \(count)") { $0.text.contains("<\(count)>") }
      }
    }
  }
}
