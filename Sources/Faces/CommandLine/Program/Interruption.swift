#if Command
import FencepostFiles
import Glibc
import FencepostReporting
import Synchronization

/// Handles the signals that ask the program to end: SIGINT, SIGTERM, SIGHUP.
///
/// The first one cancels the command's task, which completes its report. A second one, or three
/// seconds, end the program at once.
///
/// A handler may call very little, so it only writes the signal's number into a pipe that a thread
/// reads. Blocking the signals and waiting for them would miss those delivered to threads that the
/// runtime started before `main`.
enum Interruption {
  /// How long the command has to complete its report after the first signal.
  private static let graceMilliseconds: Int32 = 3000
  /// What the first signal does.
  private static let onSignal = Mutex<(@Sendable () -> Void)?>(nil)
  /// What SIGHUP does instead of ending the program, if set.
  private static let onHangUp = Mutex<(@Sendable () -> Void)?>(nil)
  /// The standard descriptors that were terminals when ``onHangUp`` was set.
  private static let terminals = Mutex<[Int32]>([])
  /// The number of the signal that ends the program; 0 before it comes.
  private static let received = Atomic<Int32>(0)
  /// The ends of the pipe, −1 until ``watch(_:)`` creates it.
  private static let readingEnd = Atomic<Int32>(-1)
  private static let writingEnd = Atomic<Int32>(-1)
  /// The writing end of a second pipe, which interrupts reading.
  private static let wakingEnd = Atomic<Int32>(-1)

  /// The signal that ends the program; nil before it comes.
  static var signal: Int32? {
    let signal = received.load(ordering: .acquiring)
    return signal == 0 ? nil : signal
  }

  /// Calls the closure at the first signal.
  ///
  /// If no descriptors are left, the signals keep their default actions.
  static func watch(_ onSignal: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    var wakingEnds: [Int32] = [-1, -1]
    // The system writes two descriptors into each of our arrays.
    guard unsafe pipe(&ends) == 0, unsafe pipe(&wakingEnds) == 0 else { return }
    for end in ends + wakingEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    ByteSource.setInterruption(descriptor: wakingEnds[0])
    wakingEnd.store(wakingEnds[1], ordering: .releasing)
    readingEnd.store(ends[0], ordering: .releasing)
    writingEnd.store(ends[1], ordering: .releasing)
    self.onSignal.withLock { $0 = onSignal }
    var thread = pthread_t()
    // The thread uses only the statics above and lives as long as the program.
    let code = unsafe pthread_create(&thread, nil, { _ in unsafe Interruption.wait() }, nil)
    guard code == 0 else { return }
    pthread_detach(thread)
    // Background jobs ignore SIGINT and `nohup` ignores SIGHUP, so keep it that way.
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      var action = sigaction()
      // The handler uses only atomics. `action` is a local variable and is copied.
      unsafe action.__sigaction_handler.sa_handler = { Interruption.note($0) }
      action.sa_flags = SA_RESTART
      _ = unsafe sigaction(signal, &action, nil)
    }
  }

  /// Makes each SIGHUP call the closure instead of ending the program, unless the terminal is gone.
  static func setHangUp(_ onHangUp: @escaping @Sendable () -> Void) {
    terminals.withLock {
      $0 = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter { isatty($0) == 1 }
    }
    self.onHangUp.withLock { $0 = onHangUp }
  }

  /// Whether a terminal hung up, so that SIGHUP means its end and not a wish to reload.
  private static var isTerminalGone: Bool {
    terminals.withLock { terminals in
      terminals.contains { terminal in
        var request = pollfd(fd: terminal, events: 0, revents: 0)
        // The count matches.
        return unsafe poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP) != 0
      }
    }
  }

  /// The signal handler, which must be async-signal-safe.
  private static func note(_ signal: Int32) {
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    // The call writes one byte from a local variable.
    _ = unsafe write(writingEnd.load(ordering: .acquiring), &byte, 1)
    errno = interrupted
  }

  /// Waits for signals on a thread of its own, and ends the program if the command does not.
  ///
  /// While a session can reload, SIGHUP makes it do so, unless its terminal is gone. Any other
  /// signal starts the grace period, which a second one cuts short. Unfinished files are then
  /// removed.
  private static func wait() -> UnsafeMutableRawPointer? {
    let descriptor = readingEnd.load(ordering: .acquiring)
    var byte: UInt8 = 0
    while true {
      // The call reads one byte into a local variable.
      while unsafe read(descriptor, &byte, 1) != 1 {
        guard errno == EINTR else { return nil }
      }
      guard Int32(byte) == SIGHUP, !isTerminalGone, let renew = onHangUp.withLock({ $0 }) else {
        break
      }
      renew()
    }
    received.store(Int32(byte), ordering: .releasing)
    onSignal.withLock { $0 }?()
    // A blocked read does not notice that its task was canceled.
    _ = unsafe write(wakingEnd.load(ordering: .acquiring), &byte, 1)
    // Nor does a call stuck elsewhere, for example in an unresponsive file system.
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // The count matches.
    _ = unsafe poll(&request, 1, graceMilliseconds)
    OutputFile.removeUnfinished()
    _exit(128 + Int32(byte))
  }

  /// Whether the program was started with a signal ignored.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // `action` is a local variable, and its union contains an address.
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    let current = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return current == 1  // SIG_IGN, a cast in C that Swift does not import
  }
}
#endif
