import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite("The server among many clients")
struct CrowdTests {
  /// Lets in whoever names the word.
  private static func stranger(_ request: HTTPRequest) -> HTTPResponse? {
    request.field("word") == "please" ? nil : HTTPResponse(.unauthorized, sentence: "the word")
  }

  /// Asks for a path and waits for the whole answer.
  private static func status(_ hall: Hall, _ path: String = "/", _ fields: [String] = []) throws
    -> Int?
  {
    let client = try RawClient(port: hall.port)
    try client.get(path, ["Host: a"] + fields)
    try client.waitForClose()
    return client.status
  }

  @Test("closes the oldest of those that were not let in for one that comes")
  func unadmitted() throws {
    var limits = HTTPLimits()
    limits.unadmitted = 4
    limits.headMilliseconds = 600_000
    let hall = try Hall(limits, byHead: Self.stranger)
    let idle = try (0..<4).map { _ in try RawClient(port: hall.port) }
    for client in idle.dropFirst() { try client.send("GET / HTTP/1.1\r\n") }
    #expect(try Self.status(hall, "/", ["Word: please"]) == 200)
    try idle[0].waitForClose()
    #expect(idle[0].received.isEmpty)
    // There is a free place now: one that comes takes it, and the next is for another's.
    let fifth = try RawClient(port: hall.port)
    #expect(try Self.status(hall, "/", ["Word: please"]) == 200)
    try idle[1].waitForClose()
    // What has begun to send is told why.
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

  @Test("refuses by the head alone: no body is waited for, nobody told to go on")
  func byHead() throws {
    let hall = try Hall(byHead: Self.stranger)
    let head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n"
    let stranger = try RawClient(port: hall.port)
    try stranger.send(head + "\r\n")
    try stranger.waitForClose()
    #expect(stranger.status == 401)
    #expect(!stranger.text.contains("100 Continue"))
    let friend = try RawClient(port: hall.port)
    try friend.send(head + "Word: please\r\n\r\n")
    try friend.wait("not told to go on") { $0.text.contains("100 Continue\r\n\r\n") }
    try friend.send("abc")
    try friend.waitForClose()
    #expect(friend.body.contains("/x 3"))
  }

  @Test("tells no client of HTTP/1.0 to go on")
  func oldVersion() throws {
    let hall = try Hall()
    let client = try RawClient(port: hall.port)
    try client.send(
      "POST /x HTTP/1.0\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc")
    try client.waitForClose()
    #expect(client.status == 200)
  }

  @Test("has places for those that it lets in, however many strangers there are")
  func strangers() throws {
    let hall = try Hall(byHead: Self.stranger)
    var strangers: [RawClient] = []
    for _ in 0..<200 {
      let client = try RawClient(port: hall.port)
      // Announced, and never sent.
      try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
      strangers.append(client)
    }
    let start = Date()
    for _ in 0..<20 { #expect(try Self.status(hall, "/", ["Word: please"]) == 200) }
    // Far less than any of the limits of time, and far more than it takes.
    #expect(Date().timeIntervalSince(start) < 10)
  }

  @Test("lets the body that has stood still for longest give way to a request that comes")
  func still() throws {
    var limits = HTTPLimits()
    limits.admitted = 2
    let hall = try Hall(limits)
    let head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n"
    let bytes = { String(repeating: "a", count: $0) }
    let first = try RawClient(port: hall.port)
    try first.send(head + bytes(10))
    Thread.sleep(forTimeInterval: 0.05)
    let second = try RawClient(port: hall.port)
    try second.send(head + bytes(10))
    Thread.sleep(forTimeInterval: 0.05)
    // The first goes on, while a byte now and then is not enough for the second.
    try first.send(bytes(1990))
    Thread.sleep(forTimeInterval: 0.05)
    try second.send(bytes(1))
    #expect(try Self.status(hall) == 200)
    try second.waitForClose()
    #expect(second.status == 503)
    try first.send(bytes(1000))
    try first.waitForClose()
    #expect(first.body == "/x 3000\n")
  }

  @Test("lets a client that does not take its answer give way")
  func unread() throws {
    var limits = HTTPLimits()
    limits.admitted = 1
    let body = [UInt8](repeating: 0x61, count: 16 << 20)
    let hall = try Hall(limits) { request in
      .response(HTTPResponse(.ok, body: request.path == "/long" ? body : []))
    }
    let slow = try RawClient(port: hall.port, receiveBytes: 4096)
    try slow.get("/long")
    try slow.wait("no answer") { $0.status == 200 }
    #expect(try Self.status(hall) == 200)
    try slow.waitForClose()
    #expect(slow.received.count < body.count)
  }

  @Test("turns a request away where it is the server that keeps all others waiting")
  func busy() throws {
    var limits = HTTPLimits()
    limits.admitted = 1
    let promise = HTTPPromise()
    let hall = try Hall(limits) { request in
      request.path == "/later" ? .later(promise) : .response(HTTPResponse(.ok))
    }
    let waiting = try RawClient(port: hall.port)
    try waiting.get("/later")
    #expect(try Self.status(hall) == 503)
    promise.keep(HTTPResponse(.ok, sentence: "kept"))
    try waiting.waitForClose()
    #expect(waiting.body == "kept\n")
    #expect(try Self.status(hall) == 200)
  }

  @Test("gives up a body that grows by less than a step in its time, though it grows")
  func drip() throws {
    var limits = HTTPLimits()
    limits.bodyStepMilliseconds = 500
    let hall = try Hall(limits)
    let client = try RawClient(port: hall.port)
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
    let end = Date(timeIntervalSinceNow: 20)
    while client.status == nil, Date() < end {
      try client.send("a")
      client.read()
    }
    #expect(client.status == 408)
  }

  @Test("keeps streams of events open and fed, whoever else comes")
  func streams() throws {
    var limits = HTTPLimits()
    limits.unadmitted = 2
    limits.admitted = 2
    limits.streams = 2
    let sayings = Sayings()
    let hall = try Hall(limits) { request in
      request.path == "/events"
        ? .events(PatientFeed(sayings)) : .response(HTTPResponse(.ok, sentence: "page"))
    }
    let viewers = try (0..<2).map { _ in try RawClient(port: hall.port) }
    for viewer in viewers {
      try viewer.get("/events")
      try viewer.wait("no stream") { $0.status == 200 }
    }
    var others: [RawClient] = []
    for count in 1...20 {
      for head in ["", "GET /", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"] {
        others.append(try RawClient(port: hall.port))
        try others.last?.send(head)
      }
      #expect(try Self.status(hall) == 200)
      sayings.count.store(count, ordering: .sequentiallyConsistent)
      hall.server.wake()
      for viewer in viewers {
        try viewer.wait("not told of \(count)") { $0.text.contains("<\(count)>") }
      }
    }
  }
}
