import FencepostStateFile
import Foundation
import FencepostStateDatabase
import TestSupport
import Testing

/// A directory for one test, removed at its end.
private final class TemporaryDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // The system cleans up what cannot be removed.
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

private struct Interruption: Error {}

private func code(_ body: () throws -> Void) -> StateFileError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StateFileError)?.code
  }
}

private func setPermissions(_ permissions: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
}

@Suite("State file")
struct StateFileTests {
  @Test("documents come back after closing and opening again")
  func persistence() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    let first = try StateDatabase(path: path)
    try first.update {
      try $0.put(kind: "policy", id: "a", value: ["hall": 1, "bell": 2])
      try $0.put(kind: "policy", id: "b", body: Data([0, 255]))
      try $0.put(kind: "other", id: "a", body: Data())
    }
    try first.close()
    let second = try StateDatabase(path: path)
    try second.update {
      #expect(try $0.value([String: Int].self, kind: "policy", id: "a") == ["hall": 1, "bell": 2])
      #expect(try $0.ids(kind: "policy") == ["a", "b"])
      try $0.remove(kind: "policy", id: "a")
    }
    #expect(try second.body(kind: "policy", id: "a") == nil)
    #expect(try second.body(kind: "policy", id: "b") == Data([0, 255]))
    #expect(try second.body(kind: "other", id: "a") == Data())
  }

  @Test("the log beside it stays under 1 MiB, however many changes there are")
  func logBound() throws {
    let directory = try TemporaryDirectory()
    let file = try StateDatabase(path: directory.path("state.db"), durability: .crash)
    var most: UInt64 = 0
    for number in 0..<2000 {
      let body = Data(repeating: UInt8(truncatingIfNeeded: number), count: 3000)
      try file.update { try $0.put(kind: "k", id: "\(number % 50)", body: body) }
      let size =
        try FileManager.default.attributesOfItem(atPath: directory.path("state.db-wal"))[.size]
      most = max(most, try #require(size as? UInt64))
    }
    #expect(most < 1 << 20)
  }

  @Test("an update that throws leaves nothing behind")
  func rollback() throws {
    let directory = try TemporaryDirectory()
    let file = try StateDatabase(path: directory.path("state.db"))
    try file.update { try $0.put(kind: "k", id: "1", body: Data([1])) }
    #expect(throws: Interruption.self) {
      try file.update {
        try $0.put(kind: "k", id: "1", body: Data([2]))
        try $0.put(kind: "k", id: "2", body: Data([2]))
        throw Interruption()
      }
    }
    #expect(try file.body(kind: "k", id: "1") == Data([1]))
    #expect(try file.body(kind: "k", id: "2") == nil)
  }

  @Test("a missing directory is reported as such")
  func missingDirectory() throws {
    let directory = try TemporaryDirectory()
    #expect(
      code { _ = try StateDatabase(path: directory.path("nowhere/state.db")) } == .missingDirectory)
  }

  @Test("a file that is not a database is refused and left as it is")
  func notADatabase() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    let text = Data(String(repeating: "this is a diary, not a database\n", count: 64).utf8)
    try text.write(to: URL(fileURLWithPath: path))
    #expect(code { _ = try StateDatabase(path: path) } == .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
  }

  @Test("a damaged file is refused and left as it is")
  func damaged() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    let file = try StateDatabase(path: path)
    try file.update { transaction in
      for number in 0..<200 {
        try transaction.put(
          kind: "k", id: "document \(number)", body: Data(repeating: UInt8(number), count: 500))
      }
    }
    try file.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The second page on holds the documents.
    for index in 4096..<(bytes.count - 100) { bytes[index] = UInt8(truncatingIfNeeded: index * 7) }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(code { _ = try StateDatabase(path: path) } == .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("a file of a newer version is refused")
  func newerVersion() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    try StateDatabase(path: path).close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The user version stands in bytes 60 to 63 of a database's header.
    bytes[63] = 9
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(code { _ = try StateDatabase(path: path) } == .newerVersion)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("a database of another program is refused")
  func foreign() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    try StateDatabase(path: path).close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The application's mark stands in bytes 68 to 71 of a database's header.
    bytes[68] = 0
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(code { _ = try StateDatabase(path: path) } == .notStateFile)
  }

  @Test("an empty file becomes a state file")
  func emptyFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try StateDatabase(path: path)
    try file.update { try $0.put(kind: "k", id: "1", body: Data([1])) }
    #expect(try file.body(kind: "k", id: "1") == Data([1]))
  }

  @Test("an update throws while another program holds the file")
  func locked() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    let first = try StateDatabase(path: path)
    let second = try StateDatabase(path: path, waitSeconds: 0.05)
    try first.update { transaction in
      try transaction.put(kind: "k", id: "1", body: Data([1]))
      #expect(
        code { try second.update { try $0.put(kind: "k", id: "1", body: Data([2])) } } == .locked)
    }
    #expect(try second.body(kind: "k", id: "1") == Data([1]))
  }

  @Test("a directory's path is reported as such")
  func directoryAsFile() throws {
    let directory = try TemporaryDirectory()
    #expect(code { _ = try StateDatabase(path: directory.url.path) } == .isDirectory)
  }

  @Test("a read-only directory is reported to every user")
  func readOnlyDirectory() async throws {
    let directory = try TemporaryDirectory()
    // In another process, which drops root's rights if it has them.
    let path = directory.url.path
    try setPermissions(0o555, of: path)
    // The folder's own removal needs it.
    defer { try? setPermissions(0o755, of: path) }
    await #expect(processExitsWith: .exitCode(EX_NOPERM)) { [path = path as String] in
      if getuid() == 0 { setuid(65_534) }
      let found = code { _ = try StateDatabase(path: path + "/state.db") }
      exit(found == .readOnly ? EX_NOPERM : EX_SOFTWARE)
    }
  }

  @Test("a read-only file cannot be opened and is left as it is")
  func readOnlyFile() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("state.db")
    let file = try StateDatabase(path: path)
    try file.update { try $0.put(kind: "k", id: "1", body: Data([1])) }
    try file.close()
    try setPermissions(0o444, of: path)
    try setPermissions(0o555, of: directory.url.path)
    // The folder's own removal needs it.
    defer { try? setPermissions(0o755, of: directory.url.path) }
    await #expect(processExitsWith: .exitCode(EX_NOPERM)) { [path = path as String] in
      if getuid() == 0 { setuid(65_534) }
      let found = code {
        let file = try StateDatabase(path: path)
        try file.update { try $0.put(kind: "k", id: "1", body: Data([2])) }
      }
      exit(found == .readOnly ? EX_NOPERM : EX_SOFTWARE)
    }
    try setPermissions(0o755, of: directory.url.path)
    #expect(try StateDatabase(path: path).body(kind: "k", id: "1") == Data([1]))
  }

  @Test(
    "on a full disk an update throws and changes nothing, and works again once there is room",
    .enabled(if: SmallFileSystem.isPossible, "a small file system cannot be mounted here"))
  func fullDisk() throws {
    let disk = try SmallFileSystem(kilobytes: 256)
    let path = disk.path("state.db")
    let file = try StateDatabase(path: path)
    try file.update { try $0.put(kind: "k", id: "first", body: Data([1])) }
    try disk.fill()
    #expect(
      code {
        try file.update {
          try $0.put(kind: "k", id: "first", body: Data(repeating: 2, count: 100_000))
          try $0.put(kind: "k", id: "second", body: Data(repeating: 3, count: 100_000))
        }
      } == .diskFull)
    #expect(try file.body(kind: "k", id: "first") == Data([1]))
    #expect(try file.body(kind: "k", id: "second") == nil)
    try FileManager.default.removeItem(atPath: disk.path("filler"))
    try file.update { try $0.put(kind: "k", id: "first", body: Data([4])) }
    try file.close()
    #expect(try StateDatabase(path: path).body(kind: "k", id: "first") == Data([4]))
  }

  @Test("every error is a sentence with its file", arguments: StateFileError.Code.allCases)
  func sentences(code: StateFileError.Code) {
    let error = StateFileError(code: code, subject: "/var/lib/state.db", detail: "why")
    #expect(error.description.hasPrefix("state file /var/lib/state.db: "))
    #expect(error.description.hasSuffix("(why)"))
  }
}
