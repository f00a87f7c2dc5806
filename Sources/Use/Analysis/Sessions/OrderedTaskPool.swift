/// Runs jobs in parallel on a pool of workers and hands over their outcomes in order.
///
/// Each worker runs only a few jobs ahead, so that memory does not grow with the number of jobs.
///
/// A worker without memory of its own is `()`; others are objects.
struct OrderedTaskPool<Worker> {
  /// A worker on its way from one task to the next.
  private struct Loan: @unchecked Sendable {
    // Safe to send: one task at a time uses the worker, and returns it when done.
    let worker: Worker
  }

  /// The number of jobs that each worker may be ahead of the handover.
  private static var leadPerWorker: Int { 4 }

  private let count: Int
  private let loans: [Loan]

  /// Creates a pool for `count` jobs, with one worker for each of `jobs` in parallel, at least one.
  init(jobs: Int, for count: Int, _ makeWorker: () throws -> Worker) rethrows {
    self.count = count
    loans = try (0..<max(1, min(jobs, count))).map { _ in Loan(worker: try makeWorker()) }
  }

  /// Runs all jobs, or those already started when the task is canceled.
  ///
  /// - Parameters:
  ///   - work: Performs the job with the given index, using a worker exclusively.
  ///   - handOver: Receives the outcomes in order.
  /// - Throws: Errors from `handOver`, which cancel the running jobs.
  func run<Outcome: Sendable>(
    _ work: @escaping @Sendable (Worker, Int) -> Outcome, handOver: (Outcome) throws -> Void
  ) async throws {
    if loans.count == 1 {
      // Hand over each outcome before the next job: no other core could do it meanwhile.
      for number in 0..<count where !Task.isCancelled {
        try handOver(work(loans[0].worker, number))
      }
      return
    }
    try await withThrowingTaskGroup(of: (Loan, Int, Outcome).self) { group in
      var free = loans
      var finished: [Int: Outcome] = [:]
      var next = 0
      var handed = 0
      func launch() {
        while next < count, !Task.isCancelled, next - handed < loans.count * Self.leadPerWorker,
          let loan = free.popLast()
        {
          let number = next
          group.addTask { (loan, number, work(loan.worker, number)) }
          next += 1
        }
      }
      while handed < count {
        launch()
        guard let (loan, number, outcome) = try await group.next() else { break }
        free.append(loan)
        finished[number] = outcome
        // Launch before handing over, so that no core waits.
        launch()
        while let outcome = finished.removeValue(forKey: handed) {
          try handOver(outcome)
          handed += 1
        }
      }
      // Canceling leaves gaps; hand over what was finished.
      for (_, outcome) in finished.sorted(by: { $0.key < $1.key }) { try handOver(outcome) }
    }
  }
}

/// What came of the work on one track.
///
/// A track that fails does not end the analysis of the others.
package enum TrackOutcome<Success: Sendable>: Sendable {
  /// The track was followed to its end.
  case success(Success)
  /// The track could not be read, has nothing to follow, or the store failed.
  case failure(TrackFailure)
  /// The task was canceled before the end of the track.
  case interrupted

  /// Runs work that returns nil if the task was canceled.
  init(_ work: () throws(TrackFailure) -> Success?) {
    do throws(TrackFailure) {
      self = try work().map { .success($0) } ?? .interrupted
    } catch {
      self = .failure(error)
    }
  }

  /// The track's result; throws its failure, or `CancellationError` if the task was canceled.
  func get() throws -> Success {
    switch self {
    case .success(let success): return success
    case .failure(let failure): throw failure
    case .interrupted: throw CancellationError()
    }
  }

  func map<Other>(_ transform: (Success) -> Other) -> TrackOutcome<Other> {
    switch self {
    case .success(let success): .success(transform(success))
    case .failure(let failure): .failure(failure)
    case .interrupted: .interrupted
    }
  }
}
