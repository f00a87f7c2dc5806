import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import Testing

@Suite("Deleting places")
struct DeletionTests {
  @Test("Deletion removes places from the table and the spatial index, and reports unknown ids")
  func deletes() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.clustered.circles)
    let count = try store.makeReader().count()
    let ids = (0..<count).filter { $0 % 3 == 0 }.map(String.init)
    let report = try store.delete(ids + ["nobody", "0", "nobody", ""])
    #expect(report.deleted == ids.count)
    #expect(report.unknown == ["nobody", ""])
    #expect(try store.check().findings.filter { $0.fault != nil }.isEmpty)
    let reader = try store.makeReader()
    #expect(try reader.count() == count - ids.count)
    #expect(try reader.place(withID: "0") == nil)
    #expect(try reader.place(withID: "1") != nil)
    let circle = Samples.clustered.circles[0]
    let near = try reader.nearest(to: circle.coordinate, count: 50, rank: .center)
    for neighbor in near {
      let number = try reader.place(forKey: neighbor.key).flatMap { Int($0.id) }
      #expect(number.map { $0 % 3 != 0 } == true)
    }
  }

  @Test("Deleting all places leaves an empty store that can be filled again")
  func empties() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    #expect(try store.delete((0..<20).map(String.init)).deleted == 20)
    #expect(try store.check().isSound)
    #expect(try store.makeReader().count() == 0)
    let again = try PlaceStore.importPlaces(
      from: [scratch.file("again.csv", "id,lat,lon\na,1,2\n")], into: store.path)
    #expect(again.imported == 1)
    #expect(try store.check().isSound)
  }

  @Test("A reader sees a deletion at its next snapshot")
  func isSeen() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    let reader = try store.makeReader()
    let center = Samples.twenty.circles[7].coordinate
    let key = try #require(try reader.nearest(to: center, count: 1, rank: .center).first).key
    let id = try #require(try reader.place(forKey: key)).id
    try reader.endSnapshot()
    #expect(try store.delete([id]).deleted == 1)
    #expect(try reader.refreshSnapshot())
    #expect(try reader.nearest(to: center, count: 20, rank: .center).count == 19)
    #expect(try reader.place(forKey: key) == nil)
  }

  @Test("A store in memory cannot be changed")
  func refusesMemory() throws {
    let scratch = Scratch()
    let (store, _) = try PlaceStore.inMemory(from: [scratch.file("a", "id,lat,lon\na,1,2\n")])
    #expect { try store.delete(["a"]) } throws: { ($0 as? PlaceStoreError)?.code == .readOnly }
  }
}

@Suite("A store whose table was replaced")
struct ReplacedTableTests {
  @Test("The error explains a replaced table, and its command recovers the places")
  func cure() throws {
    let scratch = Scratch()
    try #require(scratch.has("ogr2ogr"), "needs the program ogr2ogr (gdal-bin)")
    let store = try scratch.store(Samples.nineteen.circles)
    let reader = try store.makeReader()
    _ = try reader.count()
    try reader.endSnapshot()
    let overwriting = scratch.run(
      "cd \(scratch.folder) && ogr2ogr -f GeoJSON all.geojson places.db places && "
        + "ogr2ogr -f SQLite -update -overwrite -nln places places.db all.geojson")
    #expect(overwriting.hasSuffix("status 0\n"), "\(overwriting)")
    var sentence = ""
    #expect {
      try PlaceStore(path: store.path)
    } throws: { error in
      sentence = "\(error)"
      return (error as? PlaceStoreError)?.code == .replaced
    }
    // An earlier reader gets the same error.
    #expect {
      try reader.list { _ in true }
    } throws: { ($0 as? PlaceStoreError)?.code == .replaced }
    #expect { try store.delete(["1"]) } throws: { ($0 as? PlaceStoreError)?.code == .replaced }
    let cure = try #require(sentence.split(separator: "from its contents: ").last)
      .split(separator: " && ").map(String.init)
    #expect(cure.count == 2 && cure[1].hasPrefix("fencepost places import places.geojson"))
    #expect(scratch.run("cd \(scratch.folder) && \(cure[0])").hasSuffix("status 0\n"))
    let report = try PlaceStore.importPlaces(
      from: [scratch.path("places.geojson")], into: scratch.path("new.db"))
    #expect(report.imported == 19 && report.refused == 0)
  }
}
