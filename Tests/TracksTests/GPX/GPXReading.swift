import FencepostTracks
import FencepostFixes
import TestSupport

/// Reads GPX in ways that must give the same result.
enum GPXReading {
  /// The outcome of bytes that are cut at some places.
  static func outcome(
    of bytes: [UInt8], cutAt cuts: [Int] = [], usesOnlyLibXML2: Bool = false
  ) -> Outcome {
    DecoderVerifier.outcome(
      of: bytes, cutAt: cuts, GPXDecoder(usesOnlyLibXML2: usesOnlyLibXML2))
  }

  static func outcome(of text: String, usesOnlyLibXML2: Bool = false) -> Outcome {
    outcome(of: Array(text.utf8), usesOnlyLibXML2: usesOnlyLibXML2)
  }

  /// How many points of a file are read without libxml2, and how many fixes it has; nil if it ends in an
  /// error.
  static func plainPoints(_ bytes: [UInt8]) -> (plain: Int, all: Int)? {
    var decoder = GPXDecoder()
    var batch = FixBatch()
    do throws(DecodeError) {
      try decoder.decode(bytes.span, into: &batch)
      try decoder.finish(into: &batch)
      return (decoder.plainPointCount, batch.fixes.count)
    } catch {
      return nil
    }
  }

  /// Seeded places to cut bytes at, some few and some many.
  static func cuts(of count: Int, _ generator: inout SplitMix64) -> [Int] {
    guard count > 1 else { return [] }
    let most = [1, 3, 20, 200].randomElement(using: &generator) ?? 3
    return Set((0..<most).map { _ in Int.random(in: 1..<count, using: &generator) }).sorted()
  }
}
