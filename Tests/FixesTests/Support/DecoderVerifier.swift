import Fixes
import Testing

/// Feeds a decoder the same bytes whole, byte by byte and cut at random, and demands the same fixes,
/// rejections and error each time.
enum DecoderVerifier {
  /// - Returns: What came of the bytes as a whole.
  static func verify<Decoder: FixDecoder & ~Copyable>(
    _ bytes: [UInt8], seed: UInt64 = 1, splits: Int = 6, makeDecoder: () -> Decoder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    let whole = outcome(of: bytes, cutAt: [], makeDecoder())
    if bytes.count < 300_000 {
      let single = outcome(of: bytes, cutAt: Array(1..<max(1, bytes.count)), makeDecoder())
      #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
    }
    var generator = SplitMix64(seed: seed)
    for _ in 0..<splits where bytes.count > 1 {
      let most = [3, 20, 200].randomElement(using: &generator) ?? 3
      let cuts = Set(
        (0..<most).map { _ in Int.random(in: 1..<bytes.count, using: &generator) })
      let split = outcome(of: bytes, cutAt: cuts.sorted(), makeDecoder())
      #expect(split == whole, "cut at \(cuts.sorted())", sourceLocation: sourceLocation)
    }
    return whole
  }

  private static func outcome<Decoder: FixDecoder & ~Copyable>(
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
