import FencepostFiles
import FencepostFormats
import Glibc
import FencepostReporting
import FoundationEssentials
import Logging
import Synchronization

/// Messages for the user, with an optional progress line below them.
enum StandardError {
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

enum Terminal {
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

  static func variable(_ name: String) -> String? {
    // This program never changes its environment, so the text stays valid.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
