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

  @Test("closes the oldest connection without a request if one more comes, and it has had its time")
  func unadmitted() throws {
    var limits = HTTPLimits()
    limits.connections = 4
    limits.patienceMilliseconds = 0
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

  @Test("lets others wait at the socket, and closes none that is slow to send its head")
  func waiting() throws {
    var limits = HTTPLimits()
    limits.connections = 4
    limits.patienceMilliseconds = 600_000
    limits.headMilliseconds = 600_000
    let fixture = try ServerFixture(limits)
    let clients = try (0..<40).map { _ in try RawClient(port: fixture.port) }
    for client in clients.dropFirst(10) { try client.get("/late", ["Host: a"]) }
    // Those that have sent nothing yet fill all places.
    for client in clients {
      client.read()
      #expect(!client.isClosed && client.received.isEmpty)
    }
    for client in clients.prefix(10) { try client.get("/slow", ["Host: a"]) }
    for client in clients {
      try client.waitForClose()
      #expect(client.status == 200)
    }
  }

  @Test("answers every request that waited for the server to start, at once or late")
  func backlog() throws {
    let promises = Mutex<[HTTPPromise]>([])
    var limits = HTTPLimits()
    limits.connections = 150
    let server = try HTTPServer(try #require(HTTPAddress("127.0.0.1:0")), limits: limits)
    defer { server.stop() }
    let clients = try (0..<300).map { number in
      let client = try RawClient(port: server.port)
      try client.post(number.isMultiple(of: 2) ? "/late" : "/", "abc", ["Host: a"])
      return client
    }
    server.start {
      HTTPHandler { request, _ in
        guard request.path == "/late" else { return .response(HTTPResponse(.ok)) }
        let promise = HTTPPromise()
        promises.withLock { $0.append(promise) }
        return .later(promise)
      }
    }
    // Half of them are answered although the others wait.
    for isLate in [false, true] {
      if isLate { promises.withLock { $0 }.forEach { $0.keep(HTTPResponse(.ok)) } }
      for (number, client) in clients.enumerated() where number.isMultiple(of: 2) == isLate {
        try client.waitForClose()
        #expect(client.status == 200)
      }
    }
  }

  @Test("lets that connection give way which has had its answer, then a stranger's, then a crowd's")
  func yielding() {
    var limits = HTTPLimits()
    (limits.patienceMilliseconds, limits.crowd) = (1000, 2)
    /// What happens when a connection comes beside these.
    func next(_ candidates: [(String, Bool, Int64?)]) -> [Int64]? {
      let next = Yielding(limits).next(
        of: (candidates + [("new", false, 5000)]).map {
          Yielding.Candidate(client: $0, isAdmitted: $1, stalledSinceMilliseconds: $2)
        })
      return next.map { [Int64($0.index), $0.dueMilliseconds] }
    }
    #expect(next([("1", true, nil)]) == [1, 6000])
    #expect(next([("1", false, 300), ("2", false, 200)]) == [1, 1200])
    #expect(next([("1", true, 100), ("2", false, 200)]) == [1, 1200])
    #expect(next([("1", false, 300), ("2", true, .min)]) == [1, .min])
    #expect(next([("1", true, 300), ("2", true, 200), ("3", true, nil)]) == [1, 1200])
    // Three from one address are a crowd, unless their requests were admitted.
    let crowd: [(String, Bool, Int64?)] = [
      ("7", false, 500), ("7", false, 450), ("7", false, 460),
    ]
    #expect(next([("1", false, 100)] + crowd) == [2, 950])
    #expect(next([("1", false, 100)] + crowd.dropLast() + [("7", true, 0)]) == [0, 1100])
  }

  @Test(
    "counts an IPv4 address as one client, and a network of IPv6 addresses",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("::1", "0:0:0:0"),
      ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8:1:2::", "2001:db8:1:2"),
      ("2001:db8::1:2:3:4:5", "2001:db8:0:1"), ("2001:db8::9", "2001:db8:0:0"), ("", "0:0:0:0"),
    ])
  func client(address: String, client: String) {
    #expect(Yielding.client(at: address) == client)
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
    // None is given up in favor of another, so that an answer shows that there was a place.
    var limits = HTTPLimits()
    limits.patienceMilliseconds = 600_000
    let fixture = try ServerFixture(limits, byHead: Self.stranger)
    var strangers: [RawClient] = []
    for _ in 0..<200 {
      let client = try RawClient(port: fixture.port)
      // Announced, and never sent.
      try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
      strangers.append(client)
    }
    for _ in 0..<20 { #expect(try Self.status(fixture, "/", ["Word: please"]) == 200) }
  }

  @Test("closes the longest stalled body for a new request")
  func still() throws {
    var limits = HTTPLimits()
    (limits.connections, limits.patienceMilliseconds) = (2, 0)
    let fixture = try ServerFixture(limits)
    let head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n"
    let bytes = { String(repeating: "a", count: $0) }
    let first = try RawClient(port: fixture.port)
    try first.send(head + bytes(10))
    try first.waitUntilRead()
    let second = try RawClient(port: fixture.port)
    try second.send(head + bytes(10))
    try second.waitUntilRead()
    // The first goes on, while a byte now and then is not enough for the second.
    try first.send(bytes(1990))
    try first.waitUntilRead()
    try second.send(bytes(1))
    try second.waitUntilRead()
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
    (limits.connections, limits.patienceMilliseconds) = (1, 0)
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

  @Test("lets a request wait if all others wait for the server")
  func busy() throws {
    var limits = HTTPLimits()
    limits.connections = 1
    let promises = [HTTPPromise(), HTTPPromise()]
    let fixture = try ServerFixture(limits) { request in
      switch request.path {
      case "/0": .later(promises[0])
      case "/1": .later(promises[1])
      default: .response(HTTPResponse(.ok, sentence: "now"))
      }
    }
    let clients = try ["/0", "/1", "/"].map { path in
      let client = try RawClient(port: fixture.port)
      try client.get(path)
      return client
    }
    promises[1].keep(HTTPResponse(.ok, sentence: "one"))
    promises[0].keep(HTTPResponse(.ok, sentence: "zero"))
    for (client, body) in zip(clients, ["zero\n", "one\n", "now\n"]) {
      try client.waitForClose()
      #expect(client.body == body)
    }
  }

  @Test("gives up a body that grows too slowly")
  func drip() throws {
    var limits = HTTPLimits()
    limits.bodyStepMilliseconds = 500
    let fixture = try ServerFixture(limits)
    let client = try RawClient(port: fixture.port)
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
    try client.wait("it is not given up") {
      // What cannot be sent is of no more use.
      try? $0.send("a")
      return $0.status != nil
    }
    #expect(client.status == 408)
  }

  @Test("keeps event streams open and supplied, whatever other clients do")
  func streams() throws {
    var limits = HTTPLimits()
    (limits.connections, limits.patienceMilliseconds) = (2, 0)
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
