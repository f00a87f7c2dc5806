import FencepostLive
import Testing

/// The messages have the form that OwnTracks' booklet describes (tech/json.md).
@Suite("OwnTracks' messages")
struct OwnTracksTests {
  @Test("A location has seconds, meters, km/h and degrees, and -1 where unknown")
  func location() throws {
    let request = try PostedRequest(
      body:
        #"{"_type":"location","BSSID":"x","acc":12,"alt":-1,"batt":87,"bs":1,"cog":360,"conn":"w","#
        + #""created_at":1772643605,"lat":39.9496,"lon":-75.1503,"m":1,"t":"u","tid":"ab","#
        + #""topic":"owntracks/ann/phone","tst":1772643600,"vac":3,"vel":36}"#)
    #expect(request.client == .ownTracks)
    #expect(request.post?.topicDevice == "ann/phone")
    #expect(request.post?.trackerID == "ab")
    #expect(request.records == ["- 2026-03-04T17:00:00Z 39.9496,-75.1503 12.0 10.0 0.0"])
    let unknown = try PostedRequest(
      body:
        #"{"_type":"location","lat":40,"lon":-75,"tst":1772643600,"acc":-1,"vel":-1,"cog":-1,"tid":"ab"}"#
    )
    #expect(unknown.records == ["- 2026-03-04T17:00:00Z 40.0,-75.0 - - -"])
  }

  @Test("A photo of some hundred kilobytes holds nothing up")
  func photo() throws {
    let image = String(repeating: "iVBORw0K", count: 50_000)
    let request = try PostedRequest(
      body: #"{"_type":"location","lat":40,"lon":-75,"tst":1772643600,"tid":"ab","poi":"Bell","#
        + #""image":"\#(image)"}"#)
    #expect(request.records == ["- 2026-03-04T17:00:00Z 40.0,-75.0 - - -"])
  }

  @Test("An encrypted message is a fault")
  func encrypted() throws {
    let request = try PostedRequest(body: #"{"_type":"encrypted","_id":"x","data":"AAAA"}"#)
    #expect(request.client == .ownTracks)
    #expect(request.records == ["- malformed"])
  }
}
