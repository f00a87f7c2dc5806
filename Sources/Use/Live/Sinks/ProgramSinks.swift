#if Command
import FoundationEssentials
import Glibc
import Synchronization

/// Runs a program for each event, with the event on its standard input and in its environment.
struct ExecSink: Sendable {
  let arguments: [String]
  let timeoutMilliseconds: Int

  func deliver(_ delivery: OwedDelivery, unless mustStop: () -> Bool) -> DeliveryOutcome {
    var variables: [String: String] = [:]
    for (name, value) in delivery.fields { variables["FENCEPOST_\(name)"] = value.shortened }
    return ChildProcess(
      arguments: arguments, environment: variables, input: delivery.line,
      timeoutMilliseconds: timeoutMilliseconds
    ).outcome(unless: mustStop)
  }
}

/// Shows each event on the desktop with `notify-send`.
///
/// The title is the story's, and the body its first words. Each program may take 10 seconds.
struct NotifySink: Sendable {
  func deliver(_ delivery: OwedDelivery, unless mustStop: () -> Bool) -> DeliveryOutcome {
    let title = delivery.fields["TITLE"] ?? ""
    // Most desktops treat the body as markup.
    let body = (delivery.fields["BLURB"] ?? "").shortened.replacing("&", with: "&amp;")
      .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return ChildProcess(
      arguments: [
        "notify-send", "--app-name=fencepost", "--",
        (title.isEmpty ? delivery.fields["PLACE"] ?? "fencepost" : title).shortened, body,
      ],
      timeoutMilliseconds: 10_000
    ).outcome(unless: mustStop)
  }
}

extension String {
  /// The text cut to 16 KiB, an eighth of the system's limit for an argument; markup lengthens it.
  fileprivate var shortened: String {
    guard utf8.count > 16 * 1024 else { return self }
    var end = utf8.index(startIndex, offsetBy: 16 * 1024)
    // Do not cut inside a character.
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}

extension ChildProcess {
  fileprivate func outcome(unless mustStop: () -> Bool) -> DeliveryOutcome {
    let program = arguments[0]
    return switch run(unless: mustStop).0 {
    case .exited(0): .delivered
    case .exited(let status): .refused("\(program) ended with status \(status)")
    case .signaled(let signal): .refused("\(program) was ended by signal \(signal)")
    case .timedOut:
      .refused("\(program) took longer than \(timeoutMilliseconds) ms and was ended")
    case .abandoned: .unfinished
    case .notStarted(let code):
      // The text belongs to the C library and is copied at once.
      .refused("\(program): \(unsafe String(cString: strerror(code)))")
    }
  }
}

extension LiveOptions.Sink {
  /// A sentence about a program that the sink needs but this machine lacks, if any.
  package var missingProgram: String? {
    switch self {
    case .exec(let arguments, _):
      let name = arguments.first ?? ""
      return ProgramSearch.fault(of: name).map {
        let isForShell = name.hasPrefix("~") || name.contains { $0 == "$" || $0 == "`" }
        let hint = isForShell ? "; for shell syntax, use --exec-shell" : ""
        return "\(name): \($0); --exec needs it\(hint)"
      }
    case .mqtt: return nil
    case .webhook:
      return ProgramSearch.fault(of: "curl").map {
        "curl: \($0); --webhook needs Debian's package curl"
      }
    case .notify:
      return ProgramSearch.fault(of: "notify-send").map {
        "notify-send: \($0); --notify needs Debian's package libnotify-bin"
      }
    }
  }
}

/// Finds programs the way `posix_spawnp` does.
///
/// A session checks its sinks by it before it begins, rather than at the first alert.
enum ProgramSearch {
  /// Why a program cannot be started; names without a slash are looked up in `PATH`.
  static func fault(of name: String) -> String? {
    let paths =
      name.contains("/")
      ? [name]
      // An empty entry means the current folder.
      : folders.map { $0.isEmpty ? name : "\($0)/\(name)" }
    var fault = "no such program"
    for path in paths {
      var status = stat()
      // `status` is a local variable of the right size; the path lives until the calls return.
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if unsafe access(path, X_OK) == 0 { return nil }
      fault = "it is not executable"
    }
    return fault
  }

  private static var folders: [String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
  }
}

/// A program that runs once for a delivery, gets its input, and must end in time.
///
/// After the time limit its process group is ended, with everything that it started.
package struct ChildProcess {
  // Every `unsafe` of this type passes local variables, initialized before use, or copies of
  // strings that live until the call returns.

  /// How a program ended.
  enum Ending: Equatable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case signaled(Int32)
    /// It was ended, because it took too long.
    case timedOut
    /// It was ended, because this program must stop.
    case abandoned
    /// It could not be started, for the reason of this `errno`.
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
  func run(keepsOutput: Bool = false, unless mustStop: () -> Bool) -> (Ending, output: Data) {
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
    let ending = wait(for: child, unless: mustStop)
    return (ending, output?.contents() ?? Data())
  }

  private func wait(for child: pid_t, unless mustStop: () -> Bool) -> Ending {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while true {
      let result = unsafe waitpid(child, &status, WNOHANG)
      if result == child || (result < 0 && errno != EINTR) {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signal)
      }
      let isLate = ContinuousClock.now - start > .milliseconds(timeoutMilliseconds)
      if isLate || mustStop() {
        Self.end(child)
        return isLate ? .timedOut : .abandoned
      }
      usleep(5000)
    }
  }

  /// Terminates the program's process group: itself and its children.
  private static func end(_ child: pid_t) {
    kill(-child, SIGTERM)
    var status: Int32 = 0
    for _ in 0..<50 {
      if unsafe waitpid(child, &status, WNOHANG) == child {
        kill(-child, SIGKILL)
        return
      }
      usleep(2000)
    }
    kill(-child, SIGKILL)
    _ = unsafe waitpid(child, &status, 0)
  }

  // MARK: Starting

  /// Starts a program and lets it run; returns whether it could be started.
  package static func start(_ arguments: [String]) -> Bool {
    var child: pid_t = 0
    let variables = ProcessInfo.processInfo.environment
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
#endif
