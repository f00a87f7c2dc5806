import FencepostSession
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostReporting
import Testing

@Suite("NDJSON lines")
struct NDJSONWriterTests {
  private static let lines: [(Event, String)] = [
    (
      Event.enter(Samples.encounter),
      #"{"type":"enter","track":"walk.gpx","segment":0,"fix":123,"fraction":0.25,"#
        + #""time":"2026-03-04T17:00:12.250Z","lat":39.949612,"lon":-75.150334,"#
        + #""place":"independence-hall","title":"Independence Hall","distance":100.0}"#
    ),
    (
      .exit(Samples.bare),
      #"{"type":"exit","track":"-","device":"anna","segment":2,"fix":0,"fraction":1.0,"#
        + #""time":null,"lat":0.0,"lon":180.0,"place":"7","title":"","distance":50.0,"#
        + #""across":"break"}"#
    ),
    (
      .dwell(Samples.dwell),
      #"{"type":"dwell","track":"walk.gpx","segment":0,"fix":123,"fraction":0.25,"#
        + #""time":"2026-03-04T17:00:12.250Z","lat":39.949612,"lon":-75.150334,"#
        + #""place":"independence-hall","title":"Independence Hall","distance":100.0,"#
        + #""crossed":"2026-03-04T16:58:12.250Z"}"#
    ),
    (
      .alert(
        Samples.story, Alert(deliveryMilliseconds: 1_772_643_613_000, group: ["bell", "wall"])),
      #"{"type":"alert","track":"walk.gpx","segment":0,"fix":123,"fraction":0.25,"#
        + #""time":"2026-03-04T17:00:12.250Z","lat":39.949612,"lon":-75.150334,"#
        + #""place":"independence-hall","title":"Independence Hall","distance":100.0,"#
        + #""url":"https://example.org/?a=1&b=2","blurb":"Where it was signed","#
        + #""category":"history","delivery":"2026-03-04T17:00:13Z","group":["bell","wall"]}"#
    ),
    (
      .alert(Samples.bare, Alert(deliveryMilliseconds: nil)),
      #"{"type":"alert","track":"-","device":"anna","segment":2,"fix":0,"fraction":1.0,"#
        + #""time":null,"lat":0.0,"lon":180.0,"place":"7","title":"","distance":50.0,"#
        + #""across":"break"}"#
    ),
    (
      .suppressed(Samples.encounter, reason: "cooldown"),
      #"{"type":"suppressed","track":"walk.gpx","segment":0,"fix":123,"fraction":0.25,"#
        + #""time":"2026-03-04T17:00:12.250Z","lat":39.949612,"lon":-75.150334,"#
        + #""place":"independence-hall","title":"Independence Hall","distance":100.0,"#
        + #""reason":"cooldown"}"#
    ),
    (
      .refresh(Samples.refresh),
      #"{"type":"refresh","track":"walk.gpx","segment":0,"fix":130,"fraction":1.0,"#
        + #""time":"2026-03-04T17:00:13Z","lat":39.95,"lon":-75.15,"monitored":20,"#
        + #""added":7,"removed":7,"radius":812.4}"#
    ),
    (
      .refresh(Samples.failedRefresh),
      #"{"type":"refresh","track":"walk.gpx","segment":0,"fix":0,"fraction":1.0,"#
        + #""time":null,"lat":0.0,"lon":0.0,"monitored":0,"added":0,"removed":0,"#
        + #""radius":null,"reach":null,"failure":"the store is locked"}"#
    ),
    (
      .summary(Samples.summary),
      #"{"type":"summary","track":"walk.gpx","fixes":1812,"segments":1,"#
        + #""rejected":{"checksum":2,"late":1},"first":"2026-03-04T17:00:00Z","#
        + #""last":"2026-03-04T18:00:00.500Z","lengthMeters":9790.1,"refreshes":31,"#
        + #""enters":12,"exits":12,"alerts":9,"suppressed":{"cooldown":3},"error":null}"#
    ),
    (
      .summary(Samples.uncertified),
      #"{"type":"summary","track":"a.nmea","device":"anna","fixes":1,"segments":1,"#
        + #""rejected":{},"first":null,"last":null,"lengthMeters":0.0,"refreshes":0,"#
        + #""enters":0,"exits":0,"alerts":0,"suppressed":{},"neverMonitored":2,"#
        + #""certified":false,"uncertified":[{"from":{"fix":3,"time":"1970-01-01T00:00:00Z","#
        + #""lat":1.0,"lon":2.0},"to":{"fix":4,"time":null,"lat":1.5,"lon":2.0},"#
        + #""lengthMeters":12.3}],"uncertifiedMeters":12.3,"error":"a.nmea: line 3: \"x\" is no number"}"#
    ),
  ]

  @Test("Lines have the documented fields in the documented order", arguments: lines)
  func fields(event: Event, line: String) {
    #expect(written { NDJSONWriter().write(event, to: &$0) } == line + "\n")
  }

  @Test("The lengths of stretches add up to their total")
  func stretches() throws {
    var summary = Samples.uncertified
    var span = summary.uncertified[0]
    span.lengthMeters = 0.049
    summary.uncertified = Array(repeating: span, count: 1_000)
    let line = written { NDJSONWriter().write(.summary(summary), to: &$0) }
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let stretches = try #require(object?["uncertified"] as? [[String: Any]])
    let sum = stretches.reduce(0) { $0 + ($1["lengthMeters"] as? Double ?? .nan) }
    #expect(object?["uncertifiedMeters"] as? Double == 49)
    #expect(abs(sum - 49) < 1e-9)
  }

  @Test("An independent parser reads every text unharmed", arguments: Samples.hostileTexts)
  func hostileTexts(text: String) throws {
    var encounter = Samples.story
    encounter.track = text
    encounter.device = text
    encounter.placeID = text
    encounter.title = text
    encounter.url = text
    let alert = Alert(deliveryMilliseconds: nil, group: [text])
    let line = written { NDJSONWriter().write(.alert(encounter, alert), to: &$0) }
    let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let object = try #require(parsed as? [String: Any])
    for field in ["track", "device", "place", "title", "url"] {
      #expect(object[field] as? String == text)
    }
    #expect(object["group"] as? [String] == [text])
  }

  @Test(
    "No text ends a script or a line, or drives a terminal", arguments: Samples.hostileTexts)
  func neutralized(text: String) {
    let json = written { $0.append(json: text) }
    #expect(!json.contains("<"))
    for scalar in json.unicodeScalars {
      let isHarmful =
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      #expect(!isHarmful, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test(
    "Numbers are rounded to their accuracy",
    arguments: [
      (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (0.05, 1, "0.1"), (-0.06, 1, "-0.1"),
      (99.96, 1, "100.0"), (1234.5678, 1, "1234.6"), (39.9496124999, 7, "39.9496125"),
      (-75.15033400001, 7, "-75.150334"), (-0.5, 7, "-0.5"), (179.99999996, 7, "180.0"),
      (1e-8, 7, "0.0"), (0.0000001, 7, "0.0000001"), (9e14, 1, "900000000000000.0"),
      (1e17, 1, "1e+17"), (.infinity, 1, "null"), (.nan, 7, "null"), (1.5, 9, "1.5"),
    ])
  func numbers(value: Double, decimals: Int, text: String) {
    #expect(written { $0.append(value, decimals: decimals) } == text)
  }

  @Test("Numbers equal those of slow decimal arithmetic", arguments: 1...9)
  func numbersSlowly(decimals: Int) {
    var state: UInt64 = 99
    func random() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11
    }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    for number in 0..<20_000 {
      var value = Double(random()) / 9_007_199_254_740_992
      // Of all sizes, and of few digits, so that halves are among them.
      value *= [1, 90, 180, 1e5, 1e7][number % 5]
      if number % 3 == 0 { value = (value * scale * 2).rounded() / (scale * 2) }
      if number % 2 == 0 { value = -value }
      // Larger ones are written as Swift describes them.
      guard value.magnitude * scale < 0x1p53 else { continue }
      let units = UInt64((value.magnitude * scale).rounded())
      var digits = String(units)
      while digits.count <= decimals { digits = "0" + digits }
      var part = digits.suffix(decimals)
      while part.count > 1, part.last == "0" { part.removeLast() }
      let sign = value < 0 && units > 0 ? "-" : ""
      let expected = sign + digits.dropLast(decimals) + "." + part
      let found = written { $0.append(value, decimals: decimals) }
      if found != expected {
        Issue.record("\(value) with \(decimals): \(found) instead of \(expected)")
        return
      }
    }
  }

  @Test("A character is escaped at any position in a text", arguments: 0..<20)
  func escapeAnywhere(place: Int) throws {
    for special in [
      "\"", "\\", "<", "\u{0}", "\u{1F}", "\u{7F}", "\u{80}", "\u{2028}", "ÿ", "~", " ",
    ] {
      let text = String(repeating: "a", count: place) + special + String(repeating: "z", count: 9)
      let json = written { $0.append(json: text) }
      let parsed = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8))
      #expect(parsed as? [String] == [text])
      let isLeftAlone = ["ÿ", "~", " "].contains(special)
      #expect(json.contains("\\") == !isLeftAlone)
    }
  }

  @Test(
    "Instants read back to the same time",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (86_399_999, "1970-01-01T23:59:59.999Z"),
      (86_400_000, "1970-01-02T00:00:00Z"), (1_709_164_799_001, "2024-02-28T23:59:59.001Z"),
      (1_709_164_800_000, "2024-02-29T00:00:00Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "+010000-01-01T00:00:00Z"),
      (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
    ])
  func instants(milliseconds: Int64, text: String) {
    #expect(written { $0.append(instant: milliseconds) } == text)
    // Again within the same day, and after another.
    let several = written {
      $0.append(instant: milliseconds)
      $0.append(instant: milliseconds)
      $0.append(instant: 0)
      $0.append(instant: milliseconds)
    }
    #expect(several == text + text + "1970-01-01T00:00:00Z" + text)
  }

  @Test("The first and the last instant are written", arguments: [Int64.min, .max])
  func extremeInstants(milliseconds: Int64) {
    #expect(written { $0.append(instant: milliseconds) }.hasSuffix("Z"))
  }

  @Test(
    "Whole numbers are written up to the ends of their range", arguments: [0, 7, -1, .max, .min])
  func wholeNumbers(value: Int) {
    #expect(written { $0.append(decimal: value) } == String(value))
  }
}
