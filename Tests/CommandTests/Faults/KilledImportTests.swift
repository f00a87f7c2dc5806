import Foundation
import TestSupport
import Testing

/// However suddenly an import ends, the store is as it was or complete, and sound.
@Suite(
  "A killed import", .serialized,
  .enabled(if: Tool.has("strace"), "strace is not installed"))
struct KilledImportTests {
  /// Into a new store, into one that has few of the places, and into one that has most of them: each
  /// is written in another way.
  enum Start: String, CaseIterable, Sendable {
    case new, few, many
  }

  /// How many places are imported: from 2000 on the indexes are written anew.
  private static func count(_ start: Start) -> Int { start == .many ? 1500 : 3000 }

  private static func rows(_ range: Range<Int>, title: String) -> String {
    let rows = range.map { index in
      let latitude = 39.5 + Double(index * 7919 % 10_007) / 10_000
      let longitude = -75.5 + Double(index * 104_729 % 10_009) / 10_000
      return "p\(index),\(title) \(index),\(latitude),\(longitude)\n"
    }
    return "id,title,lat,lon\n" + rows.joined()
  }

  @Test("leaves the store untouched or complete, and sound", arguments: Start.allCases)
  func killed(start: Start) throws {
    let scratch = try Scratch()
    try scratch.write("before.csv", Self.rows(0..<(start == .few ? 50 : 5000), title: "old"))
    try scratch.write("after.csv", Self.rows(10..<(10 + Self.count(start)), title: "new"))
    if start != .new {
      try Command.run(
        ["places", "import", "before.csv", "--store", "before.sqlite"], in: scratch.url)
    }
    try restore(scratch)
    let before = try state(scratch)
    let count = try trace([], in: scratch)
    let complete = try state(scratch)
    // The first and the last of them, where files are made and given up, and a sample of those between.
    let number = 12
    let calls = Set(1...number).union(max(1, count - number)...max(1, count))
      .union(stride(from: number, to: count, by: max(1, count / number)))
    var ends = (before: 0, complete: 0)
    for call in calls.sorted() {
      try restore(scratch)
      try trace(["-e", "inject=\(Self.calls):signal=SIGKILL:when=\(call)"], in: scratch)
      let found = try state(scratch)
      try #require(found == before || found == complete, "killed at call \(call): \(found)")
      if found == before { ends.before += 1 } else { ends.complete += 1 }
    }
    #expect(ends.before > 0 && ends.complete > 0, "\(ends) of \(count)")
    // The next import takes away what killed ones have left beside the store.
    try Command.run(Self.import, in: scratch.url)
    #expect(try state(scratch) == complete)
    let left = try scratch.names().filter { $0.hasPrefix("store.sqlite") }
    #expect(left == ["store.sqlite"])
  }

  private static let `import` = ["places", "import", "after.csv", "--store", "store.sqlite"]

  /// The store as it was before, with nothing beside it.
  private func restore(_ scratch: Scratch) throws {
    for name in try scratch.names() where name.hasPrefix("store.sqlite") {
      try scratch.remove(name)
    }
    guard try scratch.names().contains("before.sqlite") else { return }
    try FileManager.default.copyItem(
      atPath: scratch.path("before.sqlite"), toPath: scratch.path("store.sqlite"))
  }

  /// Everything that changes a file.
  private static let calls = "pwrite64,ftruncate,fdatasync,fsync,unlink"

  /// Imports under `strace`, which can kill it at a call; the number of calls.
  @discardableResult
  private func trace(_ options: [String], in scratch: Scratch) throws -> Int {
    try LiveProcess(
      "strace",
      ["-f", "-qq", "-o", scratch.path("trace"), "-e", "trace=\(Self.calls)"] + options
        + [Command.executable.path] + Self.import, in: scratch.url
    ).end()
    return try scratch.text("trace").split(separator: "\n").count
  }

  /// What the store holds, once it has been found sound; of none nothing.
  private func state(_ scratch: Scratch) throws -> String {
    guard try scratch.names().contains("store.sqlite") else { return "none" }
    // SQLite's integrity_check and SpatiaLite's CheckSpatialIndex are among the checks.
    let check = try Command.run(
      ["places", "check", "--store", "store.sqlite", "--format", "text"], in: scratch.url)
    try #require(check.status == 0, "\(check.output)\(check.errors)")
    let list = try Command.run(
      ["places", "list", "--store", "store.sqlite", "--format", "ndjson"], in: scratch.url)
    let lines = list.output.split(separator: "\n").sorted()
    let sum = lines.joined().utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
    return "\(lines.count) places, \(sum)"
  }
}
