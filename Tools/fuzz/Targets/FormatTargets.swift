import FencepostFixes
import FencepostTracks

/// The decoders of the forms that phones, watches and services export.
enum FormatTargets {
  /// Feeds the decoder of a format, in whatever form the bytes are.
  static func check(_ bytes: [UInt8], as format: TrackFormat) throws(Finding) {
    _ = try TrackTargets.outcome(of: bytes) { FormatDecoder(format) }
  }

  /// Feeds an archive, whose lines and bytes are those of its entries.
  static func checkArchive(_ bytes: [UInt8]) throws(Finding) {
    let whole = TrackTargets.outcome(of: bytes, in: [0..<bytes.count], FormatDecoder(nil))
    var cuts = Cuts(of: bytes)
    let pieces = cuts.pieces()
    let split = TrackTargets.outcome(of: bytes, in: pieces, FormatDecoder(nil))
    try demand(split == whole, "cut into \(pieces):\n\(Outcome.difference(whole, split))")
    for fix in whole.fixes { try FixRules.check(fix, lines: Int(Int32.max)) }
  }
}

/// A decoder by its format; nil to recognise it.
private struct FormatDecoder: FixDecoder, ~Copyable {
  private var stream: FixStream

  init(_ format: TrackFormat?) {
    stream = FixStream(options: FixStream.Options(format: format))
    stream.isJudging = false
  }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    try stream.feed(bytes, into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try stream.finish(into: &batch)
  }
}
