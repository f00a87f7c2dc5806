import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostTracks

/// A whole stream: inflated, recognized, decoded and filtered.
enum StreamTarget {
  static func check(_ bytes: [UInt8]) throws(Finding) {
    let whole = try demandSame(
      bytes, difference: { Outcome.difference($0.outcome, $1.outcome) }
    ) { read(bytes, in: $0) }
    try check(whole)
    try checkFlushed(bytes, in: bytes.cut())
    guard !whole.isCompressed else { return }
    let member = Gzip.member(bytes)
    let inflated = read(member, in: member.cut())
    try demand(inflated.isCompressed, "gzip data is not recognized")
    try demand(inflated.outcome == whole.outcome, "compressed it reads otherwise")
  }

  private struct Reading: Equatable {
    var outcome = Outcome()
    var accepted = 0
    var rejected = 0
    var isCompressed = false
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
    let (fixes, rejections) = (reading.outcome.fixes, reading.outcome.rejections)
    try demand(reading.accepted == fixes.count, "\(reading.accepted) of \(fixes.count) counted")
    try demand(
      reading.rejected == rejections.count, "\(reading.rejected) of \(rejections.count) counted")
    for fix in fixes { try FixRules.check(fix) }
    // A fix is late only against others that count; these need not be in order, as a time that
    // counted may be disowned.
    let late = rejections.count { $0.reason == .late }
    let hasTime = fixes.contains { $0.timeMilliseconds != nil }
    try demand(late == 0 || hasTime, "\(late) fixes are late, and none is believed")
  }

  /// As a live source is read: what is at hand is asked for between the pieces.
  private static func checkFlushed(_ bytes: [UInt8], in pieces: [Range<Int>]) throws(Finding) {
    var decoder = TrackDecoder()
    var account = FixAccount(FixStreamOptions())
    var batch = FixBatch()
    var fixes: [Fix] = []
    func judge() {
      account.judge(&batch)
      fixes += batch.fixes
      batch.removeAll()
    }
    do throws(DecodeError) {
      for piece in pieces {
        try decoder.decode(bytes.span.extracting(piece), into: &batch)
        decoder.flush(isForced: piece.count % 2 == 0, into: &batch)
        if decoder.undatedReason != nil {
          decoder.assumeDate(nowMilliseconds: 1_772_643_600_000, into: &batch)
        }
        judge()
      }
      try decoder.finish(into: &batch)
    } catch {
      // Told of the whole already.
    }
    judge()
    try demand(account.acceptedCount == fixes.count, "flushed, fixes are lost")
    for fix in fixes { try FixRules.check(fix) }
  }

  // MARK: Gzip

  /// The inflater: of any bytes, and of a member that holds them.
  static func checkGzip(_ bytes: [UInt8]) throws(Finding) {
    let limits = Gunzip.Limits(maximumRatio: 20, freeBytes: 1 << 16)
    let whole = inflated(bytes, in: [0..<bytes.count], step: 1 << 16, limits)
    for (turn, step) in [1, 7, 4096].enumerated() {
      let split = inflated(bytes, in: bytes.cut(turn: UInt64(turn)), step: step, limits)
      // How much has come out when the ratio is looked at depends on the steps; nothing else does.
      let isSame =
        split.reason == whole.reason || [split.reason, whole.reason].contains(.expandsTooFar)
      try demand(isSame, "cut, it is \(split), else \(whole)")
      try demand(
        whole.reason != nil || split.output == whole.output, "cut, it inflates to something else")
    }
    let bound = limits.freeBytes + bytes.count * limits.maximumRatio + (1 << 16)
    try demand(whole.output.count <= bound, "\(whole.output.count) bytes are beyond all bounds")
    let member = Gzip.member(bytes)
    let twice = member + member + [0, 0]
    let back = inflated(twice, in: [0..<twice.count], step: 99, Gunzip.Limits())
    try demand(back.reason == nil && back.output == bytes + bytes, "it does not come back whole")
  }

  private static func inflated(
    _ bytes: [UInt8], in pieces: [Range<Int>], step: Int, _ limits: Gunzip.Limits
  ) -> (output: [UInt8], reason: GunzipError.Reason?) {
    var gunzip = Gunzip(limits: limits)
    var output: [UInt8] = []
    do throws(GunzipError) {
      for piece in pieces {
        var start = piece.lowerBound
        repeat {
          start += try gunzip.inflate(
            bytes.span.extracting(start..<piece.upperBound), into: &output, maximumBytes: step)
        } while start < piece.upperBound || gunzip.holdsOutput
      }
      try gunzip.finish()
    } catch {
      return (output, error.reason)
    }
    return (output, nil)
  }
}
