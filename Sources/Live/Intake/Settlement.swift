import Synchronization

/// The session's account of lines that were offered together, for which a thread waits.
final class Settlement: Sendable {
  private let account = Mutex<IntakeAccount?>(nil)
  private let signal = Waker()

  func settle(_ account: IntakeAccount) {
    self.account.withLock { $0 = account }
    signal.signal()
  }

  /// The account; nil if the wait was given up.
  func wait(unless isOver: () -> Bool) -> IntakeAccount? {
    while true {
      if let account = account.withLock({ $0 }) { return account }
      guard !isOver() else { return nil }
      pause(milliseconds: 100)
    }
  }

  /// The account; nil if it has not come in time.
  func wait(withinMilliseconds milliseconds: Int) -> IntakeAccount? {
    let end = SystemTime.monotonicMilliseconds + Int64(milliseconds)
    return wait { SystemTime.monotonicMilliseconds >= end }
  }

  func pause(milliseconds: Int) { signal.wait(milliseconds: milliseconds) }
}
