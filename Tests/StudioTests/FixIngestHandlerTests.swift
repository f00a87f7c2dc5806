import FencepostTracks
import FencepostFixes
import FencepostFormats
import Foundation
import FencepostHTTP
import FencepostLive
import FencepostPlaces
import FencepostStudio
import TestSupport
import Testing

@Suite("Posted fixes")
struct FixIngestHandlerTests {
  private static let location =
    #"{"_type":"location","lat":40.0,"lon":-75.0,"tst":1772649000,"acc":12,"vel":36,"cog":90,"tid":"ab"}"#

  @Test(
    "A phone gets the answer OwnTracks expects, and its device is taken from its message",
    arguments: [
      ("/pub", ["X-Limit-U: alice", "X-Limit-D: phone"], "alice/phone"),
      ("/pub?u=bob&d=tablet", [], "bob/tablet"),
      ("/pub?device=car", ["X-Limit-U: alice", "X-Limit-D: phone"], "car"),
      ("/pub", ["Authorization: Basic YWxpY2U6czNjcmV0"], "alice"),
      ("/pub", ["X-Limit-D: phone"], "phone"),
      ("/pub", [], "ab"),
    ] as [(String, [String], String)])
  func ownTracks(path: String, fields: [String], device: String) throws {
    let ingest = try IngestScene()
    let client = try ingest.post(path, Self.location, fields + ["Content-Type: application/json"])
    #expect(client.status == 200)
    #expect(client.body == "[]")
    #expect(try ingest.devices() == [device])
  }

  @Test(
    "Messages other than locations are accepted, so that a phone's queue moves on",
    arguments: [
      "", " \r\n", "[]", #"{"_type":"status","android":{}}"#, #"{"_type":"lwt","tst":1772649000}"#,
      #"{"_type":"waypoint","desc":"home","lat":40,"lon":-75,"rad":50,"tst":1772649000}"#,
      #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","lat":40,"lon":-75}]}"#,
      #"{"_type":"transition","event":"enter","lat":40,"lon":-75,"tst":1772649000,"tid":"ab"}"#,
      #"{"_type":"card","name":"Ann"}"#, #"{"_type":"cmd","action":"reportLocation"}"#,
      #"{"_type":"steps","steps":12}"#, #"{"_type":"dump","configuration":{"_type":"x"}}"#,
      #"{"_type":"configuration","mode":3}"#, #"{"_type":"beacon","uuid":"x"}"#,
    ])
  func noLocation(message: String) throws {
    let ingest = try IngestScene()
    let client = try ingest.post("/pub", message, ["X-Limit-U: ann", "X-Limit-D: phone"])
    #expect(client.status == 200)
    #expect(client.body == "[]")
    #expect(try ingest.devices().isEmpty)
  }

  @Test("Duplicates and held fixes are counted by reason and line, and the rest accepted")
  func refusedBySession() throws {
    let ingest = try IngestScene()
    let client = try ingest.post(
      "/fixes",
      """
      {"device":"a","time":"2026-03-04T17:00:00Z","lat":40,"lon":-75}
      {"device":"a","time":"2026-03-04T17:00:00Z","lat":40,"lon":-75}
      {"device":"b","time":"2026-03-04T17:00:00Z","lat":0,"lon":0}
      {"device":"a","time":"2026-03-04T17:00:10Z","lat":40.0001,"lon":-75}
      {"device":"a","time":"2026-03-04T16:59:00Z","lat":40,"lon":-75}

      {"device":"a","time":"2026-03-04T17:00:20Z","lat":40.0002,"lon":-75}
      """)
    #expect(client.status == 200)
    #expect(
      client.body == #"{"accepted":3,"rejected":2,"held":1,"#
        + #""reasons":{"duplicate":1,"nullIsland":1},"#
        + #""rejections":[{"line":2,"reason":"duplicate"},{"line":3,"reason":"nullIsland"}],"#
        + #""error":null}"# + "\n")
    let track =
      "time,lat,lon\n2026-03-04T16:00:00Z,40,-75\nnever,40,-75\n2026-03-04T16:10:00Z,91,-75\n"
    let mixed = try JSONValue(parsing: try ingest.post("/fixes?device=a", track).body)
    #expect(mixed["held"]?.integer == 1)
    #expect(mixed["reasons"]?["coordinate"]?.integer == 1)
    #expect(mixed["rejections"]?.array?.compactMap { $0["line"]?.integer }.sorted() == [3, 4])
  }

  @Test("A fix that sixty believed ones contradict is late")
  func late() throws {
    let ingest = try IngestScene()
    let lines = ((0..<60).map { $0 + 100 } + [1]).map { second in
      #"{"device":"a","time":\#(1_772_649_000 + second),"lat":\#(40 + Double(second) / 1e5),"lon":-75}"#
    }
    let client = try ingest.post("/fixes", lines.joined(separator: "\n"))
    #expect(
      client.body == #"{"accepted":60,"rejected":1,"reasons":{"late":1},"#
        + #""rejections":[{"line":61,"reason":"late"}],"error":null}"# + "\n")
  }

  @Test("A held fix is accepted once later ones confirm it")
  func releasedFix() throws {
    let ingest = try IngestScene()
    // A clock five hours ahead that is then corrected.
    let lines = [18_000, 1, 2, 3].map { second in
      #"{"device":"a","time":\#(1_772_649_000 + second),"lat":\#(40 + Double(second) / 1e6),"lon":-75}"#
    }
    let first = try ingest.post("/fixes", lines[...1].joined(separator: "\n"))
    #expect(first.body.hasPrefix(#"{"accepted":1,"rejected":0,"held":1,"#))
    let whole = try IngestScene().post("/fixes", lines.joined(separator: "\n"))
    #expect(whole.body.hasPrefix(#"{"accepted":4,"rejected":0,"reasons":{},"#))
  }

  @Test("A phone whose fix is late or a duplicate gets the usual answer")
  func lateFromPhone() throws {
    let ingest = try IngestScene()
    let earlier = Self.location.replacing("1772649000", with: "1772648000")
    for message in [Self.location, Self.location, earlier] {
      let client = try ingest.post("/pub", message)
      #expect(client.status == 200)
      #expect(client.body == "[]")
    }
    // The other path reports what became of such a fix, and no fault of the post.
    let again = try ingest.post("/fixes", Self.location, ["X-Limit-D: ab"])
    #expect(again.status == 200)
    #expect(again.body.hasPrefix(#"{"accepted":0,"rejected":1,"reasons":{"duplicate":1},"#))
  }

  @Test("The first thousand refusals are located, and all are counted")
  func manyRefusals() throws {
    let ingest = try IngestScene()
    let line = #"{"device":"a","time":1772649000,"lat":40,"lon":-75}"# + "\n"
    let account = try JSONValue(
      parsing: try ingest.post("/fixes", String(repeating: line, count: 3000)).body)
    #expect(account["accepted"]?.integer == 1)
    #expect(account["rejected"]?.integer == 2999)
    #expect(account["reasons"]?["duplicate"]?.integer == 2999)
    #expect(account["rejections"]?.array?.compactMap { $0["line"]?.integer } == Array(2...1001))
  }

  @Test("The topic names the device, and messages other than locations are skipped")
  func otherMessages() throws {
    let ingest = try IngestScene()
    let status = try ingest.post("/pub", #"{"_type":"status","android":{}}"#)
    #expect(status.status == 200)
    #expect(status.body == "[]")
    #expect(try ingest.devices().isEmpty)
    let topic =
      #"{"_type":"location","lat":40,"lon":-75,"tst":1772649000,"topic":"owntracks/eve/watch"}"#
    #expect(try ingest.post("/pub", topic).body == "[]")
    #expect(try ingest.devices() == ["eve/watch"])
  }

  @Test("Every file format is accepted, with the device in the address")
  func formats() throws {
    let ingest = try IngestScene()
    let bodies = [
      "<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"40\" lon=\"-75\"/>"
        + "<trkpt lat=\"40.1\" lon=\"-75\"/></trkseg></trk></gpx>",
      "time,lat,lon\n2026-03-04T17:00:00Z,40,-75\n2026-03-04T17:01:00Z,40.01,-75\n",
      "$GPRMC,170000,A,4000.0000,N,07500.0000,W,0.0,0.0,040326,,*0C\r\n"
        + "$GPRMC,170100,A,4000.6000,N,07500.0000,W,0.0,0.0,040326,,*0B\r\n",
      #"{"class":"TPV","mode":3,"time":"2026-03-04T17:00:00Z","lat":40,"lon":-75}"# + "\n"
        + #"{"class":"TPV","mode":3,"time":"2026-03-04T17:00:01Z","lat":40.001,"lon":-75}"#,
      "[\n  {\"time\": \"2026-03-04T17:00:00Z\",\n   \"lat\": 40, \"lon\": -75},\n"
        + "  {\"time\": \"2026-03-04T17:00:01Z\", \"lat\": 40.001, \"lon\": -75}\n]\n",
    ]
    for (index, body) in bodies.enumerated() {
      let client = try ingest.post("/fixes?device=d\(index)", body)
      #expect(client.status == 200, "\(body): \(client.body)")
      #expect(client.body.hasPrefix("{\"accepted\":2,\"rejected\":0,"), "\(body)")
    }
    #expect(try ingest.devices() == ["d0", "d1", "d2", "d3", "d4"])
  }

  @Test("The device in the address overrides the one in the message")
  func namedByAddress() throws {
    let ingest = try IngestScene()
    let line =
      #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":1772649000,"lat":40,"lon":-75}"#
    #expect(try ingest.post("/fixes?device=boat", line).status == 200)
    #expect(try ingest.devices() == ["boat"])
  }

  @Test("Compressed posts are accepted up to a limit on their size")
  func compressed() throws {
    let ingest = try IngestScene()
    let line = #"{"device":"a","time":1772649000,"lat":40,"lon":-75}"#
    let plain = try ingest.send(try Self.gzipped(Data(line.utf8)), to: "/fixes")
    #expect(plain.status == 200)
    #expect(plain.body.hasPrefix("{\"accepted\":1,"))
    let bomb = try Self.gzipped(Data(repeating: 0x20, count: 20 << 20))
    let swollen = try ingest.send(bomb, to: "/fixes?device=b")
    #expect(swollen.status == 413)
    #expect(swollen.body.contains("more than 16 MiB"))
  }

  private static func gzipped(_ data: Data) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-c", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let compressed = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(compressed)
  }

  @Test("One post may hold many devices; bad lines and accepted fixes are reported")
  func lines() throws {
    let ingest = try IngestScene()
    let client = try ingest.post(
      "/fixes",
      """
      {"device":"a","time":"2026-03-04T17:00:00Z","lat":40,"lon":-75}
      {"device":"b","time":"2026-03-04T17:00:00Z","lat":91,"lon":-75}
      {"time":"2026-03-04T17:00:00Z","lat":40,"lon":-75}
      {"device":"c","time":"2026-03-04T17:00:00Z","lat":40,"lon":-75
      {"device":7,"time":1772649000,"lat":40,"lon":-75}
      """)
    #expect(client.status == 400)
    let account = try JSONValue(parsing: client.body)
    #expect(account["accepted"]?.integer == 2)
    #expect(account["rejected"]?.integer == 3)
    let bad = account["rejections"]?.array ?? []
    #expect(bad.compactMap { $0["line"]?.integer } == [2, 3, 4])
    #expect(bad.compactMap { $0["reason"]?.string } == ["coordinate", "malformed", "malformed"])
    #expect(try ingest.devices() == ["7", "a"])
  }

  @Test(
    "Unreadable posts are refused with the reason",
    arguments: [
      ("/fixes?device=a", "", [], 400, "the body is empty"),
      ("/fixes?device=a", "hello world, this is no track at all", [], 415, "error"),
      ("/fixes?device=a", "x", ["Content-Type: image/png"], 415, "image/png is not a track"),
      (
        "/fixes?device=a", "x", ["Content-Type: multipart/form-data; boundary=x"], 415,
        "is not a track"
      ),
      ("/fixes?device=a", "x", ["Content-Encoding: br"], 415, "only gzip"),
      ("/fixes", "time,lat,lon\n2026-03-04T17:00:00Z,40,-75\n", [], 400, "?device=NAME"),
      ("/fixes?device=a", "<gpx><trk><trkseg><trkpt lat=\"40\"", [], 400, "error"),
      (
        "/pub", "x", ["Content-Type: multipart/form-data; boundary=x"], 415, "x-www-form-urlencoded"
      ),
    ] as [(String, String, [String], Int, String)])
  func refuses(path: String, body: String, fields: [String], status: Int, words: String) throws {
    let ingest = try IngestScene()
    let client = try ingest.post(path, body, fields)
    #expect(client.status == status)
    #expect(client.body.contains(words), "\(client.body)")
  }

  @Test("Posts from other sites, without the token, or too large are refused")
  func guarded() throws {
    let ingest = try IngestScene {
      $0.site.token = "s3cret"
      $0.limits.bodyBytes = 1000
    }
    #expect(try ingest.post("/pub", Self.location).status == 401)
    let ours = "Authorization: Bearer s3cret"
    #expect(
      try ingest.post("/pub", Self.location, [ours, "Origin: https://evil.example"]).status == 403)
    let large = String(repeating: Self.location + "\n", count: 20)
    #expect(try ingest.post("/fixes", large, [ours]).status == 413)
    // As OwnTracks sends it: printf 'alice:s3cret' | base64
    let phone = try ingest.post("/pub", Self.location, ["Authorization: Basic YWxpY2U6czNjcmV0"])
    #expect(phone.status == 200)
    #expect(phone.body == "[]")
    #expect(try ingest.scene.get("/pub", ["Host: localhost", ours]).status == 405)
  }

  @Test("A post without the token or of a wrong type is refused before its body arrives")
  func byHead() throws {
    let ingest = try IngestScene { $0.site.token = "s3cret" }
    for (fields, status) in [
      ([], 401), (["Authorization: Bearer s3cret", "Content-Type: image/png"], 415),
      (["Authorization: Bearer s3cret", "Content-Encoding: br"], 415),
    ] {
      let client = try RawClient(port: ingest.scene.port)
      try client.send(
        "POST /fixes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
          + fields.map { $0 + "\r\n" }.joined() + "\r\n")
      try client.waitForClose()
      #expect(client.status == status)
    }
  }
}
