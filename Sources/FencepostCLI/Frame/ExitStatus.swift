/// What a command tells the shell, after the BSD convention (`sysexits.h`).
///
/// Thrown by a command, it ends the program with that status and says nothing: what there was to
/// say has been said.
enum ExitStatus: Int32, Error, Comparable {
  /// Done, and also where the reader of a pipe had enough.
  case done = 0
  /// The command line is wrong.
  case usage = 64
  /// Input is bad; what was good has been reported.
  case inputBad = 65
  /// Input is missing or may not be read.
  case inputMissing = 66
  /// The program contradicts itself, which is a bug.
  case software = 70
  /// Reading or writing failed.
  case inputOutput = 74
  /// The user interrupted.
  case interrupted = 130

  /// The greater status is the graver one, so that of several the gravest counts.
  static func < (one: ExitStatus, other: ExitStatus) -> Bool {
    one.rawValue < other.rawValue
  }
}
