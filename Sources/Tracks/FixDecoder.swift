public import FencepostFixes

/// Turns the bytes of one format into fixes, without reading any input itself.
///
/// The chunks may have any size; fixes, rejections and errors do not depend on where they were cut. A bad
/// sentence, row or element becomes a `Rejection` and decoding continues. An error is thrown only if the
/// rest cannot be decoded; everything before it is in the batch. After an error or ``finish(into:)``, a
/// decoder takes no more bytes.
public protocol FixDecoder: ~Copyable {
  /// Takes the next bytes of the source and appends what they complete to `batch`.
  mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError)

  /// Ends the source and appends what was still held back to `batch`.
  mutating func finish(into batch: inout FixBatch) throws(DecodeError)

  /// What the user should know about the whole source, as sentences without full stops; complete after
  /// ``finish(into:)``.
  var notices: [String] { get }

  /// The format of the tracks in an archive, once recognised; nil for what is no archive.
  var innerFormat: TrackFormat? { get }

  /// Appends the fix of the current epoch before the next begins, for live sources that pause between
  /// epochs.
  ///
  /// - Parameters:
  ///   - isForced: Whether to append it even if something is missing that recent epochs had.
  ///   - batch: Receives the fix.
  mutating func flush(isForced: Bool, into batch: inout FixBatch)

  /// Whether the current epoch's fix was appended by ``flush(isForced:into:)``.
  var isEpochHandedOn: Bool { get }

  /// Whether fixes are held back because no date is known yet.
  var holdsUndatedFixes: Bool { get }

  /// Dates the fixes held back by a clock, in milliseconds since 1970; a later date in the source takes
  /// precedence.
  mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch)
}

/// Defaults for formats in which each fix is complete by itself.
extension FixDecoder where Self: ~Copyable {
  /// No notices.
  public var notices: [String] { [] }
  /// Nil.
  public var innerFormat: TrackFormat? { nil }
  /// Does nothing.
  public mutating func flush(isForced: Bool, into batch: inout FixBatch) {}
  /// False.
  public var isEpochHandedOn: Bool { false }
  /// False.
  public var holdsUndatedFixes: Bool { false }
  /// Does nothing.
  public mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {}
}

/// An error that ends the decoding of a source, as a sentence that a user can act on, with its place.
public struct DecodeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, as a sentence without the name of the source and without a full stop.
  public var sentence: String
  /// The source line, from 1, if the format has lines.
  public var line: Int?
  /// The byte offset in the source after decompression, from 0.
  public var byteOffset: Int?

  /// Makes an error.
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
