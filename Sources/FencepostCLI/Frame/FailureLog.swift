import Reporting


/// The failures of a command that goes on with what is good.
struct FailureLog {
  /// The gravest status so far.
  private(set) var status = ExitStatus.done

  /// Tells the user of a failure and remembers its status.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - source: the name of the file that was being read, for errors that know only the line.
  mutating func note(_ error: any Error, reading source: String? = nil) {
    let failure = CommandFailure(error, reading: source)
    if let sentence = failure.sentence { StandardError.say(sentence) }
    status = max(status, failure.status)
  }

  /// Tells the user that a track lost more fixes than it kept: its input is bad, and is reported all
  /// the same.
  mutating func note(_ loss: FixLoss) {
    note(CommandFailure(.inputBad, loss.sentence))
  }

  /// Ends the command with the gravest status, unless all went well.
  func conclude() throws(ExitStatus) {
    if status != .done { throw status }
  }
}
