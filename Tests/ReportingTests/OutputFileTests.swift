import FencepostSession
import Foundation
import FencepostReporting
import Testing

@Suite("An output file")
struct OutputFileTests {
  @Test("An output file appears when it is finished, not before, and replaces the old file")
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

  @Test("An abandoned output leaves nothing behind")
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

  @Test("An output can grow under its own name")
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

  @Test("An output keeps the permissions of the file it replaces")
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

  @Test("An output follows a symbolic link instead of replacing it")
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

  @Test("Devices and pipes are written to directly")
  func pipes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    let code = unsafe mkfifo(path, 0o600)
    try #require(code == 0)
    // Open at both ends, so that neither side blocks.
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

  @Test("An output creates the file that a chain of symbolic links leads to")
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

  @Test("A circle of links or a missing folder is refused")
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

  @Test("An output abandoned before its first byte leaves the old file alone")
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

  @Test("A file that grows in place keeps nothing of a longer one before it")
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

  @Test("A failure names the file and the reason")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none/out.txt")
    let failure = #expect(throws: OutputFailure.self) { _ = try OutputFile(path: path) }
    #expect(failure?.description == "\(path): cannot write: No such file or directory")
    #expect(failure?.isBrokenPipe == false)
  }

  @Test("A full disk is reported")
  func fullDisk() throws {
    var file = try OutputFile(path: "/dev/full")
    file.buffer.append("x")
    #expect(throws: OutputFailure(path: "/dev/full", code: ENOSPC)) { try file.flush() }
  }

  @Test(
    "An output holds every byte of a long report", arguments: [EventFormat.ndjson, .csv, .geojson])
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
    "A report without events is a valid empty document",
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
  @Test("A file has one identity under any spelling and any link; other files have others")
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

  @Test("A file that an output will create already has an identity, also by a link")
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

  @Test("Only regular files have an identity", arguments: ["/dev/null", "/", "/nowhere/at/all"])
  func others(path: String) {
    #expect(FileIdentity(reading: path) == nil)
    #expect(FileIdentity(writing: path) == nil)
  }
}

@Suite("The selection of events")
struct EventSelectionTests {
  @Test(
    "A selection reads lists of kinds",
    arguments: [
      ("alert", EventSelection.alert), ("alert,suppressed,summary,reminder", .standard),
      ("all", .all),
      ("enter, exit", [.enter, .exit]), ("refresh,refresh", .refresh),
    ] as [(String, EventSelection)])
  func lists(list: String, selection: EventSelection) throws {
    #expect(try EventSelection(parsing: list) == selection)
  }

  @Test(
    "A selection names the first unknown kind", arguments: ["alerts", "", "enter,", "enter;exit"])
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
