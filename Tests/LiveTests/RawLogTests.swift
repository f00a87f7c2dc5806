import FencepostLive
import Foundation
import Testing

@Suite("A log of raw input")
struct RawLogTests {
  private static let day: Int64 = 86_400_000

  @Test("begins a file each day with a whole line, and appends after a restart")
  func days() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    let path = folder.appendingPathComponent("a.b.nmea").path
    var log: RawLog? = RawLog(path: path) { _ in Issue.record("nothing is wrong") }
    log?.append(Array("one\ntw".utf8), epochMilliseconds: Self.day - 1)
    log?.append(Array("o\nthree\nfo".utf8), epochMilliseconds: Self.day)
    #expect(try text("a.b-1970-01-01.nmea") == "one\ntwo\n")
    log = RawLog(path: path) { _ in Issue.record("nothing is wrong") }
    log?.append(Array("five\n".utf8), epochMilliseconds: Self.day + 5)
    #expect(try text("a.b-1970-01-02.nmea") == "three\nfo\nfive\n")
  }

  @Test("that cannot be written says so once, and once that it is written again")
  func failing() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    var said: [String] = []
    let log = RawLog(path: folder.appendingPathComponent("log").path) { said.append($0) }
    for _ in 0..<3 { log.append(Array("lost\n".utf8), epochMilliseconds: 0) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for _ in 0..<3 { log.append(Array("kept\n".utf8), epochMilliseconds: 0) }
    try #require(said.count == 2)
    #expect(said[0].contains("log-1970-01-01: cannot be written (no such file or directory)"))
    #expect(said[1].hasSuffix("writing the log again"))
  }
}
