import FencepostTracks
import FencepostFixes
import TestSupport
import Testing

/// Feeds a decoder the same bytes whole, byte by byte and cut at random, and requires the same fixes,
/// rejections and error each time.
enum DecoderVerifier {
  /// The outcome of the whole bytes.
  ///
  /// The order of rejections does not matter if `sortsRejections` is true. Bytes of `mostSingleBytes` or more are not fed
  /// byte by byte.
  static func verify<Decoder: FixDecoder & ~Copyable>(
    _ bytes: [UInt8], seed: UInt64 = 1, splits: Int = 6, sortsRejections: Bool = false,
    mostSingleBytes: Int = 300_000, makeDecoder: () -> Decoder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    func outcome(cutAt cuts: [Int]) -> Outcome {
      var outcome = Self.outcome(of: bytes, cutAt: cuts, makeDecoder())
      if sortsRejections {
        outcome.rejections.sort { ($0.line ?? 0, "\($0)") < ($1.line ?? 0, "\($1)") }
      }
      return outcome
    }
    let whole = outcome(cutAt: [])
    if bytes.count < mostSingleBytes {
      let single = outcome(cutAt: Array(1..<max(1, bytes.count)))
      let isSame = single == whole
      #expect(
        isSame, "byte by byte: \(Outcome.difference(whole, single))",
        sourceLocation: sourceLocation)
    }
    var generator = SplitMix64(seed: seed)
    for _ in 0..<splits where bytes.count > 1 {
      let most = [3, 20, 200].randomElement(using: &generator) ?? 3
      let cuts = Set(
        (0..<most).map { _ in Int.random(in: 1..<bytes.count, using: &generator) })
      let split = outcome(cutAt: cuts.sorted())
      let isSame = split == whole
      #expect(
        isSame, "cut at \(cuts.sorted()): \(Outcome.difference(whole, split))",
        sourceLocation: sourceLocation)
    }
    return whole
  }

  /// The outcome of bytes that are cut at some places.
  static func outcome<Decoder: FixDecoder & ~Copyable>(
    of bytes: [UInt8], cutAt cuts: [Int], _ decoder: consuming Decoder
  ) -> Outcome {
    var outcome = Outcome()
    var batch = FixBatch()
    var start = 0
    do throws(DecodeError) {
      for end in cuts + [bytes.count] {
        try decoder.decode(bytes.span.extracting(start..<end), into: &batch)
        start = end
      }
      try decoder.finish(into: &batch)
    } catch {
      outcome.error = error
    }
    outcome.take(batch)
    return outcome
  }
}
