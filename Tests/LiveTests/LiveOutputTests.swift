import Foundation
import FencepostLive
import Testing

@Suite("The output of a session")
struct LiveOutputTests {
  /// A file in a folder of its own, which the test's end removes.
  private final class Target {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var file: URL { folder.appendingPathComponent("alerts") }

    init(_ bytes: [UInt8]? = nil) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      if let bytes { try Data(bytes).write(to: file) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func text(_ name: String = "alerts") throws -> String {
      String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }
  }

  private static let header = "type,blurb\r\n"

  private static func write(_ line: String, _ output: LiveOutput) {
    #expect(output.write(Data(line.utf8)) { false } == .delivered)
  }

  @Test(
    "begins each line on a line of its own, whatever was there before",
    arguments: [
      ("", ""), ("{\"a\":1}\n", ""), ("{\"a\":1}", "\n"), ("{\"a\":1}\n{\"b", "\n"), ("x\r", "\n"),
      ("größe", "\n"), ("\u{1F600}", "\n"),
    ])
  func torn(before: String, end: String) throws {
    let target = try Target(Array(before.utf8))
    let output = try LiveOutput(path: target.file.path)
    Self.write("{\"c\":1}\n", output)
    Self.write("{\"d\":1}\n", output)
    #expect(try target.text() == before + end + "{\"c\":1}\n{\"d\":1}\n")
  }

  @Test(
    "removes half a character, which would make the file unreadable as a whole",
    arguments: [1, 2, 3])
  func half(count: Int) throws {
    let target = try Target(Array("{\"a\":\"".utf8) + Array("\u{1F600}".utf8.prefix(count)))
    Self.write("{\"c\":1}\n", try LiveOutput(path: target.file.path))
    #expect(try target.text() == "{\"a\":\"\n{\"c\":1}\n")
  }

  @Test(
    "has one header, at the beginning of the file",
    arguments: [
      ("", "type,blurb\r\nalert,x\r\n"),
      ("type,blurb\r\n", "type,blurb\r\nalert,x\r\n"),
      ("type,blurb\r\nalert,y\r\n", "type,blurb\r\nalert,y\r\nalert,x\r\n"),
      ("type,blurb\r\nalert,\"y\r\nz", "type,blurb\r\nalert,\"y\r\nz\"\nalert,x\r\n"),
      ("type,blurb\r\nalert,\"y\r\n", "type,blurb\r\nalert,\"y\r\n\"\nalert,x\r\n"),
    ])
  func header(before: String, after: String) throws {
    let target = try Target(Array(before.utf8))
    let output = try LiveOutput(path: target.file.path)
    #expect(output.setHeader(Array(Self.header.utf8)) == false)
    // Nothing but what must stand before the first row.
    Self.write("", output)
    Self.write("alert,x\r\n", output)
    #expect(try target.text() == after)
  }

  @Test("finds a file that has other columns")
  func otherColumns() throws {
    let target = try Target(Array("type,title\r\n".utf8))
    let output = try LiveOutput(path: target.file.path)
    #expect(output.setHeader(Array(Self.header.utf8)))
  }

  @Test("goes on in a new file after it was moved and opened again, and says so once")
  func rotated() throws {
    let target = try Target()
    let output = try LiveOutput(path: target.file.path)
    _ = output.setHeader(Array(Self.header.utf8))
    Self.write("alert,1\r\n", output)
    try FileManager.default.moveItem(
      at: target.file, to: target.folder.appendingPathComponent("alerts.1"))
    Self.write("alert,2\r\n", output)
    #expect(output.reopen() == "\(target.file.path): writing to the new file")
    #expect(try target.text() == Self.header)
    #expect(output.reopen() == nil)
    Self.write("alert,3\r\n", output)
    #expect(try target.text() == Self.header + "alert,3\r\n")
    #expect(try target.text("alerts.1") == Self.header + "alert,1\r\nalert,2\r\n")
  }

  @Test("keeps to the old file if the new one cannot be opened")
  func notOpened() throws {
    let target = try Target()
    let output = try LiveOutput(path: target.file.path)
    try FileManager.default.moveItem(
      at: target.file, to: target.folder.appendingPathComponent("alerts.1"))
    try FileManager.default.createDirectory(at: target.file, withIntermediateDirectories: false)
    #expect(output.reopen()?.hasSuffix("; writing to the old file") == true)
    Self.write("x\n", output)
    #expect(try target.text("alerts.1") == "x\n")
  }

  @Test("is made anew after it was deleted or emptied")
  func deleted() throws {
    let target = try Target()
    let output = try LiveOutput(path: target.file.path)
    _ = output.setHeader(Array(Self.header.utf8))
    Self.write("alert,1\r\n", output)
    try FileManager.default.removeItem(at: target.file)
    Self.write("alert,2\r\n", output)
    #expect(try target.text() == Self.header + "alert,2\r\n")
    // As logrotate's `copytruncate` does.
    #expect(unsafe truncate(target.file.path, 0) == 0)
    Self.write("alert,3\r\n", output)
    #expect(try target.text() == Self.header + "alert,3\r\n")
  }
}
