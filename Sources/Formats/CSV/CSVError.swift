/// A syntax error in delimited text.
package struct CSVError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: String, Equatable, Sendable {
    case unclosedQuote
    /// A closing quote is followed by something other than a separator or a line end.
    case textAfterQuote
    case recordTooLong
  }

  package var reason: Reason
  /// The line, from 1, where the faulty field begins.
  package var line: Int

  /// The message, without a final period.
  package var description: String {
    switch reason {
    case .unclosedQuote: "line \(line): the quote that opens here is not closed"
    case .textAfterQuote: "line \(line): text follows a closing quote"
    case .recordTooLong: "line \(line): the record is too long"
    }
  }
}
