import FencepostTracks
import FencepostFixes
import TestSupport

/// Reads GPX, whole or in pieces.
enum GPXReading {
  /// The outcome of bytes that are cut at some places.
  static func outcome(of bytes: [UInt8], cutAt cuts: [Int] = []) -> Outcome {
    DecoderVerifier.outcome(of: bytes, cutAt: cuts, Undoubted(format: .gpx))
  }

  static func outcome(of text: String) -> Outcome { outcome(of: Array(text.utf8)) }

  /// Seeded places to cut bytes at, some few and some many.
  static func cuts(of count: Int, _ generator: inout SplitMix64) -> [Int] {
    guard count > 1 else { return [] }
    let most = [1, 3, 20, 200].randomElement(using: &generator) ?? 3
    return Set((0..<most).map { _ in Int.random(in: 1..<count, using: &generator) }).sorted()
  }
}
