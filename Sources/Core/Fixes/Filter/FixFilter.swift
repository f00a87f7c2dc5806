import FencepostGeodesy

/// Accepts or rejects each fix of a source.
///
/// A fix is rejected if its coordinates are out of range or not finite (`coordinate`), if both are
/// exactly 0 (`nullIsland`, unless these are kept), if its stated accuracy is too bad
/// (`inaccurate`), if it repeats the last accepted time and position (`duplicate`), or if it is
/// older than fixes of its `trk` whose times are believed instead (`late`). Fixes of the same time
/// at different positions are accepted, as are all fixes without a time.
///
/// A fix not older than the newest believed time is accepted at once. If it is older, either it is
/// late or the times before it are wrong. It is accepted at once if it continues from before a
/// leap. Otherwise it is held until more fixes support it than contradict it, or until it is
/// certainly late. See <doc:Times> for the whole rule.
///
/// The filter remembers at most 60 times and 120 fixes (200,000 of a source that ends), and older
/// times as runs. The result does not depend on how fixes are batched. With a `ReorderWindow`,
/// fixes are sorted by time first, except those that are too late for it.
public struct FixFilter: Sendable {
  /// A latitude and longitude that cannot occur, but that JSON can represent.
  static var nowhere: Double { 1000 }

  let keepsNullIsland: Bool
  /// The worst stated accuracy of a fix that counts, in meters; nil for any.
  package var maxAccuracyMeters: Double?
  /// Whether the source ends, as a file does, so that undecided fixes can wait for its end.
  package var isWhole: Bool
  var trackIndex: Int32 = -1
  /// The last accepted fix.
  var lastLatitudeDegrees = Self.nowhere
  var lastLongitudeDegrees = Self.nowhere
  var lastMilliseconds = Fix.noTime
  var newestMilliseconds = Fix.noTime
  var arrivedCount = 0
  var believed = BelievedTimes()
  var held = HeldFixes()
  /// Sorts fixes before they are judged.
  var window: ReorderWindow?
  /// How many fixes were rejected as late so far, and how late they were.
  public internal(set) var lateness = Lateness()

  /// Creates a filter for one source.
  ///
  /// - Parameters:
  ///   - keepsNullIsland: Whether to accept fixes whose latitude and longitude are both 0.
  ///   - reorderMilliseconds: The length of the `ReorderWindow`; nil takes fixes as they come.
  ///   - maxAccuracyMeters: The worst stated accuracy of a fix that counts; nil for any.
  ///   - isWhole: The value of `isWhole`.
  public init(
    keepsNullIsland: Bool = false, reorderMilliseconds: Int64? = nil,
    maxAccuracyMeters: Double? = nil, isWhole: Bool = false
  ) {
    self.keepsNullIsland = keepsNullIsland
    self.maxAccuracyMeters = maxAccuracyMeters
    self.isWhole = isWhole
    window = reorderMilliseconds.map { ReorderWindow(windowMilliseconds: $0) }
  }

  /// How many fixes are held until it is known whether they are late.
  package var heldCount: Int { held.count }

  /// The latest fixes in a row that were refused as too old, or nil if the last fix was not.
  ///
  /// After a clock ran ahead, these are right, but refused until they outnumber the wrong ones.
  package var refusedRun: RefusedRun? {
    guard let streak = held.streak, streak.lastArrival == arrivedCount else { return nil }
    return RefusedRun(
      count: streak.count, firstMilliseconds: streak.first, blockingMilliseconds: believed.newest)
  }

  /// Resets ``lateness``.
  package mutating func countAnew() { lateness = Lateness() }

  /// The number of fixes waiting in the `ReorderWindow`, and of all that ever arrived there.
  package var waiting: (count: Int, arrivedCount: Int) {
    (window?.heldCount ?? 0, window?.arrivedCount ?? 0)
  }

  /// Judges the fixes of a batch from an index on, and moves rejected ones to its rejections.
  ///
  /// Undecided fixes are held and removed. Once accepted, they come before the fix that decided it.
  public mutating func filter(_ batch: inout FixBatch, from start: Int = 0) {
    if let maxAccuracyMeters { batch.rejectFixes(worseThan: maxAccuracyMeters, from: start) }
    if window == nil { judge(&batch, from: start) } else { reorder(&batch, from: start) }
  }

  mutating func judge(_ batch: inout FixBatch, from start: Int) {
    var end = start + passOrdinary(batch.fixes, from: start)
    var index = end
    var decided: [Fix] = []
    while index < batch.fixes.count {
      let fix = batch.fixes[index]
      index += 1
      if fix.trackIndex != trackIndex {
        endTrack(&decided, &batch)
        let (window, lateness) = (window, lateness)
        self = FixFilter(
          keepsNullIsland: keepsNullIsland, maxAccuracyMeters: maxAccuracyMeters, isWhole: isWhole)
        (self.window, self.lateness, trackIndex) = (window, lateness, fix.trackIndex)
      }
      switch verdict(on: fix) {
      case .counts where decided.isEmpty:
        if end < index - 1 { batch.fixes[end] = fix }
        end += 1
      case .counts: decided.append(fix)
      case .rejected(let reason): batch.reject(reason, of: fix)
      case .contradicts: settle(fix, &decided, &batch)
      }
      guard !decided.isEmpty else { continue }
      if decided.count > index - end {
        // The rejected fixes left too little room, so the rest must move.
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

  /// Ends the source: judges the fixes in the `ReorderWindow` and rejects the held ones as late.
  public mutating func finish(into batch: inout FixBatch) {
    release(into: &batch)
    var decided: [Fix] = []
    endTrack(&decided, &batch)
    batch.fixes += decided
  }

  /// The held fixes that ``finish(into:)`` would reject if nothing waits in the `ReorderWindow`.
  package var heldRejections: [Rejection] {
    var copy = self
    var batch = FixBatch()
    copy.rejectHeld(&batch)
    return batch.rejections
  }

  /// The ``lateness`` if the source ended here.
  package var finalLateness: Lateness {
    var copy = self
    var batch = FixBatch()
    copy.rejectHeld(&batch)
    return copy.lateness
  }

  /// At the end of a `trk`, its last fixes count if they continue from before a leap.
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
    case contradicts
  }

  private mutating func verdict(on fix: borrowing Fix) -> Verdict {
    let coordinate = fix.coordinate
    if let reason = fault(of: coordinate) { return .rejected(reason) }
    let milliseconds = fix.rawTimeMilliseconds
    guard milliseconds != Fix.noTime else {
      keep(coordinate, milliseconds)
      return .counts
    }
    if repeatsLast(fix) { return .rejected(.duplicate) }
    arrivedCount &+= 1
    guard milliseconds >= newestMilliseconds, !continuesRefused(fix) else { return .contradicts }
    believed.append(milliseconds, arrival: arrivedCount)
    newestMilliseconds = milliseconds
    keep(coordinate, milliseconds)
    return .counts
  }

  /// Why a position never counts; nil if it does.
  private func fault(of coordinate: Coordinate) -> Rejection.Reason? {
    guard coordinate.isValid else { return .coordinate }
    let isNullIsland = coordinate.latitudeDegrees == 0 && coordinate.longitudeDegrees == 0
    return isNullIsland && !keepsNullIsland ? .nullIsland : nil
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

  // MARK: The ordinary

  /// A shortcut: accepts and counts leading fixes that ``verdict(on:)`` would accept.
  private mutating func passOrdinary(_ fixes: [Fix], from start: Int) -> Int {
    guard newestMilliseconds != Fix.noTime, held.streak?.lastArrival != arrivedCount else {
      return 0
    }
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

  // MARK: Times that contradict

  private mutating func settle(_ fix: Fix, _ decided: inout [Fix], _ batch: inout FixBatch) {
    rejectEstablished(&batch)
    let member = HeldFixes.Member(
      fix: fix, arrival: arrivedCount,
      lateMilliseconds: max(0, believed.newest &- fix.rawTimeMilliseconds))
    var members = [member]
    if fix.rawTimeMilliseconds >= believed.newest, let row = held.row {
      believed.disown(laterThan: row.first)
      members = held.removeAll(since: row.firstArrival) + members
    }
    judge(members, &decided, &batch)
  }

  /// Whether time has caught up with a clock that ran ahead from the start of a file.
  ///
  /// More than 20 refused fixes in a row then reach the newest time, and the next fix lies nearer to
  /// the last of them than to the last accepted one. After a repetition the two are the same.
  private func continuesRefused(_ fix: borrowing Fix) -> Bool {
    guard let row = rowLeadingOn, row.lastArrival == arrivedCount - 1,
      let last = held.members.last?.fix
    else { return false }
    let accepted = Coordinate(
      latitudeDegrees: lastLatitudeDegrees, longitudeDegrees: lastLongitudeDegrees)
    return Geodesic.distanceMeters(fix.coordinate, last.coordinate)
      < Geodesic.distanceMeters(fix.coordinate, accepted)
  }

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

  /// Whether a fix alone shows that the times ran ahead; never after sorting, where it is late.
  private func isTakenUp(by member: HeldFixes.Member) -> Bool {
    let time = member.fix.rawTimeMilliseconds
    return window == nil && believed.count(laterThan: time) <= BelievedTimes.mostDoubtful
      && believed.isTakenUp(by: time, arrival: member.arrival)
  }

  /// Holds a fix, or judges the held fixes again if they now show that the times ran ahead.
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

  /// The start of the refused times that are believed from now on; nil if they prove nothing yet.
  private var startOfRightTimes: TimeRun? {
    let doubtful = BelievedTimes.mostDoubtful
    if let row = held.row, row.count == doubtful + 1,
      believed.isTakenUp(by: row.first, arrival: row.firstArrival, canOverlap: true)
    {
      return row
    }
    let start = held.startOfRun(outnumbering: believed, least: window == nil ? 0 : doubtful)
    if let start, let row = rowLeadingOn, row.firstArrival < start.firstArrival { return row }
    return start
  }

  /// The last refused fixes in a row of a file, if there are more than 20 and they have reached the
  /// newest time.
  private var rowLeadingOn: TimeRun? {
    guard isWhole, window == nil, let row = held.row, row.count > BelievedTimes.mostDoubtful,
      TimeRun.step(from: row.last, to: believed.newest) <= BelievedTimes.leapMilliseconds
    else { return nil }
    return row
  }

  /// Rejects held fixes too old to be believed again, unless they can wait for the end.
  private mutating func rejectEstablished(_ batch: inout FixBatch) {
    guard !isWhole, !held.isEmpty else { return }
    for late in held.remove(before: believed.established) { rejectLate(late, &batch) }
  }

  // MARK: Sorting

  /// Sets how much later than a newer fix a fix may arrive and still be sorted.
  ///
  /// With nil, waiting fixes are released first, and later ones are taken as they come.
  package mutating func reorder(withinMilliseconds milliseconds: Int64?) {
    if let milliseconds {
      if window == nil { window = ReorderWindow(windowMilliseconds: milliseconds) }
      window?.windowMilliseconds = milliseconds
    } else if waiting.count == 0 {
      window = nil
    } else {
      window?.windowMilliseconds = 0
    }
  }

  /// Judges all fixes in the `ReorderWindow` and appends the results to a batch.
  ///
  /// Call it at the end of the source, or when the source has been idle for the window's length.
  package mutating func release(into batch: inout FixBatch) {
    let start = batch.fixes.count
    window?.finish(into: &batch.fixes)
    judgeReleased(&batch, from: start)
  }

  /// Clears the source lines of undecided fixes, which mean nothing after a restart.
  package mutating func forgetLines() {
    window?.held.update { $0.fix.line = 0 }
    held.forgetLines()
  }

  private mutating func reorder(_ batch: inout FixBatch, from start: Int) {
    let arrived = batch.fixes[start...]
    batch.fixes.removeSubrange(start...)
    for fix in arrived {
      let first = batch.fixes.count
      // A fix that does not count moves no time, so it is rejected at once.
      if fault(of: fix.coordinate) == nil {
        window?.take(fix, into: &batch.fixes)
      } else {
        batch.fixes.append(fix)
      }
      judgeReleased(&batch, from: first)
    }
  }

  private mutating func judgeReleased(_ batch: inout FixBatch, from start: Int) {
    guard batch.fixes.count > start else { return }
    judge(&batch, from: start)
    // If released times are no longer believed, the clock ran ahead.
    if let released = window?.releasedMilliseconds {
      window?.releasedMilliseconds = min(released, newestMilliseconds)
    }
  }
}

extension FixBatch {
  fileprivate mutating func reject(_ reason: Rejection.Reason, of fix: Fix) {
    reject(reason, line: fix.line > 0 ? Int(fix.line) : nil)
  }

  /// Rejects the fixes from an index on that state a worse accuracy.
  fileprivate mutating func rejectFixes(worseThan meters: Double, from first: Int) {
    // A fix that states no accuracy counts.
    guard let start = fixes[first...].firstIndex(where: { Double($0.accuracyMeters) > meters })
    else { return }
    var end = start
    for index in start..<fixes.count {
      let fix = fixes[index]
      if Double(fix.accuracyMeters) > meters {
        let whole = Int(exactly: fix.accuracyMeters.rounded(.up))
        reject(
          .inaccurate, line: fix.line > 0 ? Int(fix.line) : nil,
          detail: whole.map { "accuracy \($0) m" })
      } else {
        fixes[end] = fix
        end += 1
      }
    }
    fixes.removeSubrange(end...)
  }
}

/// Fixes refused in a row because an earlier one had a later time, as after a clock ran ahead.
///
/// ``FixFilter/refusedRun`` returns it, so that a live session can tell its user.
package struct RefusedRun: Sendable, Equatable {
  /// The number of fixes.
  package let count: Int
  /// The time of the first fix in milliseconds since 1970.
  package let firstMilliseconds: Int64
  /// The believed time that they are older than, in milliseconds since 1970.
  package let blockingMilliseconds: Int64
}
