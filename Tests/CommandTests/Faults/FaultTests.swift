import Foundation
import TestSupport
import Testing

/// Each fault ends in one clear sentence and the documented status, and leaves no half of anything.
@Suite("Faults")
struct FaultTests {
  static let table = Fault.ofStores + Fault.ofInputs + Fault.ofOutputs

  @Test("end as the documentation says", arguments: table)
  func ending(fault: Fault) throws {
    let scratch = try Fault.makeFolder()
    try fault.arrange(scratch)
    let before = try scratch.contents()
    let result = try Command.run(fault.arguments, in: scratch.url)
    #expect(result.status == fault.status, "\(result.errors)")
    #expect(fault.says.isEmpty || result.errors.contains(fault.says), "\(result.errors)")
    let lines = result.errors.split(separator: "\n")
    let isClear = lines.allSatisfy { $0.hasPrefix("fencepost: ") }
    #expect(isClear && lines.count <= (fault.says.isEmpty ? 0 : 2), "\(result.errors)")
    let after = try scratch.contents()
    #expect(after.keys.sorted() == before.keys.sorted())
    // SQLite notes in its header that it was there to check; nothing else may change anything.
    if fault.arguments != Fault.check { #expect(after == before) }
  }

  @Test("A track with a fault is still reported up to it")
  func goodPart() throws {
    let scratch = try Fault.makeFolder()
    try scratch.write(
      "cut.gpx",
      """
      <gpx><trk><trkseg><trkpt lat="39.94" lon="-75.1503"/><trkpt lat="39.956" lon="-75.1503"/>
      <trkpt lat="39
      """)
    let result = try Command.run(
      ["replay", "cut.gpx", "--store", "store.sqlite", "--quiet"], in: scratch.url)
    #expect(result.status == 65)
    #expect(result.output.contains(#""type":"alert""#))
    #expect(result.output.contains(#""fixes":2"#))
    #expect(result.output.contains(#""error":"cut.gpx: line 2: "#))
  }

  @Test("An import of a truncated file keeps its good rows")
  func goodPlaces() throws {
    let scratch = try Fault.makeFolder()
    try scratch.write(
      "cut.geojson",
      """
      {"features":[{"id":"whole","geometry":{"type":"Point","coordinates":[1,2]}},
      {"geometry":{"type":"Poi
      """)
    let result = try Command.run(
      ["places", "import", "cut.geojson", "--store", "store.sqlite"], in: scratch.url)
    #expect(result.status == 65)
    #expect(result.output.contains(#""imported":1,"updated":0,"refused":1"#))
    let list = try Command.run(["places", "list", "--store", "store.sqlite"], in: scratch.url)
    #expect(list.output.contains(#"{"id":"whole""#))
  }

  @Test("A store that another program writes to is awaited, then reported as locked")
  func locked() throws {
    let scratch = try Fault.makeFolder()
    let holder = try LiveProcess("sqlite3", ["store.sqlite"], in: scratch.url)
    try holder.write(Data("BEGIN EXCLUSIVE; SELECT 'held';\n".utf8))
    try holder.wait("no lock") { $0.outputText.contains("held") }
    for arguments in [Fault.import, Fault.replay] {
      let result = try Command.run(arguments, in: scratch.url)
      #expect(result.status == 74)
      #expect(
        result.errors
          == "fencepost: store.sqlite: another program has locked the store; "
          + "try again when it has finished\n")
    }
    try holder.closeInput()
    try holder.end()
    #expect(try Command.run(Fault.replay, in: scratch.url).status == 0)
  }

  @Test("A file that is replaced while being read is read to its own end")
  func replaced() throws {
    let scratch = try Fault.makeFolder()
    var rows = "time,lat,lon\n"
    for second in 0..<20_000 {
      let time = String(format: "%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60)
      rows += "2026-03-04T\(time)Z,39.\(90_000 + second % 1000),-75.1503\n"
    }
    try scratch.write("long.csv", rows)
    // Some seconds at this pace, so that the file is still open when it is replaced.
    let process = try LiveProcess(
      nil,
      [
        "replay", "long.csv", "--store", "store.sqlite", "--quiet", "--speed", "4000x",
        "--events", "refresh,summary",
      ], in: scratch.url)
    // The first fix asks for places, so the file is being read once that is written.
    try process.wait("no fix was read") { $0.outputText.contains("refresh") }
    try scratch.write("other.csv", "time,lat,lon\n")
    try FileManager.default.removeItem(atPath: scratch.path("long.csv"))
    try FileManager.default.moveItem(
      atPath: scratch.path("other.csv"), toPath: scratch.path("long.csv"))
    #expect(try process.end() == 0)
    #expect(process.outputText.contains(#""fixes":20000"#))
  }

  @Test("The documentation's table lists exactly the faults that are tested")
  func documented() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/Faces/CommandLine/Documentation.docc/Faults.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = text.split(separator: "\n")
    let rows = lines.drop { !$0.hasPrefix("| Fault |") }.dropFirst().filter {
      $0.hasPrefix("| ")
    }
    let documented = Set(
      rows.map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) })
    let tried = Set(Self.table.map(\.name) + Self.triedAlone)
    #expect(documented == tried)
  }

  /// Faults that have a test of their own, here, in ``FullDiskTests``, ``MannersTests``,
  /// ``LiveMapTests`` or those of live sessions.
  private static let triedAlone = [
    "store locked", "store read-only", "store on a full disk", "input is replaced while read",
    "input stalls", "output closed early", "output to standard output on a full disk",
    "address of a map is taken", "address of a map that this machine does not have",
    "program interrupted", "program killed", "source is a directory", "source is HOST:PORT",
    "source makes no sense", "source of devices is not understood", "program of a sink is missing",
    "webhook refuses or is down", "message broker is down",
    "message broker refuses the user, the certificate or the encryption",
    "serial line is reserved by another program", "serial line is locked by another program",
    "log cannot be written", "state is fed what it has seen", "system without `/proc`",
    "message broker ends each connection after seconds",
    "message or post takes too long to read, or its JSON is cut off",
    "state is fed another format",
    "address of a broker has a password or a wrong topic",
    "state cannot be used", "state on a full disk", "receiver has no fix",
    "source has several receivers", "datagrams of a stranger",
  ]
}

extension Scratch {
  /// Every file of the folder with its bytes.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try names() {
      // A folder has no bytes.
      contents[name] = (try? Data(contentsOf: url.appendingPathComponent(name))) ?? Data()
    }
    return contents
  }
}
