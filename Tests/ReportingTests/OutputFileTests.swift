import Fencepost
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
  func pipes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    let code = unsafe mkfifo(path, 0o600)
    try #require(code == 0)
    // Open at both ends, so that nobody waits.
    let descriptor = unsafe open(path, O_RDWR)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    for visibility in [OutputFile.Visibility.whenComplete, .asWritten] {
      var file = try OutputFile(path: path, visibility: visibility)
      file.buffer.append("read at once")
      try file.flush()
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = unsafe read(descriptor, &bytes, bytes.count)
      #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "read at once")
      try file.finish()
      #expect(try folder.names() == ["pipe"])
    }
  }

  @Test("makes the file that a symbolic link leads to, over any number of links")
  func danglingLinks() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path("far"), withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: folder.path("a"), withDestinationPath: "far/b")
    try manager.createSymbolicLink(atPath: folder.path("far/b"), withDestinationPath: "c")
    for visibility in [OutputFile.Visibility.whenComplete, .asWritten] {
      var file = try OutputFile(path: folder.path("a"), visibility: visibility)
      file.buffer.append("new")
      try file.finish()
      #expect(try manager.destinationOfSymbolicLink(atPath: folder.path("a")) == "far/b")
      #expect(try manager.destinationOfSymbolicLink(atPath: folder.path("far/b")) == "c")
      #expect(try String(contentsOfFile: folder.path("far/c"), encoding: .utf8) == "new")
      try manager.removeItem(atPath: folder.path("far/c"))
    }
  }

  @Test("is refused where links lead in a circle or into no folder")
  func brokenLinks() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("a"), withDestinationPath: "b")
    try manager.createSymbolicLink(atPath: folder.path("b"), withDestinationPath: "a")
    try manager.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "none/d")
    for (name, code) in [("a", ELOOP), ("c", ENOENT)] {
      for visibility in [OutputFile.Visibility.whenComplete, .asWritten] {
        #expect(throws: OutputFailure(path: folder.path(name), code: code)) {
          _ = try OutputFile(path: folder.path(name), visibility: visibility)
        }
      }
    }
    #expect(try folder.names() == ["a", "b", "c"])
  }

  @Test("leaves what had its name when it is given up before anything was written")
  func leavesOld() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.txt")
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    for visibility in [OutputFile.Visibility.whenComplete, .asWritten] {
      _ = try OutputFile(path: path, visibility: visibility)
      _ = try OutputFile(path: folder.path("new.txt"), visibility: visibility)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      #expect(try folder.names() == ["out.txt"])
    }
  }

  @Test("that grows in place has nothing left of a longer one before it")
  func shorter() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.txt")
    try Data("a long text".utf8).write(to: URL(fileURLWithPath: path))
    var file = try OutputFile(path: path, visibility: .asWritten)
    file.buffer.append("short")
    try file.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
    var empty = try OutputFile(path: path, visibility: .asWritten)
    try empty.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8).isEmpty)
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
    var expected = OutputBuffer()
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

@Suite("The identity of a file")
struct FileIdentityTests {
  @Test("is the same by any spelling and over any link, and another for another file")
  func names() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try Data("a".utf8).write(to: URL(fileURLWithPath: folder.path("a")))
    try Data("a".utf8).write(to: URL(fileURLWithPath: folder.path("b")))
    try manager.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: "a")
    try manager.linkItem(atPath: folder.path("a"), toPath: folder.path("hard"))
    let identity = try #require(FileIdentity(reading: folder.path("a")))
    for name in ["soft", "hard", "./a", "../\(folder.name)/a"] {
      #expect(FileIdentity(reading: folder.path(name)) == identity, "\(name)")
      #expect(FileIdentity(writing: folder.path(name)) == identity, "\(name)")
    }
    #expect(FileIdentity(reading: folder.path("b")) != identity)
  }

  @Test("is known of a file that an output will make, and by a link to it")
  func coming() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "new")
    let identity = try #require(FileIdentity(writing: folder.path("new")))
    #expect(FileIdentity(writing: folder.path("link")) == identity)
    #expect(FileIdentity(writing: folder.path("./new")) == identity)
    #expect(FileIdentity(writing: folder.path("other")) != identity)
    #expect(FileIdentity(reading: folder.path("new")) == nil)
  }

  @Test("is none of what is no regular file", arguments: ["/dev/null", "/", "/nowhere/at/all"])
  func others(path: String) {
    #expect(FileIdentity(reading: path) == nil)
    #expect(FileIdentity(writing: path) == nil)
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

  var name: String { url.lastPathComponent }
  func path(_ name: String) -> String { "\(url.path)/\(name)" }
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
