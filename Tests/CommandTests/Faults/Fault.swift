import Foundation
import TestSupport
import Testing

/// A fault of the table in the documentation: how it is brought about, and how the program ends.
struct Fault: Sendable {
  /// The name, as the documentation has it.
  var name: String
  /// What the program is asked to do.
  var arguments: [String]
  /// The status it must end with.
  var status: Int32
  /// What the sentence on standard error must contain; empty where nothing must be said.
  var says: String
  /// Brings the fault about in a folder that has `store.sqlite`, `places.csv` and `track.csv`.
  var arrange: @Sendable (Scratch) throws -> Void = { _ in }
}

extension Fault: CustomTestStringConvertible {
  var testDescription: String { "\(name): \(arguments.prefix(2).joined(separator: " "))" }
}

extension Fault {
  static let track = """
    time,lat,lon
    2026-03-04T17:00:00Z,39.9400,-75.1503
    2026-03-04T17:05:00Z,39.9560,-75.1503

    """
  static let places = "id,title,lat,lon\nhall,Hall,39.94888,-75.15003\n"

  static let replay = ["replay", "track.csv", "--store", "store.sqlite", "--quiet"]
  static let `import` = ["places", "import", "places.csv", "--store", "store.sqlite"]
  static let check = ["places", "check", "--store", "store.sqlite"]

  private static let prepared = Result {
    let scratch = try Scratch()
    try scratch.write("track.csv", track)
    try scratch.write("places.csv", places)
    try Command.run(`import`, in: scratch.url)
    return scratch
  }

  /// A folder with a store, its places, and a track past one of them.
  static func makeFolder() throws -> Scratch { try Scratch(copying: prepared.get()) }

  /// Faults of the store.
  static let ofStores: [Fault] = [
    Fault(
      name: "store missing", arguments: replay, status: 66,
      says: "store.sqlite: no such store; create one with `fencepost places import`",
      arrange: { try $0.remove("store.sqlite") }),
    Fault(
      name: "store empty", arguments: replay, status: 65,
      says: "store.sqlite: the file is empty, so it is not a store of places",
      arrange: { try $0.write("store.sqlite", "") }),
    Fault(
      name: "store not SQLite", arguments: replay, status: 65,
      says: "store.sqlite: not an SQLite database",
      arrange: { try $0.write("store.sqlite", String(repeating: "no database ", count: 400)) }),
    Fault(
      name: "store not SQLite", arguments: `import`, status: 65,
      says: "store.sqlite: not an SQLite database",
      arrange: { try $0.write("store.sqlite", String(repeating: "no database ", count: 400)) }),
    Fault(
      name: "store of another program", arguments: replay, status: 65,
      says: "store.sqlite: an SQLite database, but not a store of places",
      arrange: { scratch in
        try scratch.remove("store.sqlite")
        try scratch.sqlite("CREATE TABLE places (id TEXT)")
      }),
    Fault(
      name: "store whose table another program has replaced", arguments: replay, status: 65,
      says: "store.sqlite: another program has replaced the table of places, so this is no",
      arrange: {
        try $0.sqlite("DROP TABLE places; CREATE TABLE places (ogc_fid INTEGER, id TEXT)")
      }),
    Fault(
      name: "store without spatial metadata", arguments: check, status: 65,
      says: "store.sqlite: the store is damaged; import its places again",
      arrange: { try $0.sqlite("DROP TABLE geometry_columns_time; DROP TABLE geometry_columns") }),
    Fault(
      name: "store without spatial metadata", arguments: `import`, status: 65,
      says: "store.sqlite: the store is damaged",
      arrange: { try $0.sqlite("DROP TABLE geometry_columns_time; DROP TABLE geometry_columns") }),
    Fault(
      name: "store that computes what it should hold", arguments: replay, status: 65,
      says: "store.sqlite: Fencepost runs nothing that a store computes (“places” is not a table",
      arrange: {
        try $0.sqlite("ALTER TABLE places RENAME TO p; CREATE VIEW places AS SELECT * FROM p")
      }),
    Fault(
      name: "store that computes what it should hold", arguments: check, status: 65,
      says: "(the index “mine” of “places” is computed)",
      arrange: { try $0.sqlite("CREATE INDEX mine ON places (hex(title))") }),
    Fault(
      name: "store with a text above 16 MB", arguments: replay, status: 74,
      says: "store.sqlite: the store cannot be opened or read (string or blob too big)",
      arrange: { try $0.sqlite("UPDATE places SET title = hex(zeroblob(9000000))") }),
    Fault(
      name: "store of a newer version", arguments: replay, status: 65,
      says: "store.sqlite: the store was written by a newer version of Fencepost",
      arrange: { try $0.sqlite("PRAGMA user_version = 99") }),
    Fault(
      name: "store with a damaged page", arguments: replay, status: 65,
      says: "store.sqlite: the store is damaged", arrange: { try $0.damage("store.sqlite") }),
    Fault(
      name: "store with a damaged page", arguments: check, status: 65, says: "store.sqlite: ",
      arrange: { try $0.damage("store.sqlite") }),
    Fault(
      name: "store cut short", arguments: replay, status: 65, says: "store.sqlite: ",
      arrange: { try $0.cut("store.sqlite", to: 10_000) }),
    Fault(
      name: "store with an index out of step", arguments: check, status: 65,
      says: "store.sqlite: the store is damaged",
      arrange: { try $0.sqlite("DELETE FROM idx_places_geometry") }),
    Fault(
      name: "store is a directory", arguments: replay, status: 74,
      says: "store.sqlite: the store cannot be opened or read (it is a directory)",
      arrange: { scratch in
        try scratch.remove("store.sqlite")
        try scratch.makeFolder("store.sqlite")
      }),
  ]

  /// Faults of what is read.
  static let ofInputs: [Fault] = [
    Fault(
      name: "input missing",
      arguments: ["replay", "none.gpx", "--store", "store.sqlite", "--quiet"],
      status: 66, says: "none.gpx: no such file"),
    Fault(
      name: "input missing",
      arguments: ["places", "import", "none.csv", "--store", "store.sqlite"], status: 66,
      says: "none.csv: no such file"),
    Fault(
      name: "input is a directory",
      arguments: ["replay", ".", "--store", "store.sqlite", "--quiet"],
      status: 66, says: ".: is a directory"),
    Fault(
      name: "input is a directory",
      arguments: ["places", "import", ".", "--store", "store.sqlite"], status: 66,
      says: ".: is a directory"),
    Fault(
      name: "input empty", arguments: ["replay", "empty", "--store", "store.sqlite", "--quiet"],
      status: 65,
      says: "empty: the file is empty", arrange: { try $0.write("empty", "") }),
    Fault(
      name: "input of no known format",
      arguments: ["replay", "noise", "--store", "store.sqlite", "--quiet"],
      status: 65, says: "noise: unknown format", arrange: { try $0.write("noise", "\u{1}\u{2}\n") }
    ),
    Fault(
      name: "more of a track refused than kept",
      arguments: ["replay", "wrong.csv", "--store", "store.sqlite", "--quiet"], status: 65,
      says: "wrong.csv: 3 fixes were refused (coordinate 3), only 2 accepted",
      arrange: { scratch in
        let wrong = String(repeating: "2026-03-04T17:06:00Z,95,0\n", count: 3)
        try scratch.write("wrong.csv", track + wrong)
      }),
    Fault(
      name: "input ends in mid-line",
      arguments: ["replay", "cut.gpx", "--store", "store.sqlite", "--quiet"], status: 65,
      says: "cut.gpx: line 2: ",
      arrange: { scratch in
        try scratch.write(
          "cut.gpx",
          """
          <gpx><trk><trkseg><trkpt lat="39.94" lon="-75.15"/>
          <trkpt lat="39.95" lon="-75
          """)
      }),
    Fault(
      name: "input ends in mid-line",
      arguments: ["replay", "cut.csv", "--store", "store.sqlite", "--quiet"], status: 0, says: "",
      arrange: { try $0.write("cut.csv", track + "2026-03-04T17:06") }),
    Fault(
      name: "input ends in mid-line",
      arguments: ["places", "import", "cut.geojson", "--store", "store.sqlite", "--strict"],
      status: 65, says: "cut.geojson, line 2: the JSON text ends too early",
      arrange: { scratch in
        try scratch.write(
          "cut.geojson",
          """
          {"features":[{"geometry":{"type":"Point","coordinates":[1,2]}},
          {"geometry":{"type":"Poi
          """)
      }),
    Fault(
      name: "input compressed and cut short",
      arguments: ["replay", "cut.gz", "--store", "store.sqlite", "--quiet"], status: 65,
      says: "cut.gz: the gzip data ends too early",
      arrange: { scratch in
        try scratch.shell("gzip -c track.csv | head -c 60 >cut.gz")
      }),
    Fault(
      name: "input may not be read",
      arguments: ["replay", "/proc/self/mem", "--store", "store.sqlite", "--quiet"], status: 74,
      says: "/proc/self/mem: Input/output error"),
  ]

  /// Faults of where the report goes.
  static let ofOutputs: [Fault] = [
    Fault(
      name: "output into no folder", arguments: replay + ["--output", "none/out.ndjson"],
      status: 74, says: "none/out.ndjson: cannot write: No such file or directory"),
    Fault(
      name: "output onto a full disk", arguments: replay + ["--output", "/dev/full"], status: 74,
      says: "/dev/full: cannot write: No space left on device"),
    Fault(
      name: "output is a directory", arguments: replay + ["--output", "."], status: 74,
      says: ".: cannot write: Is a directory"),
    Fault(
      name: "output is an input", arguments: replay + ["--output", "./track.csv"], status: 64,
      says: "./track.csv is the same file as the input track.csv"),
    Fault(
      name: "two outputs are one file",
      arguments: [
        "analyze", "track.csv", "--store", "store.sqlite", "-o", "x", "--report", "x",
      ], status: 64, says: "x: --output and --report must name different files"),
  ]
}

extension Scratch {
  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appendingPathComponent(name))
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: url.appendingPathComponent(name), withIntermediateDirectories: false)
  }

  /// Changes the store as another program could.
  func sqlite(_ sql: String) throws {
    try shell("sqlite3 store.sqlite '\(sql)'")
  }

  /// Runs a line of the shell in the folder, which must succeed.
  func shell(_ command: String) throws {
    let shell = try LiveProcess("sh", ["-c", command], in: url)
    try #require(try shell.end() == 0, "\(command): \(shell.errorText)")
  }

  /// Overwrites everything of a file behind its first two pages.
  func damage(_ name: String) throws {
    let file = url.appendingPathComponent(name)
    var bytes = [UInt8](try Data(contentsOf: file))
    for index in stride(from: 8192, to: bytes.count, by: 3) { bytes[index] = 0xA5 }
    try Data(bytes).write(to: file)
  }

  func cut(_ name: String, to count: Int) throws {
    let file = url.appendingPathComponent(name)
    try Data(try Data(contentsOf: file).prefix(count)).write(to: file)
  }
}
