import Synchronization

/// Whether streams of events want to be told that something may be new.
///
/// The thread that has news asks from wherever it is, at the price of one read where nobody waits.
final class NewsBell: Sendable {
  private let isAwaited = Atomic(false)

  /// Somebody waits from here on; to be called before looking for what is new.
  func await() { isAwaited.store(true, ordering: .sequentiallyConsistent) }

  /// Nobody waits.
  func rest() { isAwaited.store(false, ordering: .sequentiallyConsistent) }

  /// Whether somebody waits who has not been told yet; they count as told then.
  func ring() -> Bool {
    isAwaited.load(ordering: .sequentiallyConsistent)
      && isAwaited.exchange(false, ordering: .sequentiallyConsistent)
  }
}
