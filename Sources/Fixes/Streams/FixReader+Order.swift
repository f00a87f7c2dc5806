import FencepostFiles
import FencepostFormats

/// Finding out in which order a source has its fixes, and giving them in time's order.
extension FixReader {
  /// What is known of the order.
  enum Stage {
    /// Not enough fixes have come to tell.
    case looking
    /// They come as they are.
    case straight
    /// The first of them run backwards: all are put aside.
    case spooling
    /// All have been put aside, and are given.
    case giving
    /// There are no more.
    case done
  }

  /// How many fixes with a time tell whether the others must be put aside.
  private static var tellingCount: Int { 16 }

  /// Keeps fixes that have just been decoded from being given, unless their order is known.
  mutating func keepAside(_ batch: inout FixBatch) {
    for fix in batch.fixes { order.note(fix) }
    if stage == .spooling {
      putAside(batch.fixes)
      return batch.fixes.removeAll(keepingCapacity: true)
    }
    ahead += batch.fixes
    batch.fixes.removeAll(keepingCapacity: true)
    guard let isBackwards = beginsBackwards else { return }
    if isBackwards {
      stage = .spooling
      putAside(ahead)
    } else {
      goStraight(&batch)
    }
    ahead = []
  }

  /// Whether the first fixes run backwards, nil where more are needed to tell; the same whatever comes
  /// with them.
  private var beginsBackwards: Bool? {
    var beginning = TimeOrder()
    for fix in ahead.prefix(Self.batchCount) {
      beginning.note(fix)
      if beginning.timedCount == Self.tellingCount { return beginning.isNewestFirst }
    }
    return ahead.count < Self.batchCount ? nil : beginning.isNewestFirst
  }

  private mutating func goStraight(_ batch: inout FixBatch) {
    stage = .straight
    stream.isJudging = true
    batch.fixes = ahead
    stream.judge(&batch, from: 0)
  }

  private mutating func putAside(_ fixes: [Fix]) {
    do throws(ByteSourceError) {
      if spool == nil { spool = try FixSpool(name: name) }
      try spool?.append(fixes)
    } catch {
      failure = FixSourceError(name: name, cause: .spool(error))
    }
  }

  /// The source has no more bytes.
  mutating func proceedAtEnd(_ batch: inout FixBatch) {
    switch stage {
    case .looking:
      isNewestFirst = order.isNewestFirst
      batch.fixes = isNewestFirst ? turned(ahead) : ahead
      ahead = []
      stream.judge(&batch, from: 0)
      conclude(&batch)
    case .spooling:
      isNewestFirst = order.isNewestFirst
      stage = .giving
    case .giving: giveBack(&batch)
    case .straight, .done: stage = .done
    }
  }

  private mutating func giveBack(_ batch: inout FixBatch) {
    let first = batch.fixes.count
    do throws(ByteSourceError) {
      if let spool, spool.count > 0 {
        if isNewestFirst {
          batch.fixes += turned(try spool.takeLast(Self.batchCount))
        } else {
          batch.fixes += try spool.takeFirst(Self.batchCount)
        }
        return stream.judge(&batch, from: first)
      }
    } catch {
      failure = FixSourceError(name: name, cause: .spool(error))
    }
    conclude(&batch)
  }

  private mutating func conclude(_ batch: inout FixBatch) {
    stream.finishJudging(into: &batch)
    spool = nil
    stage = .done
  }

  /// Fixes in the order in which they are travelled, as are their segments and tracks.
  private func turned(_ fixes: [Fix]) -> [Fix] {
    fixes.reversed().map { fix in
      var fix = fix
      fix.trackIndex = order.trackIndex - fix.trackIndex
      fix.segmentIndex = order.segmentIndex - fix.segmentIndex
      return fix
    }
  }
}
