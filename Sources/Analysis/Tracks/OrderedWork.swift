import Synchronization

/// Does things side by side and hands over what came of them in their order.
///
/// No worker gets farther ahead of the hand-over than some things for each worker, so that
/// memory does not grow with their number.
struct OrderedWork<Worker: AnyObject, Outcome: Sendable> {
  /// A worker belongs to one task at a time: whoever takes it out of the pool.
  private struct Loan: @unchecked Sendable {
    // Safe to send: the pool gives it to one task, which gives it back when it is done.
    let worker: Worker
  }

  /// How far ahead of the hand-over work may be, for each worker.
  private static var leadPerWorker: Int { 4 }

  private let loans: [Loan]

  /// Makes the workers' pool.
  ///
  /// - Parameter workers: One for each thing that is to be done at a time, at least one.
  init(_ workers: [Worker]) {
    loans = workers.map { Loan(worker: $0) }
  }

  /// Does all of the work.
  ///
  /// - Parameters:
  ///   - count: How many things there are to do.
  ///   - work: Does one, on a worker of its own.
  ///   - handOver: Takes what came of each, in order; false ends everything.
  /// - Throws: What `handOver` throws.
  func run(
    count: Int, _ work: @escaping @Sendable (Worker, Int) -> Outcome,
    handOver: (Int, Outcome) throws -> Bool
  ) async throws {
    if loans.count == 1 {
      return try runAlone(loans[0].worker, count: count, work, handOver: handOver)
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
        // First the next work, so that no core waits for the hand-over.
        launch()
        while let outcome = finished.removeValue(forKey: handed) {
          if try !handOver(handed, outcome) {
            group.cancelAll()
            return
          }
          handed += 1
        }
      }
      // After an interruption what was finished may have gaps before it.
      for (number, outcome) in finished.sorted(by: { $0.key < $1.key }) {
        if try !handOver(number, outcome) { return }
      }
    }
  }
  /// One worker is one core: what it found is handed over before it goes on.
  private func runAlone(
    _ worker: Worker, count: Int, _ work: (Worker, Int) -> Outcome,
    handOver: (Int, Outcome) throws -> Bool
  ) throws {
    for number in 0..<count where !Task.isCancelled {
      if try !handOver(number, work(worker, number)) { return }
    }
  }
}
