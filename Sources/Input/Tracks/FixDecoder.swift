package import FencepostFixes
package import FencepostFormats

/// Decodes the bytes of one format into fixes; does no I/O itself.
///
/// Chunks may have any size; results do not depend on where they are cut. A bad sentence, row or
/// element becomes a `Rejection`, and decoding continues. An error is thrown only if the rest
/// cannot be decoded; the batch then holds everything before it. Do not use a decoder after an
/// error or after ``finish(into:)``.
package protocol FixDecoder: ~Copyable {
  /// Decodes the next bytes and appends the fixes that they complete.
  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError)

  /// Ends the source and appends held fixes.
  mutating func finish(into batch: inout FixBatch) throws(DecodeError)

  /// Warnings about the whole source, without final periods; complete after ``finish(into:)``.
  var notices: [String] { get }

  /// The name that the source gives its journey; nil without one, or if its tracks have several.
  var title: String? { get }

  /// The format of the tracks in an archive, once recognized; nil for other sources.
  var innerFormat: TrackFormat? { get }

  /// Appends the current epoch's fix early, for live sources that pause between epochs.
  ///
  /// With `isForced`, appends it even if data is missing that recent epochs had.
  mutating func flush(isForced: Bool, into batch: inout FixBatch)

  /// Whether ``flush(isForced:into:)`` already appended the current epoch's fix.
  var isEpochHandedOn: Bool { get }

  /// Why fixes are held without a date; nil if none is.
  var undatedReason: String? { get }

  /// Whether a position waits for the rest of its epoch, or for a date.
  var holdsPosition: Bool { get }

  /// The name of the receiver that is followed, where a source may have several.
  var receiver: String? { get }

  /// Which of several receivers is followed, for live sources; nil for a single one.
  var receiverSentence: String? { get }

  /// Dates the held fixes by a clock, in milliseconds since 1970.
  ///
  /// A later date in the source takes precedence.
  mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch)
}

/// Defaults for formats in which each fix is complete.
extension FixDecoder where Self: ~Copyable {
  /// No warnings.
  package var notices: [String] { [] }
  /// No name.
  package var title: String? { nil }
  /// Not an archive.
  package var innerFormat: TrackFormat? { nil }
  /// Does nothing, because no fix waits for the rest of its epoch.
  package mutating func flush(isForced: Bool, into batch: inout FixBatch) {}
  /// Always false, because there are no epochs.
  package var isEpochHandedOn: Bool { false }
  /// Always nil, because each fix has its own date or none.
  package var undatedReason: String? { nil }
  /// Always false, because positions become fixes at once.
  package var holdsPosition: Bool { false }
  /// Always nil: there is one source of positions.
  package var receiver: String? { nil }
  /// Always nil: there is one source of positions.
  package var receiverSentence: String? { nil }
  /// Does nothing, because no fix waits for a date.
  package mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {}
}

/// An error that ends the decoding of a source, described for the user.
///
/// Bad points alone are not errors; they become rejections and decoding goes on.
public struct DecodeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The message, without the source's name or a final period.
  public var sentence: String
  /// The line, from 1; nil if the format has no lines.
  public var line: Int?
  /// The byte offset in the decompressed source, from 0.
  public var byteOffset: Int?

  /// Creates an error.
  public init(_ sentence: String, line: Int? = nil, byteOffset: Int? = nil) {
    self.sentence = sentence
    self.line = line
    self.byteOffset = byteOffset
  }

  /// The message with its position: `line 12: the file ends inside a tag`.
  public var description: String {
    if let line { return "line \(line): \(sentence)" }
    if let byteOffset { return "byte \(byteOffset): \(sentence)" }
    return sentence
  }
}

/// A decoder for formats in which each line stands alone.
///
/// Such a source can be cut anywhere between two lines, and a bad line harms no other.
package protocol LineDecoder: FixDecoder {
  /// Finds the lines, and bounds their length.
  var scanner: LineScanner { get set }

  /// Decodes a line, without its terminator.
  mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) throws(DecodeError)

  /// Appends what is held after the last line; nothing by default.
  mutating func close(into batch: inout FixBatch)
}

extension LineDecoder {
  /// Decodes the lines that the next bytes complete.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    // Moved out of `self`, since the closure changes `self`.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    try scanner.scan(bytes) { (line, position) throws(DecodeError) in
      try take(line, position, into: &batch)
    }
    self.scanner = scanner
  }

  /// Decodes the last line if it had no terminator.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    try scanner.finish { (line, position) throws(DecodeError) in
      try take(line, position, into: &batch)
    }
    close(into: &batch)
  }

  /// Does nothing, because each line is complete.
  package mutating func close(into batch: inout FixBatch) {}
}
