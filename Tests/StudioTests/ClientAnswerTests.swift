import FencepostHTTP
import FencepostLive
import FencepostPlaces
import FencepostStudio
import Foundation
import TestSupport
import Testing

@Suite("Answers to phones")
struct ClientAnswerTests {
  private static let location =
    #"{"_type":"location","lat":40.0,"lon":-75.0,"tst":1772649000,"acc":12,"vel":36,"cog":90,"tid":"ab"}"#

  @Test("What can never be used is accepted from a phone, so that its queue moves on, and reported")
  func useless() throws {
    let heard = Heard()
    let ingest = try IngestScene(log: PostLog { heard.add($0) })
    for (message, words) in [
      (#"{"_type":"encrypted","data":"x"}"#, "use TLS"),
      (#"{"_type":"location","lat":200,"lon":0,"tst":1772649000,"tid":"ab"}"#, "coordinate"),
      (#"{"_type":"location","lat":"#, "malformed"),
    ] {
      let client = try ingest.post("/pub", message, ["X-Limit-U: ann", "X-Limit-D: phone"])
      #expect(client.status == 200)
      #expect(client.body == "[]")
      #expect(heard.sentences.last?.contains(words) == true, "\(heard.sentences)")
    }
    // Each kind is reported once for a device.
    _ = try ingest.post("/?id=a&lat=91&lon=0", "")
    _ = try ingest.post("/?id=a&lat=92&lon=0", "")
    #expect(heard.sentences.count == 4)
    #expect(
      heard.sentences.last == "a: refused data from a position report: coordinate: 91.0,0.0")
  }

  @Test(
    "Each client gets the answer that it takes for delivery, and its device its own name",
    arguments: [
      (
        "POST", "/", #"{"_type":"location","lat":40,"lon":-75,"tst":1772649000,"tid":"ab"}"#, "[]",
        "ab"
      ),
      ("POST", "/?id=t8&timestamp=1772649000&lat=40&lon=-75", "", "", "t8"),
      (
        "POST", "/",
        #"{"location":{"timestamp":"2026-03-04T17:00:00.000Z","coords":{"latitude":40,"longitude":-75}},"#
          + #""device_id":"t9"}"#, "", "t9"
      ),
      ("POST", "/", "id=t10&timestamp=1772649000&lat=40&lon=-75", "", "t10"),
      ("GET", "/?id=osmand&timestamp=1772649000000&lat=40&lon=-75", "", "", "osmand"),
      ("GET", "/log?lat=40&longitude=-75&time=2026-03-04T17:00:00.000Z&s=1&id=log", "", "", "log"),
      ("POST", "/fixes?device=log", #"{"lat":"40","lon":"-75","spd":""}"#, "", "log"),
      (
        "POST", "/api/v1/overland/batches?api_key=x",
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-75,40]},"#
          + #""properties":{"timestamp":"2026-03-04T17:00:00Z","device_id":"ann"}}]}"#,
        #"{"result":"ok"}"#, "ann"
      ),
      ("POST", "/?device=ha", #"{"type":"update_location","data":{"gps":[40,-75]}}"#, "{}", "ha"),
      (
        "POST", "/api/webhook/x?device=ha", #"{"type":"update_location","data":{"gps":[40,-75]}}"#,
        "{}", "ha"
      ),
      (
        "POST", "/fixes",
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-75,40]},"#
          + #""properties":{"time":1772649000,"device":"geo"}}"#,
        #"{"accepted":1,"rejected":0,"reasons":{},"rejections":[],"error":null}"# + "\n", "geo"
      ),
    ] as [(String, String, String, String, String)])
  func clients(method: String, path: String, body: String, answer: String, device: String) throws {
    let ingest = try IngestScene()
    let client = try ingest.ask(method, path, body)
    #expect(client.status == 200, "\(client.text)")
    #expect(client.body == answer)
    #expect(try ingest.devices() == [device])
  }

  @Test("Home Assistant's apps are told what server they have")
  func setup() throws {
    let client = try IngestScene().ask("POST", "/api/webhook/x", #"{"type":"get_config"}"#)
    #expect(client.status == 200)
    let answer = try JSONSerialization.jsonObject(with: Data(client.body.utf8)) as? [String: Any]
    #expect(answer?["version"] as? String == "2024.1.0")
    #expect((answer?["unit_system"] as? [String: Any])?["length"] as? String == "km")
  }

  @Test("A fix that nothing names is refused with a remedy, before it is lost")
  func unnamed() throws {
    let ingest = try IngestScene()
    let client = try ingest.ask("GET", "/?lat=40&lon=-75", "")
    #expect(client.status == 400)
    #expect(client.body.contains("?device=NAME"))
  }

  @Test(
    "The token is taken where each client can put it",
    arguments: [
      ("GET", "/?id=a&lat=40&lon=-75&token=s3cret", []),
      ("GET", "/log?id=a&lat=40&lon=-75&token=s3cret", []),
      ("POST", "/pub?u=a&token=s3cret", []), ("POST", "/fixes?device=a&token=s3cret", []),
      ("POST", "/api/v1/overland/batches?device=a&api_key=s3cret", []),
      ("POST", "/api/webhook/s3cret?device=a", []),
      ("POST", "/pub", ["Authorization: Basic YTpzM2NyZXQ="]),
      ("POST", "/pub?device=a", ["Authorization: Basic s3cret:"]),
      ("POST", "/?device=a", ["Authorization: Bearer s3cret"]),
    ] as [(String, String, [String])])
  func token(method: String, path: String, fields: [String]) throws {
    let ingest = try IngestScene { $0.site.token = "s3cret" }
    let body = method == "GET" ? "" : Self.location
    let client = try ingest.ask(method, path, body, fields)
    #expect(client.status == 200, "\(client.text)")
    let state = try ingest.scene.get("/state", ["Host: localhost", "Authorization: Bearer s3cret"])
    #expect(state.body.contains(#""device":"a""#))
    let wrong = path.replacing("s3cret", with: "other")
    let others = fields.map {
      $0.replacing("s3cret", with: "other").replacing("YTpzM2NyZXQ=", with: "YTpv")
    }
    #expect(try ingest.ask(method, wrong, body, others).status == 401)
  }

  @Test("A token in the address opens nothing but posts")
  func tokenForPostsOnly() throws {
    let scene = try IngestScene { $0.site.token = "s3cret" }.scene
    for path in ["/state?token=s3cret", "/events?api_key=s3cret", "/page.js?token=s3cret"] {
      #expect(try scene.get(path).status == 401)
    }
    // A redirection would pass for a delivery.
    #expect(try scene.get("/?token=s3cret&lat=40").status == 200)
    #expect(try scene.get("/?token=s3cret").status == 303)
  }

  @Test(
    "A page of another site cannot post a position through the user's browser",
    arguments: ["Sec-Fetch-Site: cross-site", "User-Agent: Mozilla/5.0 (X11; Linux x86_64)"])
  func browsers(field: String) throws {
    let ingest = try IngestScene()
    let client = try ingest.ask("GET", "/?id=a&lat=40&lon=-75", "", [field])
    #expect(client.status == 403)
    #expect(try ingest.devices().isEmpty)
  }

  /// What each app makes of an address in the guide's table: its method, body and header fields, and the
  /// values of its placeholders.
  private static let apps: [String: (method: String, body: String, fields: [String])] = [
    "OwnTracks": (
      "POST", location,
      ["X-Limit-U: ann", "X-Limit-D: phone", "Authorization: Basic YW5uOlNFQ1JFVA=="]
    ),
    "Traccar Client": ("POST", "id=NAME&timestamp=1772649000&lat=40&lon=-75", []),
    "OsmAnd": ("GET", "", []), "GPSLogger": ("GET", "", []),
    "Overland": (
      "POST",
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-75,40]},"#
        + #""properties":{"timestamp":"2026-03-04T17:00:00Z","device_id":"NAME"}}]}"#,
      ["Authorization: Bearer SECRET"]
    ),
    "Home Assistant": ("POST", #"{"type":"update_location","data":{"gps":[40,-75]}}"#, []),
  ]
  private static let placeholders = [
    "{0}": "40.0", "{1}": "-75.0", "{2}": "1772649000000", "{3}": "5.0", "{4}": "12", "{5}": "1.5",
    "{6}": "90.0", "%LAT": "40.0", "%LON": "-75.0", "%TIMESTAMP": "1772649000", "%ACC": "5",
    "%SPD": "1.5", "%DIR": "90",
  ]

  @Test("What the guide's table says to type works in each app")
  func guide() throws {
    let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Sources/Faces/CommandLine/Documentation.docc/ServingAMap.md")
    let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| ") && $0.contains("http://HOST:8080")
    }
    #expect(rows.count == Self.apps.count)
    for row in rows {
      let name = row.dropFirst(2).prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
      let app = try #require(Self.apps[name], "\(name)")
      let address = try #require(row.firstMatch(of: /http:\/\/HOST:8080([^`]*)/), "\(row)")
      let path = Self.placeholders.reduce(String(address.1)) {
        $0.replacingOccurrences(of: $1.key, with: $1.value)
      }
      let ingest = try IngestScene { $0.site.token = "SECRET" }
      let client = try ingest.ask(app.method, path, app.body, app.fields)
      #expect(client.status == 200, "\(name): \(client.text)")
      let state = try ingest.scene.get(
        "/state", ["Host: localhost", "Authorization: Bearer SECRET"])
      let device = name == "OwnTracks" ? "ann/phone" : "NAME"
      #expect(state.body.contains("\"device\":\"\(device)\""), "\(name)")
    }
  }
}
