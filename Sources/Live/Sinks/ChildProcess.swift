import FoundationEssentials
import Glibc
import Synchronization

package struct ChildProcess {
  enum Ending: Equatable {
    case exited(Int32)
    case signaled(Int32)
    case timedOut
    case abandoned
    case notStarted(Int32)
  }

  var arguments: [String]
  /// Variables to add to the inherited ones.
  var environment: [String: String] = [:]
  /// Its standard input, at most 1 MiB, which a pipe holds.
  var input = Data()
  /// The contents of descriptor 3, at most 1 MiB; nil leaves it closed.
  var settings: Data?
  var timeoutMilliseconds: Int

  /// Runs the program and returns its output, up to the size of a pipe, if `keepsOutput`.
  ///
  /// Otherwise its standard output goes to standard error.
  func run(_ context: DeliveryContext, keepsOutput: Bool = false) -> (Ending, output: Data) {
    var pipes: [PipeEnds] = []
    defer { for pipe in pipes { pipe.close() } }
    for bytes in [input, settings] {
      guard let bytes else { continue }
      guard var pipe = PipeEnds.makeLarge() else { return (.notStarted(errno), Data()) }
      pipe.fill(bytes)
      pipes.append(pipe)
    }
    let output = keepsOutput ? PipeEnds.makeLarge() : nil
    if let output { pipes.append(output) }
    var child: pid_t = 0
    let code = spawn(&child, pipes[0], output, settings == nil ? nil : pipes[1])
    guard code == 0 else { return (.notStarted(code), Data()) }
    let ending = wait(for: child, context)
    return (ending, output?.contents() ?? Data())
  }

  private func wait(for child: pid_t, _ context: DeliveryContext) -> Ending {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while true {
      // `status` is a local variable.
      let result = unsafe waitpid(child, &status, WNOHANG)
      if result == child || (result < 0 && errno != EINTR) { return Self.ending(status) }
      let isLate = ContinuousClock.now - start > .milliseconds(timeoutMilliseconds)
      if isLate || context.mustStop {
        Self.end(child)
        return isLate ? .timedOut : .abandoned
      }
      usleep(5000)
    }
  }

  private static func ending(_ status: Int32) -> Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
  }

  /// Terminates the program's process group: itself and its children.
  private static func end(_ child: pid_t) {
    kill(-child, SIGTERM)
    var status: Int32 = 0
    for _ in 0..<50 {
      // `status` is a local variable.
      if unsafe waitpid(child, &status, WNOHANG) == child {
        kill(-child, SIGKILL)
        return
      }
      usleep(2000)
    }
    kill(-child, SIGKILL)
    // `status` is a local variable.
    _ = unsafe waitpid(child, &status, 0)
  }

  // MARK: Starting

  /// Starts a program and lets it run; returns whether it could be started.
  package static func start(_ arguments: [String]) -> Bool {
    var child: pid_t = 0
    let variables = ProcessInfo.processInfo.environment
    // All arguments live until the call returns.
    return unsafe withCStrings(arguments) { argv in
      unsafe withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
        guard let program = unsafe argv[0] else { return false }
        return unsafe posix_spawnp(&child, program, nil, nil, argv, envp) == 0
      }
    }
  }

  private func spawn(
    _ child: inout pid_t, _ input: PipeEnds, _ output: PipeEnds?, _ settings: PipeEnds?
  ) -> Int32 {
    // Actions, attributes and sets are local variables, are initialized before use, and stay in
    // place until this function returns.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
    // Events go to standard output, so a program's messages must not.
    unsafe posix_spawn_file_actions_adddup2(
      &actions, output?.writing ?? STDERR_FILENO, STDOUT_FILENO)
    // Do this last, because one of the other descriptors may be 3.
    if let settings { unsafe posix_spawn_file_actions_adddup2(&actions, settings.reading, 3) }
    // A child that inherits a socket keeps its port in use, and some libraries do not set
    // close-on-exec.
    for descriptor in Self.openDescriptors where descriptor > (settings == nil ? 2 : 3) {
      unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Restore the default signal handling.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP] {
      unsafe sigaddset(&usual, signal)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // All arguments live until the call returns.
    return unsafe Self.withCStrings(arguments) { argv in
      unsafe Self.withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
        guard let program = unsafe argv[0] else { return EINVAL }
        return PipeEnds.starting.withLock { _ in
          unsafe posix_spawnp(&child, program, &actions, &attributes, argv, envp)
        }
      }
    }
  }

  /// This program's open descriptors; if some close in the meantime, no harm is done.
  private static var openDescriptors: [Int32] {
    // Without this folder a child inherits descriptors that are not close-on-exec.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }
  }

  /// Calls `body` with a null-terminated array of C strings that live until it returns.
  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    // We free the copies after `body` has returned. A zero byte would end a string early.
    var pointers = unsafe strings.map { unsafe strdup($0.replacing("\0", with: "")) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("there is the null") }
      return unsafe body(start)
    }
  }
}
