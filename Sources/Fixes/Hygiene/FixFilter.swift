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
/// At most 60 times and 120 fixes are remembered, and 200,000 fixes of a source that has an end; older times only as runs.
/// The result does not depend on how fixes are batched.
///
/// With a ``ReorderWindow``, fixes are put in the order of their times first. What comes too late for that is judged
/// as it comes.
public struct FixFilter: Sendable {
  /// An impossible latitude and longitude that JSON can represent.
  static var nowhere: Double { 1000 }

  let keepsNullIsland: Bool
  /// Whether the source has an end, as a file does, so that what is undecided can wait for it.
  public var isWhole: Bool
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
  ///   - isWhole: Whether the source has an end, as a file does, so that what is undecided can wait for it.
  public init(
    keepsNullIsland: Bool = false, reorderMilliseconds: Int64? = nil, isWhole: Bool = false
  ) {
    self.keepsNullIsland = keepsNullIsland
    self.isWhole = isWhole
    window = reorderMilliseconds.map { ReorderWindow(windowMilliseconds: $0) }
  }

  /// How many fixes are held until it is known whether they are late.
  public var heldCount: Int { held.count }

  /// The fixes refused in a row because an older time is believed; nil if the last fix was not refused so.
  ///
  /// Where a clock ran ahead, these are the right ones, until there are more of them than of the wrong.
  package var refusedRun: RefusedRun? {
    guard let streak = held.streak, streak.lastArrival == arrivedCount else { return nil }
    return RefusedRun(
      count: streak.count, firstMilliseconds: streak.first, blockingMilliseconds: believed.newest)
  }

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
      if fix.trackIndex != trackIndex { beginTrack(fix.trackIndex, &decided, &batch) }
      switch verdict(on: fix) {
      case .counts where decided.isEmpty:
        if end < index - 1 { batch.fixes[end] = fix }
        end += 1
      case .counts:
        decided.append(fix)
      case .rejected(let reason):
        batch.reject(reason, of: fix)
      case .contradicts:
        settle(fix, &decided, &batch)
      }
      guard !decided.isEmpty else { continue }
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
    batch.fixes.removeSubrange(end...)
    rejectEstablished(&batch)
  }

  /// Ends the source: judges what waits in the ``ReorderWindow``, and rejects the held fixes as late.
  ///
  /// - Parameter batch: Receives the last accepted fixes and the rejections.
  public mutating func finish(into batch: inout FixBatch) {
    release(into: &batch)
    var decided: [Fix] = []
    endTrack(&decided, &batch)
    batch.fixes += decided
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

  /// Ends a `trk`: its last fixes count if they take up before a leap and nothing can follow them.
  private mutating func endTrack(_ decided: inout [Fix], _ batch: inout FixBatch) {
    if isWhole, window == nil, held.streak?.lastArrival == arrivedCount, let row = held.row,
      believed.isTakenUp(by: row.first, arrival: row.firstArrival)
    {
      believed.disown(laterThan: row.first)
      judge(held.removeAll(since: row.firstArrival), &decided, &batch)
    }
    rejectHeld(&batch)
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
    /// It contradicts the believed times.
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
    guard milliseconds >= newestMilliseconds else { return .contradicts }
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

  private mutating func beginTrack(
    _ index: Int32, _ decided: inout [Fix], _ batch: inout FixBatch
  ) {
    endTrack(&decided, &batch)
    let (window, lateness) = (window, lateness)
    self = FixFilter(keepsNullIsland: keepsNullIsland, isWhole: isWhole)
    (self.window, self.lateness, trackIndex) = (window, lateness, index)
  }

  // MARK: The ordinary

  /// A shortcut that accepts the leading fixes which ``verdict(on:)`` certainly would: each has a valid
  /// position off the equator and is later than the one before.
  ///
  /// - Returns: How many were accepted, from a start index on.
  private mutating func passOrdinary(_ fixes: [Fix], from start: Int) -> Int {
    guard newestMilliseconds != Fix.noTime else { return 0 }
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
    arrivedCount &+= end - start
    believed.append(fixes[start..<end], lastArrival: arrivedCount)
    newestMilliseconds = newest
    keep(fixes[end - 1].coordinate, newest)
    return end - start
  }
}

// MARK: Times that contradict

extension FixFilter {
  /// Judges a fix that contradicts the believed times.
  ///
  /// - Parameters:
  ///   - fix: The fix, already counted as arrived.
  ///   - decided: Receives the fixes that are accepted now.
  ///   - batch: Receives rejections.
  private mutating func settle(_ fix: Fix, _ decided: inout [Fix], _ batch: inout FixBatch) {
    rejectEstablished(&batch)
    let member = HeldFixes.Member(
      fix: fix, arrival: arrivedCount,
      lateMilliseconds: max(0, believed.newest &- fix.rawTimeMilliseconds))
    judge([member], &decided, &batch)
  }

  /// Judges fixes in the order of arrival, and those again that they decide.
  private mutating func judge(
    _ members: [HeldFixes.Member], _ decided: inout [Fix], _ batch: inout FixBatch
  ) {
    // A stack: the next fix is the last.
    var waiting = Array(members.reversed())
    while let next = waiting.popLast() {
      let time = next.fix.rawTimeMilliseconds
      if repeatsLast(next.fix) {
        batch.reject(.duplicate, of: next.fix)
      } else if time >= believed.newest {
        believed.append(time, arrival: next.arrival)
        keep(next.fix.coordinate, time)
        decided.append(next.fix)
        rejectEstablished(&batch)
      } else if isTakenUp(by: next) {
        believed.disown(laterThan: time)
        waiting.append(next)
        let members = held.removeAll(since: (believed.arrivals.last ?? 0) + 1)
        for member in members where member.fix.rawTimeMilliseconds > time {
          rejectLate(member, &batch)
        }
        waiting += members.reversed().filter { $0.fix.rawTimeMilliseconds <= time }
      } else {
        hold(next, &waiting, &batch)
      }
    }
    newestMilliseconds = believed.newest
  }

  /// Whether a fix alone shows that the times ran ahead; never behind a window, where it is late.
  private func isTakenUp(by member: HeldFixes.Member) -> Bool {
    let time = member.fix.rawTimeMilliseconds
    return window == nil && believed.count(laterThan: time) <= BelievedTimes.mostDoubtful
      && believed.isTakenUp(by: time, arrival: member.arrival)
  }

  /// Holds a fix; if the refused fixes now show that the times ran ahead, they are judged again.
  private mutating func hold(
    _ member: HeldFixes.Member, _ waiting: inout [HeldFixes.Member], _ batch: inout FixBatch
  ) {
    let time = member.fix.rawTimeMilliseconds
    if let last = held.members.last?.fix, last.rawTimeMilliseconds == time,
      last.coordinate == member.fix.coordinate
    {
      return batch.reject(.duplicate, of: member.fix)
    }
    held.append(member)
    if let start = startOfRightTimes {
      believed.disown(laterThan: start.first)
      waiting += held.removeAll(since: start.firstArrival).reversed()
    } else if isWhole {
      if held.count > HeldFixes.wholeCapacity { rejectLate(held.removeFirst(), &batch) }
    } else if time < believed.established {
      rejectLate(held.removeLast(), &batch)
    } else if held.count > HeldFixes.capacity {
      rejectLate(held.removeFirst(), &batch)
    }
  }

  /// Where the refused times begin that are believed from now on; nil if they prove nothing yet.
  private var startOfRightTimes: TimeRun? {
    let doubtful = BelievedTimes.mostDoubtful
    if let row = held.row, row.count == doubtful + 1,
      believed.isTakenUp(by: row.first, arrival: row.firstArrival, canOverlap: true)
    {
      return row
    }
    return held.startOfRun(outnumbering: believed, least: window == nil ? 0 : doubtful)
  }

  /// Rejects the held fixes that ``BelievedTimes/capacity`` times are later than, unless they can wait for the end.
  private mutating func rejectEstablished(_ batch: inout FixBatch) {
    guard !isWhole, !held.isEmpty else { return }
    for late in held.remove(before: believed.established) { rejectLate(late, &batch) }
  }
}

extension FixBatch {
  fileprivate mutating func reject(_ reason: Rejection.Reason, of fix: Fix) {
    reject(reason, line: fix.line > 0 ? Int(fix.line) : nil)
  }
}
