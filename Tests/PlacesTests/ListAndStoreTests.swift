import FencepostMonitoring
import FencepostPlaces
import Foundation
import TestSupport
import Testing

@Suite("Lists and stores")
struct ListAndStoreTests {
  private static let texts = [
    "lat;lon;name;radius;unit;published\n1,5;2,5;A;3;km;12.3.2026\n91;2;B;;;\n1,5;2,5;A;4;km;46093\n",
    "id,lat,lon,blurb\na,1,2,\"<p>x &amp; y</p>\"\na,1,2,\nb,,2,\n\"c\"d,1,2,\n",
    "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"name\":\"A\"},"
      + "\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":[[2,1],[3,1]]}},{\"type\":\"Feature\","
      + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[0,1],[1,1],[0,0]]]}},{\"x\":1}]}",
    "[{\"lat\":1,\"lng\":2,\"title\":\"A\"},{\"lat\":1,\"lng\":2,\"title\":\"A\",\"blurb\":\"b\"},{",
    "{\"_type\":\"waypoint\",\"desc\":\"A\",\"lat\":1,\"lon\":2,\"rad\":60,\"tst\":7}\n"
      + "{\"_type\":\"waypoint\",\"desc\":\"B\",\"lat\":1,\"lon\":2,\"rad\":0,\"tst\":8}\n",
  ]

  /// The places of a store, in the order of their keys.
  private func places(of path: String) throws -> (places: [Place], report: ImportReport) {
    let (store, report) = try PlaceStore.inMemory(from: [path])
    var places: [Place] = []
    try store.makeReader().list { place in
      places.append(place)
      return true
    }
    return (places.sorted { $0.key < $1.key }, report)
  }

  @Test("A text becomes the same places and faults with a store and without", arguments: texts)
  func same(_ text: String) throws {
    let scratch = Scratch()
    let path = scratch.file("list", text)
    let list = try PlaceList(text, name: path)
    let imported = try places(of: path)
    #expect(list.places == imported.places && !list.places.isEmpty)
    #expect(list.report == imported.report)
  }

  @Test("The sample stories are the same with a store and without")
  func samples() throws {
    let path = Document.project.appendingPathComponent("Data/stories/philadelphia.csv").path
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let list = try PlaceList(bytes, name: path)
    let imported = try places(of: path)
    #expect(list.places == imported.places && list.places.count == 219)
    #expect(list.report == imported.report)
  }
}
