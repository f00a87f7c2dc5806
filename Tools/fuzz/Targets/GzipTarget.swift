import FencepostFiles
import FencepostFormats

/// The inflater: of any bytes, and of a member that holds them.
enum GzipTarget {
  static func check(_ bytes: [UInt8]) throws(Finding) {
    var cuts = Cuts(of: bytes)
    let limits = Gunzip.Limits(maximumRatio: 20, freeBytes: 1 << 16)
    let whole = read(bytes, in: [0..<bytes.count], step: 1 << 16, limits)
    for step in [1, 7, 4096] {
      let split = read(bytes, in: cuts.pieces(), step: step, limits)
      // How much has come out when the ratio is looked at depends on the steps; nothing else does.
      let isSame =
        split.reason == whole.reason || [split.reason, whole.reason].contains(.expandsTooFar)
      try demand(isSame, "cut, it is \(split.description), else \(whole.description)")
      if whole.reason == nil {
        try demand(split.output == whole.output, "cut, it inflates to something else")
      }
    }
    let bound = limits.freeBytes + bytes.count * limits.maximumRatio + (1 << 16)
    try demand(whole.output.count <= bound, "\(whole.output.count) bytes are beyond all bounds")
    let member = Gzip.member(bytes)
    let twice = member + member + [0, 0]
    let back = read(twice, in: [0..<twice.count], step: 99, Gunzip.Limits())
    try demand(back.reason == nil && back.output == bytes + bytes, "it does not come back whole")
  }

  private struct Reading {
    var output: [UInt8] = []
    var reason: GunzipError.Reason?
    var description: String { reason.map { "\($0)" } ?? "good" }
  }

  private static func read(
    _ bytes: [UInt8], in pieces: [Range<Int>], step: Int, _ limits: Gunzip.Limits
  ) -> Reading {
    var gunzip = Gunzip(limits: limits)
    var reading = Reading()
    do throws(GunzipError) {
      for piece in pieces {
        var start = piece.lowerBound
        repeat {
          start += try gunzip.inflate(
            bytes.span.extracting(start..<piece.upperBound), into: &reading.output,
            maximumBytes: step)
        } while start < piece.upperBound || gunzip.holdsOutput
      }
      try gunzip.finish()
    } catch {
      reading.reason = error.reason
    }
    return reading
  }
}
