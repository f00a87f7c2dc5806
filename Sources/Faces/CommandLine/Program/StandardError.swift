#if Command
import FencepostFiles
import FencepostLive
import FencepostReporting
import FoundationEssentials
import Glibc
import Logging
import Synchronization

/// Messages for the user, with an optional progress line below them.
///
/// Tasks on several threads may print; each message appears whole.
enum StandardError {
  /// The progress line on the terminal; empty if none is shown.
  private static let shown = Mutex("")

  /// Whether standard error is a terminal that can overwrite lines.
  static let isTerminal = isatty(STDERR_FILENO) == 1 && Terminal.canMove

  /// Prints a sentence on its own line, prefixed with the program's name.
  ///
  /// Escapes line ends and control characters, which file names may contain.
  ///
  /// The journal gets the sentence with its level and fields instead, if it reads standard error.
  static func say(
    _ sentence: String, _ level: Logger.Level = .notice, fields: [String: String] = [:]
  ) {
    let text = sentence.shownFileName.forTerminal
    if journal?.send(text, level, fields) == true { return }
    print("fencepost: \(text)")
  }

  /// The system's journal; nil unless it reads standard error.
  private static let journal = Journal(environment: ProcessInfo.processInfo.environment)

  /// Prints lines unchanged.
  static func print(_ lines: String) {
    shown.withLock { line in
      let text = lines.hasSuffix("\n") ? lines : lines + "\n"
      write(line.isEmpty ? text : erasure + text + line)
    }
  }

  /// Replaces the progress line; an empty one removes it.
  static func show(progress: String) {
    guard isTerminal else { return }
    shown.withLock { line in
      guard line != progress else { return }
      write(erasure + progress)
      line = progress
    }
  }

  /// Back to the first column, then erase the line (ECMA-48: CR, EL).
  private static let erasure = "\r\u{1B}[K"

  private static func write(_ text: String) {
    var text = text
    // A failure here cannot be reported. The bytes are valid until the closure returns.
    _ = text.withUTF8 { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// What the terminal and the environment allow.
enum Terminal {
  /// Whether the terminal can move its cursor, which the kind `dumb` cannot.
  static var canMove: Bool { variable("TERM") != "dumb" }

  /// Whether the user allows styled text (no-color.org).
  static var wantsStyles: Bool { canMove && (variable("NO_COLOR") ?? "").isEmpty }

  /// The width of the terminal on standard output or error, or `COLUMNS`, or 80.
  static var columns: Int {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      // This request writes a `winsize`.
      if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return Int(size.ws_col)
      }
    }
    return variable("COLUMNS").flatMap { Int($0) } ?? 80
  }

  /// The value of an environment variable; nil if it is not set.
  static func variable(_ name: String) -> String? {
    // This program never changes its environment, so the text stays valid.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

/// The system's journal, which keeps fields beside each message (systemd's native protocol).
struct Journal {
  private let socket: UnixDatagram

  /// Connects to the journal; nil unless it reads this program's standard error.
  init?(environment: [String: String]) {
    guard let stream = environment["JOURNAL_STREAM"], stream == Self.standardError,
      let socket = UnixDatagram(
        path: environment["FENCEPOST_JOURNAL"] ?? "/run/systemd/journal/socket")
    else { return nil }
    self.socket = socket
  }

  /// The device and inode of standard error, as systemd writes them.
  private static var standardError: String? {
    var status = stat()
    // `status` is a local variable of the size that the system expects.
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  /// Sends a message without line ends, and returns whether the journal took it.
  func send(_ message: String, _ level: Logger.Level, _ fields: [String: String]) -> Bool {
    var text = "MESSAGE=\(message)\nPRIORITY=\(level.priority)\nSYSLOG_IDENTIFIER=fencepost\n"
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      text += "FENCEPOST_\(name.uppercased())=\(value.replacing("\n", with: " "))\n"
    }
    return socket.send(text)
  }
}

extension Logger.Level {
  /// The number of the level in syslog (RFC 5424), from 2 for critical to 7 for debug.
  fileprivate var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

/// The progress of a long task, shown only if standard error is a terminal.
///
/// It disappears with the value, so it never mixes with a report.
final class ProgressBar {
  private var line: ProgressLine
  private let isShown: Bool
  private let begin: ContinuousClock.Instant
  private var nextShow: ContinuousClock.Instant

  /// Starts a task, whose total count may be unknown.
  ///
  /// Set `isWanted` to false if a report goes to the same terminal.
  init(title: String, unit: ProgressLine.Unit, total: Int?, isWanted: Bool = true) {
    line = ProgressLine(title: title, unit: unit, done: 0, total: total, elapsedSeconds: 0)
    isShown = isWanted && StandardError.isTerminal
    begin = .now
    // A short task needs no bar.
    nextShow = begin + .milliseconds(300)
  }

  deinit { end() }

  /// Removes the bar from the terminal.
  func end() {
    if isShown { StandardError.show(progress: "") }
  }

  /// Sets the count and updates the bar at most ten times a second.
  func advance(to done: Int) {
    guard isShown else { return }
    line.done = done
    let now = ContinuousClock.now
    guard now >= nextShow else { return }
    nextShow = now + .milliseconds(100)
    line.elapsedSeconds = (now - begin) / .seconds(1)
    StandardError.show(progress: line.text(columns: Terminal.columns))
  }
}
#endif
