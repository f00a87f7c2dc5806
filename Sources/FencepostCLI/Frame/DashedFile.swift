import Formats
import Glibc

/// An argument that begins with a dash and was meant as a file's name.
///
/// The parser takes `-dash.gpx` for the options `-d`, `-a`, `-s`, `-h` and so on, and answers with help.
enum DashedFile {
  /// The letters of the options that can stand together behind one dash.
  private static let letters = Set("hqv")

  /// An argument in which `h` made the parser print help, although it cannot have been asked for it.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The argument, nil where help was asked for.
  static func takenForHelp(in arguments: [String]) -> String? {
    let arguments = beforeEnd(arguments)
    guard !arguments.contains(where: { $0 == "-h" || $0.hasPrefix("--help") }) else { return nil }
    return arguments.first { argument in
      isJoined(argument) && argument.contains("h")
        && !letters.isSuperset(of: argument.dropFirst())
    }
  }

  /// An argument that the parser took for options and that names a file.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The argument, nil where no file has such a name.
  static func existing(in arguments: [String]) -> String? {
    beforeEnd(arguments).first { argument in
      guard isJoined(argument) else { return false }
      var status = stat()
      // `status` is ours and of the size the system expects.
      return unsafe stat(argument.fileNameBytes, &status) == 0
    }
  }

  /// What to write instead.
  static func cure(for argument: String) -> String {
    "for the file ‘\(argument)’ write ./\(argument), or put -- before it"
  }

  /// What stands behind `--` is no option.
  private static func beforeEnd(_ arguments: [String]) -> ArraySlice<String> {
    arguments.prefix { $0 != "--" }
  }

  /// Whether an argument has one dash and more than a letter.
  private static func isJoined(_ argument: String) -> Bool {
    argument.count > 2 && argument.hasPrefix("-") && !argument.hasPrefix("--")
  }
}
