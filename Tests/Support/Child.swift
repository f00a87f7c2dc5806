package import Foundation
import Synchronization

/// A program that runs beside the test, and how it ends.
///
/// Foundation's `Process` notices an end only once all programs that inherited a certain descriptor have ended
/// too, even daemons and those of other tests.
package final class Child: Sendable {
  /// Which descriptors a program gets besides none: its own number, and the test's.
  package typealias Descriptors = [(own: Int32, of: Int32)]

  /// The process's number.
  package let identifier: pid_t
  /// Rings when it has ended, and when somebody else says so.
  package let bell = Bell()
  private let ended = Mutex<Int32?>(nil)

  /// Its status once it has ended; 128 and the signal's number where a signal ended it.
  package var status: Int32? { ended.withLock { $0 } }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: Its path and its arguments.
  ///   - environment: Variables besides the usual ones.
  ///   - folder: Where it runs; nil is where the tests run.
  ///   - descriptors: What it finds open. The test's own are closed with an exec, and not before.
  ///   - leadsGroup: Whether it and those that it starts are a group that can be ended together.
  /// - Throws: If it cannot be started.
  package init(
    _ words: [String], environment: [String: String] = [:], in folder: URL? = nil,
    descriptors: Descriptors, leadsGroup: Bool = false
  ) throws {
    // The machine's time zone must not decide what a test reads.
    let variables = ProcessInfo.processInfo.environment
      .merging(["TZ": "UTC"].merging(environment) { $1 }) { $1 }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    for (own, of) in descriptors {
      unsafe posix_spawn_file_actions_adddup2(&actions, of, own)
    }
    // The threads that tests run on block the signals that end a program.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)))
    let words = (folder.map { ["/usr/bin/env", "-C", $0.path] } ?? []) + words
    var argv = unsafe words.map { unsafe strdup($0) } + [nil]
    var envp = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      unsafe (argv + envp).forEach { unsafe free($0) }
      unsafe posix_spawnattr_destroy(&attributes)
      unsafe posix_spawn_file_actions_destroy(&actions)
    }
    var child: pid_t = 0
    let code = Self.starting.withLock { _ in
      unsafe posix_spawn(&child, words[0], &actions, &attributes, &argv, &envp)
    }
    guard code == 0 else { throw Hang("\(words[0]) cannot be started") }
    identifier = child
    Thread.detachNewThread { [self] in
      var ending: Int32 = 0
      while unsafe waitpid(identifier, &ending, 0) < 0 && errno == EINTR {}
      let signal = ending & 0x7F
      ended.withLock { $0 = signal == 0 ? (ending >> 8) & 0xFF : 128 + signal }
      bell.ring()
    }
  }

  /// Held while a pipe is made and while a program starts, so that none inherits the pipe of another.
  private static let starting = Mutex(())

  /// The two ends of a pipe that no program inherits.
  package static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try starting.withLock { _ in
      guard unsafe Glibc.pipe(&ends) == 0 else { throw Hang("there is no pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    return (ends[0], ends[1])
  }

  /// Sends a signal, unless it has ended.
  package func signal(_ number: Int32) {
    ended.withLock { if $0 == nil { kill(identifier, number) } }
  }

  /// Waits until it has ended.
  package func wait(_ what: @autoclosure () -> String) throws -> Int32 {
    try bell.wait(what()) { status != nil }
    return status ?? -1
  }
}
