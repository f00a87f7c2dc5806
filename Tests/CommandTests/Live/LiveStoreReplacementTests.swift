import Foundation
import TestSupport
import Testing

@Suite("A store that is replaced while a session runs")
struct LiveStoreReplacementTests {
  /// Makes a store of rows of `id,title,lat,lon,radius`.
  private static func makeStore(_ scratch: Scratch, _ name: String, _ rows: String) throws {
    let file = try scratch.write("rows.csv", "id,title,lat,lon,radius\n\(rows)")
    let result = try Command.run(["places", "import", file, "--store", scratch.path(name)])
    try #require(result.status == 0, "\(result.errors)")
  }

  private static func move(_ scratch: Scratch, _ from: String, _ to: String) throws {
    try #require(unsafe rename(scratch.path(from), scratch.path(to)) == 0)
  }

  private static func fix(_ minute: Int, _ latitude: Double) -> Data {
    Data(
      ("{\"_type\":\"location\",\"tst\":\(1_772_649_000 + 60 * minute),"
        + "\"lat\":\(latitude),\"lon\":-75}\n").utf8)
  }

  private static func start(_ scratch: Scratch, _ more: [String] = []) throws -> LiveProcess {
    let live = try LiveProcess(
      nil, ["live", "-", "--store", scratch.path("store"), "--events", "all"] + more)
    try live.write(fix(0, 40.003))
    try live.wait("no refresh") { $0.lines.contains { $0.contains("\"refresh\"") } }
    return live
  }

  private static func alerted(_ live: LiveProcess) -> [String] {
    live.lines.filter { $0.contains("\"alert\"") }
      .compactMap { $0.firstMatch(of: /"place":"([^"]*)"/).map { String($0.1) } }
  }

  @Test("by moving another over it takes effect at the next fix")
  func replaced() throws {
    let scratch = try Scratch()
    // The first places of both stores have the same key, and so do the second ones.
    try Self.makeStore(scratch, "store", "old,Old,40,-75,50\nfar,Far,41,-75,50\n")
    try Self.makeStore(scratch, "next", "other,Other,42,-75,50\nnew,New,40,-75,50\n")
    let live = try Self.start(scratch)
    try Self.move(scratch, "next", "store")
    try live.write(Self.fix(1, 40))
    try live.wait("no alert") { !Self.alerted($0).isEmpty }
    try live.finish()
    #expect(Self.alerted(live) == ["new"])
    #expect(live.errorText.contains("the file was replaced"))
  }

  @Test("takes effect at once on SIGHUP")
  func hangUp() throws {
    let scratch = try Scratch()
    try Self.makeStore(scratch, "store", "old,Old,40,-75,50\n")
    try Self.makeStore(scratch, "next", "new,New,40.001,-75,50\n")
    let live = try Self.start(scratch)
    try Self.move(scratch, "next", "store")
    live.signal(SIGHUP)
    try live.wait("it is not taken up") { $0.errorText.contains("the file was replaced") }
    try live.write(Self.fix(1, 40))
    try live.finish()
    #expect(Self.alerted(live) == ["new"])
  }

  @Test("through a symbolic link is noticed too")
  func link() throws {
    let scratch = try Scratch()
    try Self.makeStore(scratch, "one", "old,Old,40,-75,50\n")
    try Self.makeStore(scratch, "two", "new,New,40,-75,50\n")
    try #require(unsafe symlink("one", scratch.path("store")) == 0)
    let live = try Self.start(scratch)
    try #require(unsafe symlink("two", scratch.path("next")) == 0)
    try Self.move(scratch, "next", "store")
    try live.write(Self.fix(1, 40))
    try live.finish()
    #expect(Self.alerted(live) == ["new"])
  }

  @Test("by nothing, or by garbage, keeps the monitored set, and is reported once")
  func vanished() throws {
    let scratch = try Scratch()
    try Self.makeStore(scratch, "store", "old,Old,40,-75,50\nfar,Far,41,-75,50\n")
    let live = try Self.start(scratch)
    try Self.move(scratch, "store", "away")
    try live.write(Self.fix(1, 40))
    try live.wait("no alert of what is monitored") { Self.alerted($0) == ["old"] }
    try scratch.write("store", String(repeating: "no store at all. ", count: 300))
    // Far enough for a refresh, which fails.
    try live.write(Self.fix(2, 40.2) + Self.fix(3, 40.3))
    try live.wait("no failed refresh") {
      $0.lines.filter { $0.contains("\"refresh\"") }.count >= 3
    }
    try Self.move(scratch, "away", "store")
    try live.write(Self.fix(4, 41))
    try live.wait("no alert after it is back") { Self.alerted($0) == ["old", "far"] }
    try live.finish()
    let told = live.errorText
    #expect(told.components(separatedBy: "the watched stories stay the same").count == 2)
    #expect(told.contains("the store is back"))
  }

  @Test("in place by garbage keeps the monitored set, and is reported once")
  func damaged() throws {
    let scratch = try Scratch()
    try Self.makeStore(scratch, "store", "old,Old,40,-75,50\n")
    let live = try Self.start(scratch)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.path("store")))
    let length = try file.seekToEnd()
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(repeating: 0x5A, count: Int(length)))
    try live.write(Self.fix(1, 40) + Self.fix(2, 40.2) + Self.fix(3, 40.4))
    try live.finish()
    #expect(Self.alerted(live) == ["old"])
    #expect(live.errorText.components(separatedBy: "the watched stories stay the same").count == 2)
  }

  @Test("by one without the place around the device reports nothing more of it")
  func deletedWhileInside() throws {
    let scratch = try Scratch()
    try Self.makeStore(scratch, "store", "a,A,40,-75,50\nb,B,40.001,-75,50\n")
    let live = try Self.start(scratch)
    try live.write(Self.fix(1, 40))
    try live.wait("no alert") { Self.alerted($0).contains("a") }
    try Self.makeStore(scratch, "next", "b,B,40.001,-75,50\n")
    try Self.move(scratch, "next", "store")
    try live.write(Self.fix(2, 40.003))
    try live.finish()
    let after = live.lines.filter { $0.contains(#""fix":2,"#) && !$0.contains("\"refresh\"") }
    #expect(!after.isEmpty)
    #expect(after.allSatisfy { $0.contains(#""place":"b""#) })
  }

  @Test("does not fire again inside a circle of both")
  func insideBoth() throws {
    let scratch = try Scratch()
    try Self.makeStore(scratch, "store", "a,A,40,-75,50\n")
    try Self.makeStore(scratch, "next", "z,Z,42,-75,50\na,A,40,-75,60\n")
    let live = try Self.start(scratch, ["--cooldown", "none"])
    try live.write(Self.fix(1, 40))
    try live.wait("no alert") { Self.alerted($0) == ["a"] }
    try Self.move(scratch, "next", "store")
    try live.write(Self.fix(2, 40.0001) + Self.fix(3, 40.003))
    try live.finish()
    #expect(Self.alerted(live) == ["a"])
    #expect(live.lines.filter { $0.contains("\"exit\"") }.count == 1)
  }
}
