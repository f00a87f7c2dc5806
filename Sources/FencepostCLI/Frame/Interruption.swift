import Glibc
import Reporting
import Synchronization

/// The signals that ask the program to end: SIGINT, SIGTERM, SIGHUP.
///
/// The first one cancels the command's task, which ends its work cleanly: the report is completed
/// and written. A second one, or three seconds, end the program at once.
enum Interruption {
  private static let graceSeconds = 3
  private static let handler = Mutex<(@Sendable () -> Void)?>(nil)
  private static let received = Mutex<Int32>(0)

  /// The signal that came, nil when none did.
  static var signal: Int32? {
    received.withLock { $0 == 0 ? nil : $0 }
  }

  /// Takes the signals out of their usual course; to be called before there is a second thread.
  static func prepare() {
    var signals = awaited
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls the closure when the first of the signals comes.
  static func watch(_ onSignal: @escaping @Sendable () -> Void) {
    handler.withLock { $0 = onSignal }
    var thread = pthread_t()
    // The thread touches nothing but the globals above, and lives as long as the program.
    let code = unsafe pthread_create(&thread, nil, { _ in unsafe Interruption.wait() }, nil)
    if code == 0 { pthread_detach(thread) }
  }

  private static func wait() -> UnsafeMutableRawPointer? {
    var signals = awaited
    var signal: Int32 = 0
    guard unsafe sigwait(&signals, &signal) == 0 else { return nil }
    received.withLock { $0 = signal }
    handler.withLock { $0 }?()
    // Whoever is stuck in a read does not notice that its task was cancelled.
    var grace = timespec(tv_sec: graceSeconds, tv_nsec: 0)
    _ = unsafe sigtimedwait(&signals, nil, &grace)
    OutputFile.removeUnfinished()
    _exit(128 + signal)
  }

  /// The signals of the three that are not ignored: a shell lets a background job ignore SIGINT,
  /// and `nohup` SIGHUP.
  private static var awaited: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      unsafe sigaddset(&set, signal)
    }
    return set
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    let current = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return current == 1  // SIG_IGN, which is a cast in C and not imported as such
  }
}
