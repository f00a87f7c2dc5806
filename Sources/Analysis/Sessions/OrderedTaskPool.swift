/// Runs jobs side by side, each with a worker of its own, and hands over their outcomes in order.
///
/// Work runs at most a few jobs per worker ahead of the hand-over, so that memory does not grow with the
/// number of jobs.
struct OrderedTaskPool<Worker> {
  /// A worker that one task has borrowed from the pool.
  private struct Loan: @unchecked Sendable {
    // Safe to send: one task at a time has it, and gives it back when it is done.
    let worker: Worker
  }

  /// How many jobs work may be ahead of the hand-over, for each worker.
  private static var leadPerWorker: Int { 4 }

  private let count: Int
  private let loans: [Loan]

  /// Makes a pool for `count` jobs, of which at most `jobs` run at a time.
  init(_ count: Int, jobs: Int, makeWorker: () throws -> Worker) rethrows {
    self.count = count
    loans = try (0..<max(1, min(jobs, count))).map { _ in Loan(worker: try makeWorker()) }
  }

  /// Runs all jobs, or those that were begun before the task was cancelled.
  ///
  /// - Parameters:
  ///   - work: Does one job, given a worker and the job's number.
  ///   - handOver: Receives the outcomes in order.
  /// - Throws: What `handOver` throws; this cancels the jobs that are running.
  func run<Outcome: Sendable>(
    _ work: @escaping @Sendable (Worker, Int) -> Outcome, handOver: (Outcome) throws -> Void
  ) async throws {
    if loans.count == 1 {
      // Hand over each outcome before the next job: there is no other core to use meanwhile.
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
        // Launch before the hand-over, so that no core waits for it.
        launch()
        while let outcome = finished.removeValue(forKey: handed) {
          try handOver(outcome)
          handed += 1
        }
      }
      // A cancellation leaves gaps; hand over what was finished.
      for (_, outcome) in finished.sorted(by: { $0.key < $1.key }) { try handOver(outcome) }
    }
  }
}
