public import FencepostFixes

/// Decodes the tracks of KML.
///
/// `KMLForm` says what is read. This type has no parameter, so that the compiler makes code for this form alone: through
/// the protocol, the generic decoder would be ten times as slow.
public struct KMLDecoder: FixDecoder, ~Copyable {
  private var document = XMLDocumentDecoder<KMLForm>()

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
