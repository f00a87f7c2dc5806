import Glibc

/// One run of a command from start to end, and what the system says it took.
struct ProcessRun {
  /// User and system CPU time of the process and of those it waited for.
  var cpuSeconds: Double
  var wallSeconds: Double
  /// The most memory it held at once, pages of mapped files among it.
  ///
  /// Never below what this program itself held when it started the command, which the system counts
  /// in; the row of the empty process shows how much that is.
  var peakBytes: Int
  /// The exit status, or 128 and the number of the signal that ended it.
  var status: Int32

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - arguments: The command and its arguments.
  ///   - words: The file for what it says on standard error; its output is thrown away.
  /// - Throws: ``BenchmarkFailure`` where it cannot be started.
  init(_ arguments: [String], wordsTo words: String) throws(BenchmarkFailure) {
    let start = Clock.wallSeconds
    let process = try Self.spawn(arguments, words)
    var usage = rusage()
    var ending: Int32 = 0
    // Both are ours and of the size the system expects.
    while unsafe wait4(process, &ending, 0, &usage) < 0 {
      guard errno == EINTR else { throw BenchmarkFailure("\(arguments[0]) was lost") }
    }
    wallSeconds = Clock.wallSeconds - start
    cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    peakBytes = usage.ru_maxrss * 1024
    let signal = ending & 0x7F
    status = signal == 0 ? (ending >> 8) & 0xFF : 128 + signal
  }

  private static func spawn(
    _ arguments: [String], _ words: String
  ) throws(BenchmarkFailure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, words, O_WRONLY | O_CREAT | O_TRUNC, 0o644)

    var texts = unsafe arguments.map { unsafe strdup($0) }
    unsafe texts.append(nil)
    defer { unsafe texts.forEach { unsafe free($0) } }
    var process: pid_t = 0
    // The copies of the arguments live until the end of this function; the new process has its own.
    let failure = unsafe posix_spawnp(&process, arguments[0], &actions, nil, texts, environ)
    guard failure == 0 else { throw BenchmarkFailure("\(arguments[0]) cannot be started") }
    return process
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }
}
