import FencepostNotifications
import FencepostStateFile
import Foundation
import TestSupport
import Testing

@Suite("A state file without a database")
struct StateFileTests {
  private static func fault(_ body: () throws -> Void) -> StateFileError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StateFileError)?.code
    }
  }

  @Test("holds the last document that was written")
  func roundTrip() throws {
    let folder = try ScratchFolder()
    let file = StateFile(path: folder.path + "/state")
    #expect(try file.read() == nil)
    for document: [UInt8] in [
      [], Array("first".utf8), (0..<200_000).map { UInt8(truncatingIfNeeded: $0) },
    ] {
      try file.write(document)
      #expect(try StateFile(path: file.path).read() == document)
    }
  }

  @Test("keeps any value, and refuses a document of another kind")
  func values() throws {
    let folder = try ScratchFolder()
    let file = StateFile(path: folder.path + "/new/state")
    #expect(try file.load([String: Int].self) == nil)
    try file.save(["b": 2, "a": 1])
    #expect(try file.load([String: Int].self) == ["a": 1, "b": 2])
    #expect(try file.read() == Array(#"{"a":1,"b":2}"#.utf8))
    #expect(Self.fault { _ = try file.load([String].self) } == .damaged)
  }

  @Test("begins with a line that names the form, the checksum and the length")
  func form() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/state"
    try StateFile(path: path).write(Array("123456789".utf8))
    // The check value of CRC-32 in the catalog of parametrised CRC algorithms is cbf43926.
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "fencepost-state 1 cbf43926 9\n123456789")
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test("is damaged if any byte of it was changed or is missing")
  func damaged() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/state"
    let file = StateFile(path: path)
    try file.write(Array(#"{"entries":[]}"#.utf8))
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 0x11
      try changed.write(to: URL(fileURLWithPath: path))
      let code = Self.fault { _ = try file.read() }
      #expect([.damaged, .notStateFile, .newerVersion].contains(code), "byte \(index)")
      // A file that cannot be read is not written to either.
      #expect(Self.fault { try file.write([1]) } == code)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == changed)
    }
    for count in 1..<whole.count {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      let code = Self.fault { _ = try file.read() }
      #expect(code == .damaged || code == .notStateFile, "\(count) bytes")
    }
  }

  @Test("is refused if a newer version has written it")
  func newer() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/state"
    try "fencepost-state 2 0 0\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(Self.fault { _ = try StateFile(path: path).read() } == .newerVersion)
  }

  @Test("goes on after a write that was cut short, whatever it left behind")
  func leftOver() throws {
    let folder = try ScratchFolder()
    let file = StateFile(path: folder.path + "/state")
    try file.write([1, 2, 3])
    try "half a document".write(toFile: file.path + "-new", atomically: true, encoding: .utf8)
    #expect(try file.read() == [1, 2, 3])
    try file.write([4])
    #expect(try file.read() == [4])
    #expect(!FileManager.default.fileExists(atPath: file.path + "-new"))
  }

  @Test("creates its directory when it is first written, as a new phone has none")
  func directory() async throws {
    let folder = try ScratchFolder()
    let file = StateFile(path: folder.path + "/Library/Application Support//state")
    #expect(try file.read() == nil)
    try file.write([1])
    #expect(try file.read() == [1])
    let store = StateFileStore(path: folder.path + "/other/deep/state")
    _ = try await store.takeTurn()
    #expect(try store.load() == nil)
  }

  @Test("names a file in the way of its directory, and a directory in its place")
  func places() throws {
    let folder = try ScratchFolder()
    try StateFile(path: folder.path + "/file").write([])
    let nowhere = StateFile(path: folder.path + "/file/state")
    #expect(Self.fault { try nowhere.write([]) } == .missingDirectory)
    #expect(Self.fault { _ = try StateFile(path: folder.path).read() } == .isDirectory)
  }

  @Test("does not follow a link that somebody laid in the way of the new file")
  func link() throws {
    let folder = try ScratchFolder()
    let victim = folder.path + "/victim"
    try "keep".write(toFile: victim, atomically: true, encoding: .utf8)
    let file = StateFile(path: folder.path + "/state")
    try FileManager.default.createSymbolicLink(
      atPath: file.path + "-new", withDestinationPath: victim)
    #expect(Self.fault { try file.write([1]) } != nil)
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "keep")
  }

  @Test("keeps a scheduler's state, in the form of every version so far")
  func stored() throws {
    let folder = try ScratchFolder()
    let store = StateFileStore(path: folder.path + "/state")
    #expect(try store.load() == nil)
    // What the first version wrote had no version and no form for sounds.
    let first = """
      {"entries":[{"isConfirmed":true,"isScheduled":true,"request":{"askedMilliseconds":0,\
      "content":{"body":"","category":"","subtitle":"","title":"Tea"},"identifier":"tea",\
      "trigger":{"immediate":{}}}}],"leaving":[]}
      """
    try StateFile(path: folder.path + "/state").write(Array(first.utf8))
    let state = try #require(try store.load())
    #expect(state.entries.map(\.request.content) == [NotificationContent(title: "Tea")])
    try store.save(state)
    #expect(try store.load() == state)
    try StateFile(path: folder.path + "/state").write(Array(#"{"version":2}"#.utf8))
    #expect(Self.fault { _ = try store.load() } == .newerVersion)
    try StateFile(path: folder.path + "/state").write(Array("[]".utf8))
    #expect(Self.fault { _ = try store.load() } == .damaged)
  }
}

@Suite("A turn to update a shared file")
struct UpdateTurnTests {
  @Test("is one program's at a time, and ends with the value")
  func oneAtATime() async throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/state"
    var turn: FileClaim? = try await FileClaim(turnToUpdate: path, waitSeconds: 0)
    await #expect(throws: StateFileError.self) {
      try await FileClaim(turnToUpdate: path, waitSeconds: 0)
    }
    _ = turn.take()
    _ = try await FileClaim(turnToUpdate: path, waitSeconds: 0)
  }
}
