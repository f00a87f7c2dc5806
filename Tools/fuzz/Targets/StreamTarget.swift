import FencepostTracks
import FencepostFixes
import FencepostFormats

/// A whole stream: inflated, recognised, decoded and filtered.
enum StreamTarget {
  static func check(_ bytes: [UInt8]) throws(Finding) {
    let whole = read(bytes, in: [0..<bytes.count])
    var cuts = Cuts(of: bytes)
    let pieces = cuts.pieces()
    let split = read(bytes, in: pieces)
    try demand(
      split.outcome == whole.outcome,
      "cut into \(pieces):\n\(Outcome.difference(whole.outcome, split.outcome))")
    try check(whole)
    try checkCompressed(bytes, whole)
    try checkFlushed(bytes, in: pieces)
  }

  private struct Reading {
    var outcome: Outcome
    var accepted: Int
    var rejected: Int
    var isCompressed: Bool
  }

  /// The order of rejections is not promised.
  private static func read(_ bytes: [UInt8], in pieces: [Range<Int>]) -> Reading {
    var stream = FixStream()
    var outcome = Outcome()
    var batch = FixBatch()
    do throws(DecodeError) {
      for piece in pieces { try stream.feed(bytes.span.extracting(piece), into: &batch) }
      try stream.finish(into: &batch)
    } catch {
      outcome.error = error
    }
    outcome.take(batch)
    // Compressed bytes may hold a great many of them: each is described once.
    let described = outcome.rejections.map { (line: $0.line ?? 0, text: "\($0)", rejection: $0) }
    outcome.rejections = described.sorted { ($0.line, $0.text) < ($1.line, $1.text) }
      .map(\.rejection)
    return Reading(
      outcome: outcome, accepted: stream.acceptedCount, rejected: stream.rejectionCounts.total,
      isCompressed: stream.isCompressed)
  }

  private static func check(_ reading: Reading) throws(Finding) {
    let fixes = reading.outcome.fixes
    try demand(reading.accepted == fixes.count, "\(reading.accepted) of \(fixes.count) counted")
    let rejections = reading.outcome.rejections.count
    try demand(reading.rejected == rejections, "\(reading.rejected) of \(rejections) counted")
    for fix in fixes { try FixRules.check(fix, lines: Int(Int32.max)) }
    try checkOrder(reading.outcome)
  }

  /// A fix is late only against others that count; these need not be in order, as a time that counted
  /// may be disowned.
  private static func checkOrder(_ outcome: Outcome) throws(Finding) {
    let late = outcome.rejections.count { $0.reason == .late }
    let hasTime = outcome.fixes.contains { $0.timeMilliseconds != nil }
    try demand(late == 0 || hasTime, "\(late) fixes are late, and none is believed")
  }

  private static func checkCompressed(_ bytes: [UInt8], _ plain: Reading) throws(Finding) {
    guard !plain.isCompressed else { return }
    let member = Gzip.member(bytes)
    var cuts = Cuts(of: member)
    let inflated = read(member, in: cuts.pieces())
    try demand(inflated.isCompressed, "gzip data is not recognised")
    try demand(inflated.outcome == plain.outcome, "compressed it reads otherwise")
  }

  /// As a live source is read: what is at hand is asked for between the pieces.
  private static func checkFlushed(_ bytes: [UInt8], in pieces: [Range<Int>]) throws(Finding) {
    var stream = FixStream()
    var batch = FixBatch()
    var fixes: [Fix] = []
    do throws(DecodeError) {
      for piece in pieces {
        try stream.feed(bytes.span.extracting(piece), into: &batch)
        stream.flush(isForced: piece.count % 2 == 0, into: &batch)
        if stream.holdsUndatedFixes {
          stream.assumeDate(nowMilliseconds: 1_772_643_600_000, into: &batch)
        }
        fixes += batch.fixes
        batch.removeAll()
      }
      try stream.finish(into: &batch)
    } catch {
      // Told of the whole already.
    }
    fixes += batch.fixes
    try demand(stream.acceptedCount == fixes.count, "flushed, fixes are lost")
    for fix in fixes { try FixRules.check(fix, lines: Int(Int32.max)) }
  }
}
