import FencepostNotifications
import FencepostStateDatabase
import FencepostStateFile
import Foundation
import TestSupport
import Testing

@Suite("A scheduler whose state cannot be read")
struct RefusedStateTests {
  private func scheduler(_ kind: StoreKind, in folder: String) throws -> NotificationScheduler {
    NotificationScheduler(
      center: try DurableCenter(path: folder + "/phone.db", steps: Steps()),
      store: try kind.store(in: folder)
    ) { .init(nowMilliseconds: noon, zone: .utc) }
  }

  /// Neither reading nor an update may touch the file, and the phone keeps what it has.
  private func expectRefused(
    _ kind: StoreKind, in folder: String, _ code: StateFileError.Code, _ detail: String
  ) async throws {
    let path = kind.path(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = StateFileError(code: code, subject: path, detail: detail)
    let scheduler = try scheduler(kind, in: folder)
    await #expect(throws: error) { try await scheduler.requests() }
    await #expect(throws: error) { try await scheduler.update { $0 = [] } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let phone = try DurableCenter(path: folder + "/phone.db", steps: Steps())
    #expect(try await phone.pending().map(\.identifier) == ["entry.1"])
  }

  /// What happens to a file, and what is said of it.
  private static let faults:
    [(name: String, code: StateFileError.Code, detail: String, change: @Sendable (Data) -> Data)] =
      [
        ("truncated", .damaged, "its length is wrong", { $0.dropLast() }),
        ("cut in its first line", .damaged, "its first line is incomplete", { $0.prefix(19) }),
        ("cut in its first word", .damaged, "its first line is incomplete", { $0.prefix(5) }),
        (
          "with a changed byte", .damaged, "its checksum is wrong",
          { $0.dropLast() + [$0[$0.count - 1] ^ 1] }
        ),
        ("of another program", .notStateFile, "", { _ in Data("{\"entries\":[]}".utf8) }),
        (
          "of a newer program", .newerVersion, "version 2",
          { _ in Data("fencepost-state 2 0 0\n".utf8) }
        ),
      ]

  @Test(
    "says what is wrong with a plain file, and leaves it and the phone as they are",
    arguments: faults.indices)
  func file(_ index: Int) async throws {
    let fault = Self.faults[index]
    let folder = try ScratchFolder()
    let whole = try scheduler(.file, in: folder.path)
    try await whole.update { $0.append(request("entry.1", at: noon + 1000)) }
    let path = URL(fileURLWithPath: StoreKind.file.path(in: folder.path))
    try fault.change(try Data(contentsOf: path)).write(to: path)
    try await expectRefused(.file, in: folder.path, fault.code, fault.detail)
  }

  @Test(
    "says so of a state that a newer version wrote, and of a document that is none, in either store",
    arguments: StoreKind.allCases,
    [
      (#"{"version":2,"entries":"of another form"}"#, .newerVersion, "version 2"),
      (#"{"version":1}"#, .damaged, "its contents are not a scheduler's state"),
      ("[]", StateFileError.Code.damaged, "its contents are not a scheduler's state"),
    ])
  func document(
    _ kind: StoreKind, _ fault: (json: String, code: StateFileError.Code, detail: String)
  ) async throws {
    let folder = try ScratchFolder()
    let whole = try scheduler(kind, in: folder.path)
    try await whole.update { $0.append(request("entry.1", at: noon + 1000)) }
    let path = kind.path(in: folder.path)
    switch kind {
    case .file: try StateFile(path: path).write(Array(fault.json.utf8))
    case .database:
      let file = try StateDatabase(path: path)
      try file.update {
        try $0.put(kind: "scheduler", id: "default", body: Data(fault.json.utf8))
      }
      try file.close()
    }
    try await expectRefused(kind, in: folder.path, fault.code, fault.detail)
  }
}
