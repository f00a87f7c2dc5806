public import FencepostFixes

/// Decodes TCX, Garmin's Training Center XML.
///
/// `TCXForm` says what is read. This type has no parameter, so that the compiler makes code for this form alone: through
/// the protocol, the generic decoder would be ten times as slow.
public struct TCXDecoder: FixDecoder, ~Copyable {
  private var document = XMLDocumentDecoder<TCXForm>()

  /// Makes a decoder at the beginning of a document.
  public init() {}

  /// Takes the next bytes of the source and appends what they complete to `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    try document.decode(bytes, into: &batch)
  }

  /// Ends the source and appends what was still held back to `batch`.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try document.finish(into: &batch)
  }
}
