/// A fault in comma-separated values, with its line.
package struct CSVError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: String, Equatable, Sendable {
    /// A quoted field has no closing quote.
    case unclosedQuote
    /// Something other than a separator or a line end follows a closing quote.
    case textAfterQuote
    /// The record is longer than permitted.
    case recordTooLong
  }

  /// What is wrong.
  package var reason: Reason
  /// The line, from 1, where the field begins.
  package var line: Int

  /// Makes an error of its parts.
  package init(reason: Reason, line: Int) {
    self.reason = reason
    self.line = line
  }

  /// The fault as one sentence without a full stop.
  package var description: String {
    switch reason {
    case .unclosedQuote: "line \(line): the quote that opens here is not closed"
    case .textAfterQuote: "line \(line): text follows a closing quote"
    case .recordTooLong: "line \(line): the record is too long"
    }
  }
}
