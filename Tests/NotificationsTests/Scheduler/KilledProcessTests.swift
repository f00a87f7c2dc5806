import Foundation
import FencepostNotifications
import TestSupport
import Testing

private func scheduler(
  _ kind: StoreKind, in folder: String, steps: Steps
) throws -> NotificationScheduler {
  NotificationScheduler(
    center: try DurableCenter(path: folder + "/phone.db", steps: steps),
    store: try kind.store(in: folder, steps: steps), budget: NotificationBudget(totalLimit: 4)
  ) { .init(nowMilliseconds: noon, zone: .utc) }
}

/// Six requests for four slots.
private func first(_ requests: inout [NotificationRequest]) {
  requests += (1...6).map { request("entry.\($0)", at: noon + Int64($0) * 3_600_000) }
}

/// Removes one, moves one, and adds one that is sooner than all.
private func second(_ requests: inout [NotificationRequest]) {
  requests.removeAll { $0.identifier == "entry.2" }
  requests += [request("entry.3", at: noon + 60_000), request("entry.soon", at: noon + 1000)]
}

private let expectedPending: Set<String> = ["entry.soon", "entry.3", "entry.1", "entry.4"]
private let expectedAll: Set<String> = expectedPending.union(["entry.5", "entry.6"])

@Suite("A killed process")
struct KilledProcessTests {
  @Test("has exactly the steps at which the next test kills it", arguments: StoreKind.allCases)
  func steps(_ kind: StoreKind) async throws {
    let folder = try ScratchFolder()
    _ = try await scheduler(kind, in: folder.path, steps: Steps()).update(first)
    let steps = Steps()
    _ = try await scheduler(kind, in: folder.path, steps: steps).update(second)
    #expect(steps.passed == Self.stepCount)
  }

  /// Loading, listing, saving, removing and two additions, each before, during and after its write.
  private static let stepCount = 1 + 1 + 3 + 3 + 2 * 3

  @Test(
    "neither loses nor doubles a request, at whatever step of an update it is killed",
    arguments: StoreKind.allCases, 1...stepCount)
  func killed(_ kind: StoreKind, step: Int) async throws {
    let folder = try ScratchFolder()
    let path = folder.path
    _ = try await scheduler(kind, in: path, steps: Steps()).update(first)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [kind = kind as StoreKind, path = path as String, step = step as Int] in
      _ = try await scheduler(kind, in: path, steps: Steps(killingAt: step)).update(second)
    }
    // The next start of the app.
    let restarted = try scheduler(kind, in: path, steps: Steps())
    let saved = Set(try await restarted.requests().map(\.identifier))
    if saved.contains("entry.soon") {
      _ = try await restarted.refresh()
    } else {
      // Killed before it was saved, the update has not happened at all.
      #expect(saved == Set((1...6).map { "entry.\($0)" }))
      _ = try await restarted.update(second)
    }
    let phone = try DurableCenter(path: path + "/phone.db", steps: Steps())
    let pending = try await phone.pending()
    #expect(pending.count == 4 && Set(pending.map(\.identifier)) == expectedPending)
    let moved = try #require(pending.first { $0.identifier == "entry.3" })
    #expect(moved.nextFire(afterMilliseconds: noon, in: .utc) == .at(noon + 60_000))
    let all = try await restarted.requests().map(\.identifier)
    #expect(all.count == 6 && Set(all) == expectedAll)
    // A second refresh has nothing left to do.
    let report = try await restarted.refresh()
    #expect(report.added.isEmpty && report.removed.isEmpty)
  }
}
