import Foundation
import Reporting
import Testing

@Suite("An output file")
struct OutputFileTests {
  @Test("appears under its name when it is finished, not before, and replaces what was there")
  func appearsWhole() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.txt")
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    var file = try OutputFile(path: path)
    file.buffer.append("new")
    try file.flush()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try folder.names() == ["out.txt"])
  }

  @Test("leaves nothing behind when it is given up")
  func leavesNothing() throws {
    let folder = try TemporaryFolder()
    do {
      var file = try OutputFile(path: folder.path("out.txt"))
      file.buffer.append("half")
      try file.flush()
      #expect(try folder.names().count == 1)
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("grows under its name where that is asked for")
  func growsInPlace() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.txt")
    var file = try OutputFile(path: path, visibility: .asWritten)
    file.buffer.append("first")
    try file.flush()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
    file.buffer.append(" second")
    try file.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first second")
  }

  @Test("keeps the rights of the file it replaces")
  func keepsRights() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.txt")
    let manager = FileManager.default
    #expect(manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
    var file = try OutputFile(path: path)
    try file.finish()
    let rights = try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(rights == 0o600)
  }

  @Test("follows a symbolic link instead of replacing it")
  func followsLinks() throws {
    let folder = try TemporaryFolder()
    let link = folder.path("link")
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("real")))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real")
    var file = try OutputFile(path: link)
    file.buffer.append("new")
    try file.finish()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real")
    #expect(try String(contentsOfFile: folder.path("real"), encoding: .utf8) == "new")
  }

  @Test("writes straight to what is no file")
  func devices() throws {
    var file = try OutputFile(path: "/dev/null")
    file.buffer.append("gone")
    try file.finish()
  }

  @Test("names the file and the reason when it cannot be made")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none/out.txt")
    let failure = #expect(throws: OutputFailure.self) { _ = try OutputFile(path: path) }
    #expect(failure?.description == "\(path): cannot write: No such file or directory")
    #expect(failure?.isBrokenPipe == false)
  }

  @Test("reports a full disk")
  func fullDisk() throws {
    var file = try OutputFile(path: "/dev/full")
    file.buffer.append("x")
    #expect(throws: OutputFailure(path: "/dev/full", code: ENOSPC)) { try file.flush() }
  }

  @Test("holds every byte of a long report", arguments: [EventFormat.ndjson, .csv, .geojson])
  func longReport(format: EventFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out")
    var report = EventReport(
      format: format, selection: .enter, output: try OutputFile(path: path))
    var expected = ByteBuffer()
    let csv = CSVWriter(selection: .enter)
    var geojson = GeoJSONWriter()
    if format == .csv { csv.begin(&expected) }
    if format == .geojson { geojson.begin(&expected) }
    for fix in 0..<5000 {
      var encounter = Samples.encounter
      encounter.fix = fix
      try report.write(.enter(encounter))
      try report.write(.refresh(Samples.refresh))
      switch format {
      case .csv: csv.write(.enter(encounter), to: &expected)
      case .geojson: geojson.write(.enter(encounter), to: &expected)
      default: NDJSONWriter().write(.enter(encounter), to: &expected)
      }
    }
    if format == .geojson { geojson.end(&expected) }
    try report.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == expected.text)
  }

  @Test(
    "is a valid empty document where there were no events",
    arguments: [
      (EventFormat.text, ""), (.ndjson, ""),
      (.geojson, "{\"type\":\"FeatureCollection\",\"features\":[]}\n"),
    ])
  func emptyReports(format: EventFormat, content: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out")
    var report = EventReport(format: format, output: try OutputFile(path: path))
    try report.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
  }
}

@Suite("The selection of events")
struct EventSelectionTests {
  @Test(
    "reads lists of kinds",
    arguments: [
      ("alert", EventSelection.alert), ("alert,suppressed,summary,reminder", .standard),
      ("all", .all),
      ("enter, exit", [.enter, .exit]), ("refresh,refresh", .refresh),
    ] as [(String, EventSelection)])
  func lists(list: String, selection: EventSelection) throws {
    #expect(try EventSelection(parsing: list) == selection)
  }

  @Test("names the first word that is no kind", arguments: ["alerts", "", "enter,", "enter;exit"])
  func unknown(list: String) {
    let error = #expect(throws: EventSelection.UnknownName.self) {
      try EventSelection(parsing: list)
    }
    #expect(error?.description.contains("alert,suppressed,enter,exit,refresh,summary") == true)
  }
}

/// A folder of a test's own, removed when the test is over.
private final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // What cannot be removed is left to the system's own cleaning.
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
