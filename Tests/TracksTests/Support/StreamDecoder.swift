import FencepostTracks
import FencepostFixes

/// A stream as a decoder, for the verifier.
struct StreamDecoder: FixDecoder, ~Copyable {
  private var stream: FixStream

  init(options: FixStreamOptions = FixStreamOptions()) {
    stream = FixStream(options: options)
  }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    try stream.feed(bytes, into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try stream.finish(into: &batch)
  }
}
