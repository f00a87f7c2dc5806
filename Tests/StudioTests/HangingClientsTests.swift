import FencepostHTTP
import FencepostStudio
import Foundation
import TestSupport
import Testing

/// Clients that keep a server busy with nothing.
private final class Hangers {
  private var idle: [RawClient] = []
  private var slow: [RawClient] = []
  private let port: UInt16

  init(port: UInt16, idle idleCount: Int, slow slowCount: Int, fields: [String]) throws {
    self.port = port
    let fields = ["Host: localhost"] + fields
    for number in 0..<slowCount {
      let client = try RawClient(port: port)
      let head = fields.map { $0 + "\r\n" }.joined()
      try client.send(
        number.isMultiple(of: 2)
          ? "GET / HTTP/1.1\r\n\(head)X: "
          : "POST /fixes?device=slow HTTP/1.1\r\n\(head)Content-Length: 100000\r\n\r\n")
      slow.append(client)
    }
    try come(idleCount)
  }

  /// More of them come, and say nothing.
  func come(_ count: Int) throws {
    for _ in 0..<count { idle.append(try RawClient(port: port)) }
  }

  /// Each slow one sends a byte.
  func drip() throws {
    for client in slow { try client.send("a") }
  }
}

@Suite("A map that takes fixes, among clients that hang", .serialized, .onOwnThreads)
struct HangingClientsTests {
  /// Lets this program have as many sockets as it needs.
  private static func allowDescriptors(_ count: UInt) throws {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    // The system writes the limits, and reads them.
    try #require(unsafe getrlimit(kind, &limit) == 0)
    guard limit.rlim_cur < count else { return }
    try #require(limit.rlim_max >= count, "more descriptors than the system allows")
    limit.rlim_cur = count
    try #require(unsafe setrlimit(kind, &limit) == 0)
  }

  private static func location(_ second: Int) -> String {
    #"{"_type":"location","lat":40,"lon":-75,"tst":\#(1_772_649_000 + second)}"#
  }

  @Test(
    "takes and shows fixes, while 1,000 clients are silent and 200 send a byte at a time",
    arguments: [
      ["Authorization: Bearer wrong"], ["Authorization: Bearer s3cret"], nil,
    ] as [[String]?])
  func hangs(crowdFields: [String]?) throws {
    try Self.allowDescriptors(4096)
    let isOpen = crowdFields == nil
    let serve = try IngestScene { if !isOpen { $0.site.token = "s3cret" } }
    let port = serve.scene.port
    let ours = ["Host: localhost"] + (isOpen ? [] : ["Authorization: Bearer s3cret"])
    let viewer = try RawClient(port: port)
    try viewer.get("/events", ours)
    try viewer.wait("no stream") { $0.text.contains("event: state") }
    let crowd = try Hangers(port: port, idle: 1000, slow: 200, fields: crowdFields ?? [])
    for round in 0..<20 {
      try crowd.come(20)
      try crowd.drip()
      let client = try RawClient(port: port)
      let device = "d\(round)"
      try client.post("/pub?device=\(device)", Self.location(round), ours)
      try client.wait("round \(round): no answer") { $0.isClosed }
      #expect(client.status == 200)
      #expect(client.body == "[]")
      try viewer.wait("round \(round): not shown") { $0.text.contains("\"\(device)\"") }
    }
    // There is a place for another page, too.
    let page = try RawClient(port: port)
    try page.get("/", ours)
    try page.wait("no page") { $0.isClosed }
    #expect(page.status == 200)
  }
}
