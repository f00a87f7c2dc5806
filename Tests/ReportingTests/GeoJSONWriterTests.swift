import FencepostSession
import Foundation
import FencepostReporting
import Testing

@Suite("GeoJSON collections")
struct GeoJSONWriterTests {
  @Test(
    "No, one or many events are one valid collection",
    arguments: [
      [], [Event.enter(Samples.encounter)], [.summary(Samples.summary)], Samples.all,
      Samples.all + Samples.all,
    ])
  func valid(events: [Event]) throws {
    let object = try parse(collection(of: events))
    #expect(object["type"] as? String == "FeatureCollection")
    let features = try #require(object["features"] as? [[String: Any]])
    let summaries = object["summaries"] as? [[String: Any]] ?? []
    #expect(features.count == events.count { !isSummary($0) })
    #expect(summaries.count == events.count(where: isSummary))
    for feature in features {
      #expect(feature["type"] as? String == "Feature")
      let geometry = try #require(feature["geometry"] as? [String: Any])
      let properties = try #require(feature["properties"] as? [String: Any])
      let position = try #require(geometry["coordinates"] as? [Double])
      #expect(geometry["type"] as? String == "Point")
      #expect(position == [properties["lon"] as? Double, properties["lat"] as? Double])
    }
  }

  @Test("Every text survives unharmed", arguments: Samples.hostileTexts)
  func hostileTexts(text: String) throws {
    var encounter = Samples.encounter
    encounter.title = text
    let object = try parse(collection(of: [.enter(encounter)]))
    let features = try #require(object["features"] as? [[String: Any]])
    let properties = try #require(features.first?["properties"] as? [String: Any])
    #expect(properties["title"] as? String == text)
  }

  @Test("Each event is on a line of its own")
  func bytes() {
    let text = collection(of: [.refresh(Samples.refresh), .summary(Samples.summary)])
    let refresh = written { NDJSONWriter().write(.refresh(Samples.refresh), to: &$0) }.dropLast()
    let summary = written { NDJSONWriter().write(.summary(Samples.summary), to: &$0) }.dropLast()
    #expect(
      text == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[-75.15,39.95]},\
        "properties":\(refresh)}
        ],
        "summaries":[
        \(summary)
        ]}

        """)
  }

  private func collection(of events: [Event]) -> String {
    written { buffer in
      var writer = GeoJSONWriter()
      writer.begin(&buffer)
      for event in events { writer.write(event, to: &buffer) }
      writer.end(&buffer)
    }
  }

  private func parse(_ text: String) throws -> [String: Any] {
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(parsed as? [String: Any])
  }

  private func isSummary(_ event: Event) -> Bool {
    if case .summary = event { true } else { false }
  }
}
