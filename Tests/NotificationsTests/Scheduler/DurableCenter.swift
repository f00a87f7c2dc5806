import Foundation
import FencepostNotifications
import FencepostStateDatabase
import FencepostStateFile
import Synchronization

/// A phone's list of pending requests that outlives the process, as a real one does: a document in
/// a file of its own.
struct DurableCenter: PhoneNotificationCenter {
  let file: StateDatabase
  let steps: Steps

  init(path: String, steps: Steps) throws {
    file = try StateDatabase(path: path, waitSeconds: StoreKind.patienceSeconds)
    self.steps = steps
  }

  private struct List: Codable {
    var pending: [NotificationRequest] = []
  }

  private func change(_ body: (inout List) -> Void) throws {
    steps.pass()
    try file.update { transaction in
      var list = try transaction.value(List.self, kind: "phone", id: "pending") ?? List()
      body(&list)
      try transaction.put(kind: "phone", id: "pending", value: list)
      steps.pass()
    }
    steps.pass()
  }

  func add(_ request: NotificationRequest) async throws {
    try change { list in
      list.pending.removeAll { $0.identifier == request.identifier }
      list.pending.append(request)
    }
  }

  func remove(identifiers: [String]) async throws {
    try change { list in
      list.pending.removeAll { identifiers.contains($0.identifier) }
    }
  }

  func pending() async throws -> [NotificationRequest] {
    steps.pass()
    return try file.update {
      try $0.value(List.self, kind: "phone", id: "pending")?.pending ?? []
    }
  }
}

/// Counts the steps of an update, and kills the process at one of them.
final class Steps: Sendable {
  private let count = Mutex(0)
  private let last: Int

  init(killingAt last: Int = .max) {
    self.last = last
  }

  var passed: Int { count.withLock { $0 } }

  func pass() {
    let number = count.withLock { count in
      count += 1
      return count
    }
    // No handler, no clean-up, no flush.
    if number >= last { kill(getpid(), SIGKILL) }
  }
}
