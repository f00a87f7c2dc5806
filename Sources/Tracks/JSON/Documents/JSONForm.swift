import FencepostFixes
import FencepostFormats
import FencepostTime

/// A form of JSON document that holds a track: which of its members matter, and what they mean.
///
/// A place is a position in the document's structure, such as "the time of a point". The decoder follows the document
/// from place to place and skips every value whose place is nil.
protocol JSONForm: Sendable {
  associatedtype Place: Sendable

  /// The place of the whole document, or of each document of a sequence.
  static var root: Place { get }

  /// Makes a form at the beginning of a document.
  init()

  /// The place of a member of an object, whose name is the reader's text; nil to skip it.
  func member(of place: Place, _ reader: borrowing JSONReader) -> Place?

  /// The place of the elements of an array; nil to skip them.
  func element(of place: Place) -> Place?

  /// An object or array begins.
  mutating func begin(_ place: Place, isObject: Bool)

  /// A number, string, truth value or null.
  mutating func take(_ value: JSONReader.Event, at place: Place, _ reader: borrowing JSONReader)

  /// An object or array ends.
  mutating func end(
    _ place: Place, _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError)

  /// The document ends, complete or not: appends what was held back.
  mutating func finish(into batch: inout FixBatch)

  /// As ``FixDecoder/notices``.
  var notices: [String] { get }
}

extension JSONForm {
  var notices: [String] { [] }
}

extension JSONReader {
  /// The last number, also one in quotation marks; NaN for any other value.
  func number(_ value: Event) -> Double {
    switch value {
    case .number: double
    case .string: DecimalNumber.double(parsing: text.span) ?? .nan
    default: .nan
    }
  }

  /// The last value as a time: ISO 8601, or a number since 1970 whose unit follows from its size, also in quotation
  /// marks; nil for any other value.
  func milliseconds(_ value: Event, _ clock: inout DayClock) -> Int64? {
    switch value {
    case .number: return Fix.timeMilliseconds(sinceEpoch: double)
    case .string:
      if let milliseconds = clock.milliseconds(text.span) { return milliseconds }
      return DecimalNumber.double(parsing: text.span).flatMap(Fix.timeMilliseconds(sinceEpoch:))
    default: return nil
    }
  }
}
