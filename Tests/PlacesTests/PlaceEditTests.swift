import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Testing

@Suite("Edits of places")
struct PlaceEditTests {
  private let scratch = Scratch()

  private static let table = """
    id,title,lat,lon,radius,blurb,url,category,priority,published,expires
    a,Älpha,39.95,-75.16,100,"one, two",https://example.org/a,history,2,2026-01-01T00:00:00.250Z,
    b,Beta,39.96,-75.17,50,,,,,,
    c,Gamma,39.97,-75.18,75,,,,,,

    """

  private func store() throws -> PlaceStore {
    let path = scratch.path("stories.sqlite")
    _ = try PlaceStore.importPlaces(from: [scratch.file("places.csv", Self.table)], into: path)
    return try PlaceStore(path: path)
  }

  private func places(_ store: PlaceStore) throws -> [String: Place] {
    var places: [String: Place] = [:]
    try store.makeReader().list { place in
      places[place.id] = place
      return true
    }
    return places
  }

  @Test("A place is moved, one is added and one removed; both indexes follow")
  func writes() throws {
    let store = try store()
    let before = try places(store)
    var moved = try #require(before["a"])
    moved.coordinate = Coordinate(latitudeDegrees: 10.5, longitudeDegrees: 20.25)
    moved.radiusMeters = 321.5
    let added = Place(
      id: "d", title: "Delta", blurb: "new", category: "art", priority: 3,
      coordinate: Coordinate(latitudeDegrees: -1, longitudeDegrees: 179.5), radiusMeters: 12,
      expiresMilliseconds: 1_800_000_000_123)
    let outcome = try store.edit([
      PlaceEdit(id: "a", before: before["a"], after: moved),
      PlaceEdit(id: "b", before: before["b"], after: nil),
      PlaceEdit(id: "d", before: nil, after: added),
    ])
    #expect(outcome == .written(3))
    #expect(try store.check().isSound)
    let reader = try store.makeReader()
    #expect(try reader.count() == 3)
    // What no edit names is as it was, to the last digit.
    #expect(try reader.place(withID: "a") == moved)
    #expect(try reader.place(withID: "b") == nil)
    #expect(try reader.place(withID: "c") == before["c"])
    var stored = try #require(try reader.place(withID: "d"))
    stored.key = 0
    #expect(stored == added)
    let near = try reader.nearest(to: moved.coordinate, count: 1, rank: .center)
    #expect(near.first?.key == moved.key)
    #expect(near.first?.circle.radiusMeters == 321.5)
    #expect(try reader.containing(added.coordinate).count == 1)
  }

  @Test("Nothing is written where somebody else has changed one of the places meanwhile")
  func conflict() throws {
    let store = try store()
    let before = try places(store)
    var theirs = try #require(before["a"])
    theirs.title = "Theirs"
    #expect(
      try store.edit([PlaceEdit(id: "a", before: before["a"], after: theirs)]) == .written(1))
    var mine = try #require(before["a"])
    mine.title = "Mine"
    let edits = [
      PlaceEdit(id: "b", before: before["b"], after: nil),
      PlaceEdit(id: "a", before: before["a"], after: mine),
    ]
    guard case .conflicts(let conflicts) = try store.edit(edits) else {
      Issue.record("it was written")
      return
    }
    #expect(conflicts.map(\.edit) == [edits[1]])
    #expect(conflicts.map(\.stored) == [theirs])
    #expect(try places(store).count == 3)
    #expect(try store.edit(edits, overwrites: true) == .written(2))
    #expect(try places(store)["a"]?.title == "Mine")
    #expect(try places(store).count == 2)
  }

  @Test("An edit that is there already is no conflict, and counts for nothing")
  func repeated() throws {
    let store = try store()
    let before = try places(store)
    let edits = [PlaceEdit(id: "b", before: before["b"], after: nil)]
    #expect(try store.edit(edits) == .written(1))
    #expect(try store.edit(edits) == .written(0))
  }

  @Test("Notes about edits stay in the store, each beside the edits that it names")
  func notes() throws {
    let store = try store()
    let before = try places(store)
    #expect(try store.saveNotes() == [])
    let edits = [PlaceEdit(id: "b", before: before["b"], after: nil)]
    func edit() throws {
      _ = try store.edit(edits) { "\($0.count) of \($0.map(\.id))" }
    }
    try edit()
    // Nothing changes any more, so there is nothing to note.
    try edit()
    #expect(try PlaceStore(path: store.path).saveNotes() == ["1 of [\"b\"]"])
    #expect(try store.check().isSound)
  }

  @Test("The oldest notes give way to new ones, by their number and by their length")
  func bounded() throws {
    let store = try store()
    func note(_ text: String, _ number: Int) throws {
      var place = try #require(try places(store)["a"])
      let before = place
      place.radiusMeters = Double(number + 1)
      _ = try store.edit([PlaceEdit(id: "a", before: before, after: place)]) { _ in text }
    }
    let long = String(repeating: "ä", count: 500_000)
    for number in 0..<4 { try note(long, number) }
    #expect(try store.saveNotes().count == 2)
    try note("short", 5)
    #expect(try store.saveNotes().suffix(2) == [long, "short"])
  }

  @Test("A place that the store's own checks refuse leaves everything as it was")
  func refused() throws {
    let store = try store()
    let before = try places(store)
    var bad = try #require(before["c"])
    bad.radiusMeters = -1
    #expect(throws: PlaceStoreError.self) {
      try store.edit([
        PlaceEdit(id: "b", before: before["b"], after: nil),
        PlaceEdit(id: "c", before: before["c"], after: bad),
      ])
    }
    #expect(try places(store) == before)
  }

  @Test("A store in memory, and a file that is gone, cannot be edited")
  func readOnly() throws {
    let memory = try PlaceStore.inMemory(from: [scratch.file("places.csv", Self.table)]).store
    #expect(throws: PlaceStoreError.self) { try memory.edit([]) }
    let store = try store()
    _ = scratch.run("rm '\(store.path)'")
    #expect(throws: PlaceStoreError.self) { try store.edit([]) }
  }
}
