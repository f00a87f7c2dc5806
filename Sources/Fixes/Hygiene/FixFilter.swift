import FencepostGeodesy

/// Decides which fixes of one source count.
///
/// Rejected are coordinates that are out of range or not finite (`coordinate`), latitude and longitude
/// both exactly 0 (`nullIsland`, unless they are kept), a repetition of the fix before with the same
/// time and position (`duplicate`), and a fix that is older than others of the same `trk` and is not
/// believed rather than they are (`late`). Fixes of the same time at other positions count, and so do
/// fixes without time, which say nothing about the order: of these none is a duplicate either.
///
/// A fix whose time is not before the newest believed one counts at once. One that comes with an
/// earlier time may be late, or the times before it were wrong. It counts at once where it takes up
/// where the others had got to before a leap; otherwise it is held until there are more like it than
/// of those it contradicts, or until it is late for good. <doc:Times> has the whole rule.
///
/// At most 60 times and 120 fixes are remembered. How the fixes are cut into batches makes no
/// difference.
public struct FixFilter: Sendable {
  /// A latitude and longitude that no fix has, and that JSON can hold.
  static var nowhere: Double { 1000 }

  let keepsNullIsland: Bool
  var trackIndex: Int32 = -1
  /// The last accepted fix; ``Fix/noTime`` before the first.
  var lastLatitudeDegrees = Self.nowhere
  var lastLongitudeDegrees = Self.nowhere
  var lastMilliseconds = Fix.noTime
  /// The newest of the believed times, or that of no fix.
  var newestMilliseconds = Fix.noTime
  /// How many fixes with a time have come in this `trk`.
  var arrivedCount = 0
  var believed = BelievedTimes()
  var held = HeldFixes()

  /// Makes a filter for one source.
  ///
  /// - Parameter keepsNullIsland: Whether latitude and longitude 0 are a place like any other.
  public init(keepsNullIsland: Bool = false) {
    self.keepsNullIsland = keepsNullIsland
  }

  /// How many fixes are held, of which it is not known yet whether they are late.
  public var heldCount: Int { held.count }

  /// Takes the fixes that do not count out of a batch and adds their rejections.
  ///
  /// Fixes that are held go out of the batch too. Those that were held before and count now stand in
  /// the batch before the fix that decided it.
  ///
  /// - Parameters:
  ///   - batch: What a decoder made of the source's next bytes.
  ///   - start: The index of the first fix not judged yet.
  public mutating func filter(_ batch: inout FixBatch, from start: Int = 0) {
    var end = start + passOrdinary(batch.fixes, from: start)
    var index = end
    var decided: [Fix] = []
    while index < batch.fixes.count {
      let fix = batch.fixes[index]
      index += 1
      if fix.trackIndex != trackIndex { beginTrack(fix.trackIndex, &batch) }
      switch verdict(on: fix) {
      case .counts:
        if end < index - 1 { batch.fixes[end] = fix }
        end += 1
      case .rejected(let reason):
        batch.reject(reason, of: fix)
      case .contradicts:
        settle(fix, &decided, &batch)
        if decided.count > index - end {
          // There is no room left by what went before: the rest moves.
          batch.fixes.replaceSubrange(end..<index, with: decided)
          end += decided.count
          index = end
        } else {
          for fix in decided {
            batch.fixes[end] = fix
            end += 1
          }
        }
        decided.removeAll(keepingCapacity: true)
      }
    }
    batch.fixes.removeSubrange(end...)
  }

  /// The source has ended: all that is held is late.
  ///
  /// - Parameter batch: Receives the rejections.
  public mutating func finish(into batch: inout FixBatch) {
    batch.rejections += heldRejections
    _ = held.removeAll()
  }

  /// The rejections that ``finish(into:)`` would add.
  public var heldRejections: [Rejection] {
    var batch = FixBatch()
    for member in held.members { batch.reject(.late, of: member.fix) }
    return batch.rejections
  }

  // MARK: One fix

  private enum Verdict {
    case counts
    case rejected(Rejection.Reason)
    /// It is older than the newest.
    case contradicts
  }

  private mutating func verdict(on fix: borrowing Fix) -> Verdict {
    let coordinate = fix.coordinate
    guard coordinate.isValid else { return .rejected(.coordinate) }
    if coordinate.latitudeDegrees == 0, coordinate.longitudeDegrees == 0, !keepsNullIsland {
      return .rejected(.nullIsland)
    }
    let milliseconds = fix.rawTimeMilliseconds
    guard milliseconds != Fix.noTime else {
      keep(coordinate, milliseconds)
      return .counts
    }
    if repeatsLast(fix) { return .rejected(.duplicate) }
    arrivedCount &+= 1
    guard milliseconds >= newestMilliseconds, held.isEmpty else { return .contradicts }
    believed.append(milliseconds, arrival: arrivedCount)
    newestMilliseconds = milliseconds
    keep(coordinate, milliseconds)
    return .counts
  }

  private func repeatsLast(_ fix: borrowing Fix) -> Bool {
    let coordinate = fix.coordinate
    return fix.rawTimeMilliseconds == lastMilliseconds
      && coordinate.latitudeDegrees == lastLatitudeDegrees
      && coordinate.longitudeDegrees == lastLongitudeDegrees
  }

  private mutating func keep(_ coordinate: Coordinate, _ milliseconds: Int64) {
    lastLatitudeDegrees = coordinate.latitudeDegrees
    lastLongitudeDegrees = coordinate.longitudeDegrees
    lastMilliseconds = milliseconds
  }

  private mutating func beginTrack(_ index: Int32, _ batch: inout FixBatch) {
    finish(into: &batch)
    self = FixFilter(keepsNullIsland: keepsNullIsland)
    trackIndex = index
  }

  // MARK: The ordinary

  /// Lets the first fixes pass that are beyond doubt: each has a place and is later than the one
  /// before.
  ///
  /// - Parameters:
  ///   - fixes: Some fixes.
  ///   - start: The first of them that was not judged.
  /// - Returns: How many passed.
  private mutating func passOrdinary(_ fixes: [Fix], from start: Int) -> Int {
    guard held.isEmpty, newestMilliseconds != Fix.noTime else { return 0 }
    var newest = newestMilliseconds
    var end = start
    while end < fixes.count {
      let fix = fixes[end]
      guard fix.rawTimeMilliseconds > newest, fix.trackIndex == trackIndex,
        fix.coordinate.isValid, fix.coordinate.latitudeDegrees != 0
      else { break }
      newest = fix.rawTimeMilliseconds
      end += 1
    }
    guard end > start else { return 0 }
    // Of many only the last are remembered.
    arrivedCount &+= end - start
    for index in max(start, end - BelievedTimes.capacity)..<end {
      believed.append(fixes[index].rawTimeMilliseconds, arrival: arrivedCount - (end - 1 - index))
    }
    newestMilliseconds = newest
    keep(fixes[end - 1].coordinate, newest)
    return end - start
  }
}

// MARK: Times that contradict

extension FixFilter {
  /// Judges a fix that contradicts the believed times, or that comes while others are held that do.
  ///
  /// - Parameters:
  ///   - fix: The fix, which has arrived.
  ///   - decided: Receives the fixes that count now.
  ///   - batch: Receives rejections.
  private mutating func settle(_ fix: Fix, _ decided: inout [Fix], _ batch: inout FixBatch) {
    believed.trim()
    // In reverse, so that the next is the last.
    var waiting = [HeldFixes.Member(fix: fix, arrival: arrivedCount)]
    while let next = waiting.popLast() {
      let time = next.fix.rawTimeMilliseconds
      if repeatsLast(next.fix) {
        batch.reject(.duplicate, of: next.fix)
      } else if time >= believed.newest {
        believe(next, &decided, &batch)
      } else if believed.isTakenUp(by: time, arrival: next.arrival) {
        believed.disown(laterThan: time)
        waiting.append(next)
        let members = held.removeAll()
        for member in members where member.fix.rawTimeMilliseconds > time {
          batch.reject(.late, of: member.fix)
        }
        waiting.append(
          contentsOf: members.reversed().filter { $0.fix.rawTimeMilliseconds <= time })
      } else {
        hold(next, &waiting, &batch)
      }
    }
    newestMilliseconds = believed.newest
  }

  private mutating func believe(
    _ member: HeldFixes.Member, _ decided: inout [Fix], _ batch: inout FixBatch
  ) {
    believed.append(member.fix.rawTimeMilliseconds, arrival: member.arrival)
    believed.trim()
    keep(member.fix.coordinate, member.fix.rawTimeMilliseconds)
    decided.append(member.fix)
    guard believed.isFull, let oldest = believed.milliseconds.first else { return }
    for late in held.remove(before: oldest) { batch.reject(.late, of: late.fix) }
  }

  /// Holds a fix, and lets all that is held be judged anew where enough of it overrules the believed
  /// times.
  private mutating func hold(
    _ member: HeldFixes.Member, _ waiting: inout [HeldFixes.Member], _ batch: inout FixBatch
  ) {
    let time = member.fix.rawTimeMilliseconds
    if believed.isFull, believed.count(laterThan: time) == BelievedTimes.capacity {
      return batch.reject(.late, of: member.fix)
    }
    if let last = held.members.last?.fix, last.rawTimeMilliseconds == time,
      last.coordinate == member.fix.coordinate
    {
      return batch.reject(.duplicate, of: member.fix)
    }
    held.append(member)
    if let start = held.startOfRun(outnumbering: believed) {
      believed.disown(laterThan: start)
      waiting.append(contentsOf: held.removeAll().reversed())
    } else if held.count > HeldFixes.capacity {
      batch.reject(.late, of: held.removeFirst().fix)
    }
  }
}

extension FixBatch {
  fileprivate mutating func reject(_ reason: Rejection.Reason, of fix: Fix) {
    reject(reason, line: fix.line > 0 ? Int(fix.line) : nil)
  }
}
