import FencepostGeodesy

/// Accepts or rejects each fix of a source.
///
/// It rejects coordinates that are out of range or not finite (`coordinate`), latitude and longitude both
/// exactly 0 (`nullIsland`, unless they are kept), a repetition of the last accepted time and position
/// (`duplicate`), and a fix older than others of its `trk` whose times are believed instead (`late`). Fixes of
/// the same time at different positions are accepted. So are fixes without a time, even repeated ones.
///
/// A fix that is not older than the newest believed time is accepted at once. An older one may be late, or
/// the times before it may be wrong. It is accepted at once if it continues from where the times were before
/// a leap; otherwise it is held until more fixes support it than contradict it, or until it is certainly
/// late. <doc:Times> has the whole rule.
///
/// At most 60 times and 120 fixes are remembered. The result does not depend on how fixes are batched.
///
/// With a ``ReorderWindow``, fixes are put in the order of their times first. What comes too late for that is judged
/// as it comes.
public struct FixFilter: Sendable {
  /// An impossible latitude and longitude that JSON can represent.
  static var nowhere: Double { 1000 }

  let keepsNullIsland: Bool
  var trackIndex: Int32 = -1
  /// The last accepted fix; ``Fix/noTime`` before the first.
  var lastLatitudeDegrees = Self.nowhere
  var lastLongitudeDegrees = Self.nowhere
  var lastMilliseconds = Fix.noTime
  /// The newest believed time, or ``Fix/noTime``.
  var newestMilliseconds = Fix.noTime
  /// How many fixes with a time have arrived in this `trk`.
  var arrivedCount = 0
  var believed = BelievedTimes()
  var held = HeldFixes()
  /// Puts fixes in order before they are judged; nil takes them as they come.
  var window: ReorderWindow?
  /// How many fixes were rejected as late so far, and how late they were.
  public internal(set) var lateness = Lateness()

  /// Makes a filter for one source.
  ///
  /// - Parameters:
  ///   - keepsNullIsland: Whether to accept fixes whose latitude and longitude are both 0.
  ///   - reorderMilliseconds: How much later than a newer one a fix may come and still be put in order; nil takes
  ///     fixes in the order in which they come.
  public init(keepsNullIsland: Bool = false, reorderMilliseconds: Int64? = nil) {
    self.keepsNullIsland = keepsNullIsland
    window = reorderMilliseconds.map { ReorderWindow(windowMilliseconds: $0) }
  }

  /// How many fixes are held until it is known whether they are late.
  public var heldCount: Int { held.count }

  /// Forgets how many fixes were late, as for an account that begins here.
  public mutating func countAnew() { lateness = Lateness() }

  /// How many fixes wait in the ``ReorderWindow``, and how many it has taken so far.
  public var waiting: (count: Int, arrivedCount: Int) {
    (window?.heldCount ?? 0, window?.arrivedCount ?? 0)
  }

  /// Replaces the rejected fixes of a batch by their rejections.
  ///
  /// Held fixes are removed too. Those that were held before and are accepted now come before the fix that
  /// decided it.
  ///
  /// - Parameters:
  ///   - batch: The next fixes of the source.
  ///   - start: The index of the first fix to judge.
  public mutating func filter(_ batch: inout FixBatch, from start: Int = 0) {
    if window == nil { judge(&batch, from: start) } else { reorder(&batch, from: start) }
  }

  mutating func judge(_ batch: inout FixBatch, from start: Int) {
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
          // The rejected fixes left too little room: the rest must move.
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

  /// Ends the source: judges what waits in the ``ReorderWindow``, and rejects the held fixes as late.
  ///
  /// - Parameter batch: Receives the last accepted fixes and the rejections.
  public mutating func finish(into batch: inout FixBatch) {
    release(into: &batch)
    rejectHeld(&batch)
  }

  /// The rejections of held fixes that ``finish(into:)`` would add if nothing waits in the ``ReorderWindow``.
  public var heldRejections: [Rejection] {
    var copy = self
    var batch = FixBatch()
    copy.rejectHeld(&batch)
    return batch.rejections
  }

  /// The ``lateness`` if the source ended here.
  public var finalLateness: Lateness {
    var copy = self
    var batch = FixBatch()
    copy.rejectHeld(&batch)
    return copy.lateness
  }

  private mutating func rejectHeld(_ batch: inout FixBatch) {
    for member in held.removeAll() { rejectLate(member, &batch) }
  }

  private mutating func rejectLate(_ member: HeldFixes.Member, _ batch: inout FixBatch) {
    lateness.add(milliseconds: member.lateMilliseconds)
    batch.reject(.late, of: member.fix)
  }

  // MARK: One fix

  private enum Verdict {
    case counts
    case rejected(Rejection.Reason)
    /// It contradicts the believed times, or comes while such fixes are held.
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
    rejectHeld(&batch)
    let (window, lateness) = (window, lateness)
    self = FixFilter(keepsNullIsland: keepsNullIsland)
    (self.window, self.lateness, trackIndex) = (window, lateness, index)
  }

  // MARK: The ordinary

  /// A shortcut that accepts the leading fixes which ``verdict(on:)`` certainly would: each has a valid
  /// position off the equator and is later than the one before.
  ///
  /// - Returns: How many were accepted, from a start index on.
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
    // Only the last of many are remembered.
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
  /// Judges a fix that contradicts the believed times, or that comes while such fixes are held.
  ///
  /// - Parameters:
  ///   - fix: The fix, already counted as arrived.
  ///   - decided: Receives the fixes that are accepted now.
  ///   - batch: Receives rejections.
  private mutating func settle(_ fix: Fix, _ decided: inout [Fix], _ batch: inout FixBatch) {
    believed.trim()
    // A stack: the next fix is the last.
    var waiting = [
      HeldFixes.Member(
        fix: fix, arrival: arrivedCount,
        lateMilliseconds: max(0, believed.newest &- fix.rawTimeMilliseconds))
    ]
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
          rejectLate(member, &batch)
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
    for late in held.remove(before: oldest) { rejectLate(late, &batch) }
  }

  /// Holds a fix; if the held fixes now outnumber the believed times they contradict, they are all judged
  /// again.
  private mutating func hold(
    _ member: HeldFixes.Member, _ waiting: inout [HeldFixes.Member], _ batch: inout FixBatch
  ) {
    let time = member.fix.rawTimeMilliseconds
    if believed.isFull, believed.count(laterThan: time) == BelievedTimes.capacity {
      return rejectLate(member, &batch)
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
      rejectLate(held.removeFirst(), &batch)
    }
  }
}

extension FixBatch {
  fileprivate mutating func reject(_ reason: Rejection.Reason, of fix: Fix) {
    reject(reason, line: fix.line > 0 ? Int(fix.line) : nil)
  }
}
