import Foundation
import Testing

/// Threads apart from the system's threads for tasks, of which there are only as many as processors.
///
/// Tests that wait would keep all of those, also from a server in this process that answers in tasks.
final class OwnThreads: TaskExecutor {
  private let slots: DispatchSemaphore?

  /// Each piece of work has a thread, and so many run at once; nil for any number.
  private init(atOnce count: Int?) { slots = count.map { DispatchSemaphore(value: $0) } }

  /// For tests, which wait for browsers most of the time.
  static let tests = OwnThreads(atOnce: ProcessInfo.processInfo.activeProcessorCount)
  /// For servers, which tests wait for.
  static let servers = OwnThreads(atOnce: nil)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in
      slots?.wait()
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      slots?.signal()
    }
  }
}

/// Runs tests on threads of their own.
struct OnOwnThreads: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.tests) { try await function() }
  }
}

extension Trait where Self == OnOwnThreads {
  /// Lets tests wait for what this process does.
  static var onOwnThreads: Self { Self() }
}
