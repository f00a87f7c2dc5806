import Foundation
import TestSupport
import Testing

@Suite("A disk that is full or read-only", .enabled(if: SmallFileSystem.isPossible))
struct FullDiskTests {
  private static func rows(_ count: Int) -> String {
    let rows = (0..<count).map { "p\($0),Place \($0),39.\(100_000 + $0),-75.15\n" }
    return "id,title,lat,lon\n" + rows.joined()
  }

  @Test("leaves nothing of a new store")
  func newStore() throws {
    let scratch = try Scratch()
    try scratch.write("many.csv", Self.rows(20_000))
    let disk = try SmallFileSystem(kilobytes: 512)
    let store = disk.path("store.sqlite")
    let result = try Command.run(
      ["places", "import", "many.csv", "--store", store], in: scratch.url)
    #expect(result.status == 74)
    #expect(
      result.errors == "fencepost: \(store): the disk is full, so the store cannot be written\n")
    #expect(try disk.names().isEmpty)
  }

  @Test("leaves a store untouched")
  func existingStore() throws {
    let scratch = try Scratch()
    try scratch.write("few.csv", Self.rows(10))
    try scratch.write("many.csv", Self.rows(20_000))
    let disk = try SmallFileSystem(kilobytes: 2048)
    let store = disk.path("store.sqlite")
    try Command.run(["places", "import", "few.csv", "--store", store], in: scratch.url)
    try disk.fill(leavingKilobytes: 600)
    let list = ["places", "list", "--store", store, "--format", "ndjson"]
    let before = try Command.run(list).output
    let result = try Command.run(
      ["places", "import", "many.csv", "--store", store], in: scratch.url)
    #expect(result.status == 74)
    #expect(
      result.errors == "fencepost: \(store): the disk is full, so the store cannot be written\n")
    let check = try Command.run(["places", "check", "--store", store], in: scratch.url)
    #expect(check.status == 0, "\(check.errors)")
    #expect(try Command.run(list).output == before)
    #expect(try disk.names() == ["filler", "store.sqlite"])
  }

  /// Few rows are written with the triggers of both indexes, many without; both into a store of ten.
  @Test(
    "leaves a store untouched, and nothing beside it, however little space there is",
    arguments: [1500, 3000])
  func spaceForSome(count: Int) throws {
    let scratch = try Scratch()
    try scratch.write("few.csv", Self.rows(10))
    try scratch.write("many.csv", Self.rows(count).replacing("Place", with: "Another place"))
    try Command.run(["places", "import", "few.csv", "--store", "store.sqlite"], in: scratch.url)
    for left in [0, 8, 16, 22, 24, 26, 32, 48, 64, 128, 256] {
      let disk = try SmallFileSystem(kilobytes: 2048)
      let store = disk.path("store.sqlite")
      try FileManager.default.copyItem(atPath: scratch.path("store.sqlite"), toPath: store)
      try disk.fill(leavingKilobytes: left)
      let result = try Command.run(
        ["places", "import", "many.csv", "--store", store], in: scratch.url)
      #expect(result.status == 74)
      #expect(
        result.errors == "fencepost: \(store): the disk is full, so the store cannot be written\n")
      #expect(try disk.names() == ["filler", "store.sqlite"], "\(left) KB left")
      #expect(
        FileManager.default.contentsEqual(atPath: store, andPath: scratch.path("store.sqlite")))
    }
  }

  @Test("leaves nothing of a report, and reports it")
  func report() throws {
    let scratch = try Fault.makeFolder()
    let disk = try SmallFileSystem(kilobytes: 64)
    try disk.fill()
    let output = disk.path("out.ndjson")
    let result = try Command.run(Fault.replay + ["--output", output], in: scratch.url)
    #expect(result.status == 74)
    #expect(result.errors == "fencepost: \(output): cannot write: No space left on device\n")
    #expect(try disk.names() == ["filler"])
  }

  @Test("A full disk behind standard output is reported")
  func standardOutput() throws {
    let scratch = try Fault.makeFolder()
    let command = ([Command.executable.path] + Fault.replay).joined(separator: " ")
    try scratch.shell("\(command) >/dev/full 2>errors; echo $? >status")
    #expect(try scratch.text("status") == "74\n")
    #expect(
      try scratch.text("errors")
        == "fencepost: standard output: cannot write: No space left on device\n")
  }

  @Test("A store on a read-only disk can be read, and writing reports that it is read-only")
  func readOnly() throws {
    let scratch = try Fault.makeFolder()
    let disk = try SmallFileSystem(kilobytes: 4096)
    let store = disk.path("store.sqlite")
    try FileManager.default.copyItem(atPath: scratch.path("store.sqlite"), toPath: store)
    try disk.makeReadOnly()
    let replayed = try Command.run(
      ["replay", "track.csv", "--store", store, "--quiet"], in: scratch.url)
    #expect(replayed.status == 0, "\(replayed.errors)")
    for name in [store, disk.path("new.sqlite")] {
      let result = try Command.run(
        ["places", "import", "places.csv", "--store", name], in: scratch.url)
      #expect(result.status == 74)
      #expect(result.errors.hasPrefix("fencepost: \(name): the store cannot be written"))
    }
  }
}
