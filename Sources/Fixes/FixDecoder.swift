/// Turns the bytes of one format into fixes; does no input of its own.
///
/// A decoder is fed chunks of any size, cut anywhere, and gives the same fixes, rejections and error
/// whatever the cuts. A bad sentence, row or element becomes a ``Rejection`` and reading goes on; an error
/// is thrown only where nothing sensible can follow. What was good before an error is in the batch.
/// After an error, or after ``finish(into:)``, a decoder takes no more bytes.
public protocol FixDecoder: ~Copyable {
  /// Takes the next bytes of the source and appends what they complete to `batch`.
  mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError)

  /// The source has ended: appends what was still held back to `batch`.
  mutating func finish(into batch: inout FixBatch) throws(DecodeError)

  /// What the user should know of the source as a whole, as sentences without full stops; complete after
  /// ``finish(into:)``.
  var notices: [String] { get }

  /// Hands on the fix of the current epoch although the next has not begun, for live sources that pause
  /// between epochs.
  ///
  /// - Parameters:
  ///   - isForced: Also where something is missing that recent epochs had.
  ///   - batch: Receives the fix.
  mutating func flush(isForced: Bool, into batch: inout FixBatch)

  /// Whether the current epoch was handed on by ``flush(isForced:into:)``.
  var isEpochHandedOn: Bool { get }

  /// Whether fixes are held because no date is known yet.
  var holdsUndatedFixes: Bool { get }

  /// Dates the held fixes by a clock's time, in milliseconds since 1970; a date that the source states later
  /// takes precedence.
  mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch)
}

/// For formats in which each fix has its date and stands alone.
extension FixDecoder where Self: ~Copyable {
  /// No notices.
  public var notices: [String] { [] }
  /// Does nothing.
  public mutating func flush(isForced: Bool, into batch: inout FixBatch) {}
  /// False.
  public var isEpochHandedOn: Bool { false }
  /// False.
  public var holdsUndatedFixes: Bool { false }
  /// Does nothing.
  public mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {}
}

/// What ended the reading of a source: a sentence that a user can act on, and where.
public struct DecodeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, as a sentence without the name of the source and without a full stop.
  public var sentence: String
  /// The line of the source, from 1, where the format has lines.
  public var line: Int?
  /// The byte of the source, from 0, counted behind a gzip layer.
  public var byteOffset: Int?

  /// Makes an error of its parts.
  public init(_ sentence: String, line: Int? = nil, byteOffset: Int? = nil) {
    self.sentence = sentence
    self.line = line
    self.byteOffset = byteOffset
  }

  /// The sentence with its place: `line 12: the file ends inside a tag`.
  public var description: String {
    if let line { return "line \(line): \(sentence)" }
    if let byteOffset { return "byte \(byteOffset): \(sentence)" }
    return sentence
  }
}
