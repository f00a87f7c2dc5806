import Foundation
import Glibc
import Synchronization

/// Runs a program with input and a time limit.
struct ChildProcess {
  /// How a program ended.
  enum Ending: Equatable {
    /// It exited with this status.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
    /// It exceeded the time limit and was ended.
    case timedOut
    /// It was ended because this program ends.
    case abandoned
    /// It could not be started; the system's error number.
    case notStarted(Int32)
  }

  /// The program, found in `PATH`, and its arguments.
  var arguments: [String]
  /// Variables besides the inherited ones.
  var environment: [String: String] = [:]
  /// Its standard input.
  var input = Data()
  /// The contents of descriptor 3, less than a pipe holds; nil leaves it closed.
  var settings: Data?
  /// The time limit.
  var timeoutMilliseconds: Int

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - context: Ends the program early.
  ///   - keepsOutput: Whether to return its standard output, which otherwise goes to standard error.
  /// - Returns: How it ended, and its output.
  func run(_ context: DeliveryContext, keepsOutput: Bool = false) -> (Ending, output: Data) {
    let inputPipe = PipeEnds.make()
    let outputPipe = keepsOutput ? PipeEnds.make() : nil
    guard let inputPipe, !keepsOutput || outputPipe != nil else {
      return (.notStarted(errno), Data())
    }
    let settingsPipe = settings.flatMap(Self.filledPipe)
    var child: pid_t = 0
    let code = spawn(&child, inputPipe, outputPipe, settingsPipe)
    close(inputPipe.reading)
    if let settingsPipe { close(settingsPipe) }
    if let outputPipe { close(outputPipe.writing) }
    guard code == 0 else {
      close(inputPipe.writing)
      if let outputPipe { close(outputPipe.reading) }
      return (.notStarted(code), Data())
    }
    var exchange = Exchange(
      writing: inputPipe.writing, reading: outputPipe?.reading ?? -1, input: input)
    let ending = wait(for: child, &exchange, context)
    exchange.end()
    return (ending, exchange.output)
  }

  /// The reading end of a pipe that holds exactly these bytes.
  private static func filledPipe(_ bytes: Data) -> Int32? {
    guard let pipe = PipeEnds.make() else { return nil }
    _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
    // Bytes that do not fit are missing, and the program will complain.
    // The bytes are valid until the closure returns.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(pipe.writing, $0.baseAddress, $0.count) }
    close(pipe.writing)
    return pipe.reading
  }

  private func wait(
    for child: pid_t, _ exchange: inout Exchange, _ context: DeliveryContext
  ) -> Ending {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while true {
      exchange.advance(milliseconds: 5)
      // `status` is ours.
      let result = unsafe waitpid(child, &status, WNOHANG)
      if result == child || (result < 0 && errno != EINTR) {
        exchange.drain()
        return Self.ending(status)
      }
      let isLate = ContinuousClock.now - start > .milliseconds(timeoutMilliseconds)
      guard isLate || context.mustStop else { continue }
      Self.end(child)
      return isLate ? .timedOut : .abandoned
    }
  }

  private static func ending(_ status: Int32) -> Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Ends the program's process group: itself and what it started.
  private static func end(_ child: pid_t) {
    kill(-child, SIGTERM)
    var status: Int32 = 0
    for _ in 0..<50 {
      // `status` is ours.
      if unsafe waitpid(child, &status, WNOHANG) == child {
        kill(-child, SIGKILL)
        return
      }
      usleep(2000)
    }
    kill(-child, SIGKILL)
    // `status` is ours.
    _ = unsafe waitpid(child, &status, 0)
  }

  // MARK: Starting

  private func spawn(
    _ child: inout pid_t, _ input: PipeEnds, _ output: PipeEnds?, _ settings: Int32?
  ) -> Int32 {
    // Actions, attributes and sets are ours, are initialised before they are used, and stay where
    // they are until this function returns.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
    // Events go to standard output, so a program's messages must not.
    unsafe posix_spawn_file_actions_adddup2(
      &actions, output?.writing ?? STDERR_FILENO, STDOUT_FILENO)
    // Last, as one of the other descriptors may be 3.
    if let settings { unsafe posix_spawn_file_actions_adddup2(&actions, settings, 3) }
    // Some libraries do not set close-on-exec, and a child that inherits a socket keeps its port taken.
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
    return unsafe withCStrings(arguments) { argv in
      unsafe withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
        guard let program = unsafe argv[0] else { return EINVAL }
        return PipeEnds.starting.withLock { _ in
          unsafe posix_spawnp(&child, program, &actions, &attributes, argv, envp)
        }
      }
    }
  }

  /// This program's open descriptors; some may close meanwhile, which is harmless.
  private static var openDescriptors: [Int32] {
    // Without this folder a child inherits descriptors that are not close-on-exec.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }
  }

  /// Calls `body` with a null-terminated array of C strings that live until it returns.
  private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    // The copies belong to us and are freed when `body` has returned. A zero byte would end a text early.
    var pointers = unsafe strings.map { unsafe strdup($0.replacing("\0", with: "")) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("there is the null") }
      return unsafe body(start)
    }
  }
}

/// Writes a program's input and reads its output without blocking.
private struct Exchange {
  var writing: Int32
  var reading: Int32
  var input: Data
  var output = Data()

  init(writing: Int32, reading: Int32, input: Data) {
    self.writing = writing
    self.reading = reading
    self.input = input
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    if reading >= 0 { _ = fcntl(reading, F_SETFL, O_NONBLOCK) }
  }

  /// Waits for the pipes to become ready, and writes and reads what is possible.
  mutating func advance(milliseconds: Int32) {
    var requests = [
      pollfd(fd: writing, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
    ]
    // The count matches the array.
    _ = unsafe poll(&requests, 2, milliseconds)
    if requests[0].revents != 0 { write() }
    if requests[1].revents != 0 { drain() }
  }

  private mutating func write() {
    // The bytes are valid until the closure returns.
    let written = unsafe input.withUnsafeBytes {
      unsafe Glibc.write(writing, $0.baseAddress, $0.count)
    }
    if written >= 0 { input = input.dropFirst(written) }
    // A program need not read its input.
    if input.isEmpty || (written < 0 && errno != EAGAIN && errno != EINTR) {
      close(writing)
      writing = -1
    }
  }

  mutating func drain() {
    guard reading >= 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      // The system writes at most as many bytes as the chunk has.
      let count = unsafe Glibc.read(reading, &chunk, chunk.count)
      guard count > 0 else {
        if count == 0 {
          close(reading)
          reading = -1
        }
        return
      }
      output.append(contentsOf: chunk[..<count])
    }
  }

  mutating func end() {
    if writing >= 0 { close(writing) }
    if reading >= 0 { close(reading) }
  }
}
