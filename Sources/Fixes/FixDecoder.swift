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
}
