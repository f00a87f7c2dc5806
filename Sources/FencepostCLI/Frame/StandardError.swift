import Formats
import Glibc
import Reporting
import Synchronization

/// Words for the user: sentences, and under them the line of progress where there is one.
enum StandardError {
  /// The line of progress that is on the screen, empty when there is none.
  private static let shown = Mutex("")

  /// Whether there is a terminal that can overwrite a line.
  static let isTerminal = isatty(STDERR_FILENO) == 1 && Terminal.canMove

  /// Says a sentence on a line of its own, with the program's name in front.
  ///
  /// Line ends and controls in it, as file names may hold, cannot break the line or drive the
  /// terminal.
  static func say(_ sentence: String) {
    print("fencepost: \(sentence.shownFileName.forTerminal)")
  }

  /// Prints lines as they are.
  static func print(_ lines: String) {
    shown.withLock { line in
      let text = lines.hasSuffix("\n") ? lines : lines + "\n"
      write(line.isEmpty ? text : erasure + text + line)
    }
  }

  /// Shows a line of progress in place of the last one; an empty one takes it away.
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
    // Nobody can be told when the words themselves cannot be written.
    // The bytes are the text, there until the closure returns.
    _ = text.withUTF8 { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
