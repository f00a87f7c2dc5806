import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Foundation
import TestSupport
import Testing

@Suite("A store in memory of places")
struct MemoryStoreTests {
  private static func all(_ store: PlaceStore) throws -> [Place] {
    var places: [Place] = []
    try store.makeReader().list { place in
      var place = place
      place.key = 0
      places.append(place)
      return true
    }
    return places.sorted { $0.id < $1.id }
  }

  private let stories = Document.project.appendingPathComponent("Data/stories/philadelphia.csv")
    .path

  @Test("holds what it was made of, and answers as the store that they came from")
  func same() throws {
    let original = try PlaceStore.inMemory(from: [stories]).store
    let places = try Self.all(original)
    let copy = try PlaceStore.inMemory(of: places.reversed(), path: "copy")
    #expect(try Self.all(copy) == places)
    let here = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1635)
    func nearest(_ store: PlaceStore) throws -> [String] {
      let reader = try store.makeReader()
      return try reader.nearest(to: here, count: 40, rank: .center).map {
        "\(try reader.place(forKey: $0.key)?.id ?? "?") \($0.centerDistanceMeters)"
      }
    }
    #expect(try nearest(copy) == nearest(original))
  }

  @Test("keeps times, texts and priorities")
  func fields() throws {
    let place = Place(
      id: "a, \"b\"", title: "Ümlaut\nin two lines", blurb: "x", url: "https://example.org/?a=1&b",
      category: "c", priority: -3,
      coordinate: Coordinate(latitudeDegrees: -33.5, longitudeDegrees: 179.75), radiusMeters: 0.5,
      publishedMilliseconds: 1_772_654_400_123, expiresMilliseconds: -1)
    #expect(try Self.all(PlaceStore.inMemory(of: [place], path: "one")) == [place])
  }

  @Test("keeps the first of several places with one id, and none of none")
  func repeated() throws {
    let here = Coordinate(latitudeDegrees: 1, longitudeDegrees: 2)
    let places = [
      Place(id: "a", title: "first", coordinate: here),
      Place(id: "a", title: "second", coordinate: here),
    ]
    #expect(try Self.all(PlaceStore.inMemory(of: places, path: "two")).map(\.title) == ["first"])
    #expect(try PlaceStore.inMemory(of: [], path: "none").makeReader().count() == 0)
  }
}
