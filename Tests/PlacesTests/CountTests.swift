import FencepostPlaces
import Testing

@Suite("The number of places")
struct CountTests {
  @Test(
    "The count stays right whichever program edits the store",
    .enabled(if: Scratch().has("spatialite") && Scratch().has("sqlite3")))
  func edits() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.uniform.circles)
    func edit(_ sql: String) {
      let output = scratch.run("spatialite -silent '\(store.path)' \"\(sql)\"")
      #expect(output.hasSuffix("status 0\n"), "\(output)")
    }
    func count() throws -> Int { try PlaceStore(path: store.path).makeReader().count() }
    #expect(try count() == 5000)
    edit("DELETE FROM places WHERE key <= 100")
    #expect(try count() == 4900)
    edit("INSERT INTO places (id, geometry) VALUES ('x', MakePoint(7.5, 46.5, 4326))")
    #expect(try count() == 4901)
    // REPLACE runs no delete trigger.
    edit("REPLACE INTO places (id, geometry) VALUES ('x', MakePoint(8.5, 46.5, 4326))")
    #expect(try count() == 4901)
    _ = try PlaceStore.importPlaces(
      from: [scratch.file("a", "id,lat,lon\nx,1,2\ny,1,2\n")], into: store.path)
    #expect(try count() == 4902)
    edit("PRAGMA journal_mode = WAL; DELETE FROM places WHERE id = 'x'")
    #expect(try count() == 4901)
    edit("PRAGMA journal_mode = DELETE; DELETE FROM places WHERE id = 'y'")
    #expect(try count() == 4900)
    edit("VACUUM")
    #expect(try count() == 4900)
  }

  @Test(
    "After an import the count is read from the note", .enabled(if: Scratch().has("sqlite3")),
    arguments: [true, false])
  func note(_ isNew: Bool) throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    if !isNew {
      _ = try PlaceStore.importPlaces(
        from: [scratch.file("a", "id,lat,lon\nx,1,2\n")], into: store.path)
    }
    let count = isNew ? 20 : 21
    // A wrong note that matches the file's state is believed.
    let lie = """
      UPDATE places_count SET places = 777, change_counter = change_counter + 1;
      """
    #expect(scratch.run("sqlite3 '\(store.path)' '\(lie)'") == "status 0\n")
    #expect(try store.makeReader().count() == 777)
    // Any other transaction invalidates it.
    #expect(scratch.run("sqlite3 '\(store.path)' 'PRAGMA user_version = 1'") == "status 0\n")
    #expect(try store.makeReader().count() == count)
  }

  @Test(
    "A store without the note counts its rows until the next import",
    .enabled(if: Scratch().has("sqlite3")))
  func older() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    #expect(scratch.run("sqlite3 '\(store.path)' 'DROP TABLE places_count'") == "status 0\n")
    #expect(try store.makeReader().count() == 20)
    _ = try PlaceStore.importPlaces(
      from: [scratch.file("a", "id,lat,lon\nx,1,2\n")], into: store.path)
    #expect(try store.makeReader().count() == 21)
    #expect(
      scratch.run("sqlite3 '\(store.path)' 'SELECT places FROM places_count'")
        == "21\nstatus 0\n")
  }
}
