import FencepostLive
import Testing

@Suite("Posted GeoJSON")
struct GeoJSONPostTests {
  private static let point = OverlandTests.feature(
    #""time":"2026-03-04T17:00:00Z","accuracy":5,"speed":1.5,"heading":90,"device":"ann""#)

  @Test(
    "Points are fixes: one feature, a collection, or an array",
    arguments: [
      point, #"{"type":"FeatureCollection","features":[\#(point)]}"#, "[\(point)]",
    ])
  func points(body: String) throws {
    let request = try PostedRequest(body: body)
    #expect(request.client == .program)
    #expect(request.records == ["ann 2026-03-04T17:00:00Z 39.9496,-75.1503 5.0 1.5 90.0"])
  }

  @Test("A line is a track, which is read as a file is")
  func lines() throws {
    let line = OverlandTests.feature("", #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#)
    #expect(try PostedRequest(body: line).post == nil)
  }
}
