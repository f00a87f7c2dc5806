import Foundation
import FencepostNotifications
import FencepostStateFile
import TestSupport
import Testing

/// A scheduler on the files of a folder, one for each process.
private func scheduler(
  _ kind: StoreKind, in folder: String
) throws -> NotificationScheduler {
  NotificationScheduler(
    center: try DurableCenter(path: folder + "/phone.db", steps: Steps()),
    store: try kind.store(in: folder), budget: NotificationBudget(totalLimit: limit)
  ) { .init(nowMilliseconds: noon, zone: .utc) }
}

private let limit = 6

/// Runs twenty updates that each add a request due before all others, which displaces another, and remove
/// every fourth again.
///
/// - Returns: The remaining ones.
@discardableResult
private func runUpdates(_ name: String, on scheduler: NotificationScheduler) async throws -> Set<
  String
> {
  var left: Set<String> = []
  for number in 0..<20 {
    let identifier = "\(name).\(number)"
    let isGoing = number % 4 == 3
    let previous = "\(name).\(number - 1)"
    let added = request(identifier, at: noon + Int64(1000 - number) * 60_000)
    try await scheduler.update { requests in
      requests.append(added)
      if isGoing { requests.removeAll { $0.identifier == previous } }
    }
    left.insert(identifier)
    if isGoing { left.remove(previous) }
  }
  return left
}

private let expected = Set(
  ["app", "extension"].flatMap { name in
    (0..<20).filter { $0 % 4 != 2 }.map { "\(name).\($0)" }
  })

/// Waits until both processes have started, so that their updates meet: a named pipe opens only
/// when its other end does.
private func meet(_ name: String, in folder: String) {
  close(unsafe open("\(folder)/meeting", name == "app" ? O_RDONLY : O_WRONLY))
}

@Suite("Two schedulers on one file")
struct SharedFileTests {
  /// Nothing is lost, the phone holds what the last plan says, and there is nothing left to do.
  private func expectAll(_ kind: StoreKind, in folder: String) async throws {
    let scheduler = try scheduler(kind, in: folder)
    #expect(Set(try await scheduler.requests().map(\.identifier)) == expected)
    let phone = try DurableCenter(path: folder + "/phone.db", steps: Steps())
    let pending = try await phone.pending()
    #expect(pending.count == limit)
    let report = try await scheduler.refresh()
    #expect(report.added.isEmpty && report.removed.isEmpty)
    #expect(
      Set(report.plan.scheduled.map(\.request.identifier)) == Set(pending.map(\.identifier)))
  }

  @Test("lose no update in one process", arguments: StoreKind.allCases)
  func oneProcess(_ kind: StoreKind) async throws {
    let folder = try ScratchFolder()
    let app = try scheduler(kind, in: folder.path)
    let other = try scheduler(kind, in: folder.path)
    async let first = runUpdates("app", on: app)
    async let second = runUpdates("extension", on: other)
    let left = try await first.union(second)
    #expect(left == expected)
    try await expectAll(kind, in: folder.path)
  }

  @Test(
    "lose no update in two processes, such as an app and its extension",
    arguments: StoreKind.allCases)
  func twoProcesses(_ kind: StoreKind) async throws {
    let folder = try ScratchFolder()
    try #require(unsafe mkfifo("\(folder.path)/meeting", 0o600) == 0)
    async let first: Void = Self.runProcess("app", kind, in: folder.path)
    async let second: Void = Self.runProcess("extension", kind, in: folder.path)
    _ = await (first, second)
    try await expectAll(kind, in: folder.path)
  }

  @Test("wait a limited time for another's update, then throw", arguments: StoreKind.allCases)
  func bounded(_ kind: StoreKind) async throws {
    let folder = try ScratchFolder()
    let path = kind.path(in: folder.path)
    let scheduler = try scheduler(kind, in: folder.path)
    try await scheduler.update { $0.append(request("entry.1", at: noon + 1000)) }
    let impatient = NotificationScheduler(
      center: try DurableCenter(path: folder.path + "/phone.db", steps: Steps()),
      store: try kind.store(in: folder.path, waitSeconds: 0.05)
    ) { .init(nowMilliseconds: noon, zone: .utc) }
    var turn: FileClaim? = try await FileClaim(turnToUpdate: path, waitSeconds: 0)
    do {
      try await impatient.update { $0 = [] }
      Issue.record("nothing was thrown")
    } catch let error as StateFileError {
      #expect(
        error.description
          == "state file \(path): another program is using it (its update took longer than 0.05 s)")
    }
    #expect(try await impatient.requests().count == 1)
    _ = turn.take()
    #expect(try await impatient.update { $0 = [] }.removed == ["entry.1"])
  }

  @Test(
    "are not blocked by one that was killed within an update", arguments: StoreKind.allCases)
  func killedInTurn(_ kind: StoreKind) async throws {
    let folder = try ScratchFolder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [kind = kind as StoreKind, path = path as String] in
      // Killed at the first call that changes the phone.
      let center = try DurableCenter(path: path + "/phone.db", steps: Steps(killingAt: 2))
      let store = try kind.store(in: path)
      _ = try await NotificationScheduler(center: center, store: store) {
        .init(nowMilliseconds: noon, zone: .utc)
      }.update { $0.append(request("entry.1", at: noon + 1000)) }
    }
    let phone = try DurableCenter(path: path + "/phone.db", steps: Steps())
    let next = NotificationScheduler(
      center: phone, store: try kind.store(in: path, waitSeconds: 0)
    ) {
      .init(nowMilliseconds: noon, zone: .utc)
    }
    // The next update carries out what was saved.
    #expect(try await next.refresh().added == ["entry.1"])
    #expect(try await phone.pending().map(\.identifier) == ["entry.1"])
  }

  private static func runProcess(
    _ name: String, _ kind: StoreKind, in folder: String
  ) async {
    await #expect(processExitsWith: .success) {
      [name = name as String, kind = kind as StoreKind, folder = folder as String] in
      meet(name, in: folder)
      let own = try scheduler(kind, in: folder)
      try await runUpdates(name, on: own)
    }
  }
}
