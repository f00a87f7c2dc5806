import Glibc

/// What the terminal can do, as far as the environment tells.
enum Terminal {
  /// Whether the terminal can move its cursor.
  static var canMove: Bool { variable("TERM") != "dumb" }

  /// Whether the user wants text to stand out (no-color.org).
  static var wantsStyles: Bool {
    canMove && (variable("NO_COLOR") ?? "").isEmpty
  }

  /// Number of columns: what the terminal on standard output or standard error says, else the
  /// variable `COLUMNS`, else 80.
  static var columns: Int {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      // `size` is what this request writes.
      if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return Int(size.ws_col)
      }
    }
    return variable("COLUMNS").flatMap { Int($0) } ?? 80
  }

  /// The value of a variable of the environment, nil where it is not set.
  static func variable(_ name: String) -> String? {
    // The environment is never changed by this program, so that the text stays valid.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
