import FencepostGeodesy

/// Sorts fixes by time when they arrive late or out of order.
///
/// A fix is held until one arrives that is newer by more than the window. So fixes that are late by
/// no more than the window leave in order of time, and those of the same time in order of arrival.
/// Only the times of fixes move the window, never a clock: a backlog sent newest first is held
/// until a newer fix follows, and leaves in order.
///
/// A fix older than a released one leaves at once, as does one without a time, after all held
/// fixes. A full window releases its oldest fix. Each `trk` is sorted separately.
package struct ReorderWindow: Sendable {
  /// The default for ``capacity``.
  package static var defaultCapacity: Int { 20_000 }
  static var version: Int { 1 }

  /// How much later than a newer fix a fix may arrive, in milliseconds; 0 releases all at once.
  package var windowMilliseconds: Int64
  /// The most fixes held; at least 1.
  package let capacity: Int
  /// The newest released time in milliseconds since 1970, or ``Fix/noTime``.
  package internal(set) var releasedMilliseconds = Fix.noTime
  /// The number of fixes that have arrived so far.
  package internal(set) var arrivedCount = 0
  var trackIndex: Int32 = -1
  var held = Heap<HeldFixes.Member>()

  /// Creates an empty window, raising the length to at least 0 and the capacity to at least 1.
  package init(windowMilliseconds: Int64, capacity: Int = ReorderWindow.defaultCapacity) {
    self.windowMilliseconds = max(0, windowMilliseconds)
    self.capacity = max(1, capacity)
  }

  /// The number of fixes that are held now.
  package var heldCount: Int { held.count }

  /// Adds the next fix of the source and appends the fixes that are released now.
  ///
  /// - Complexity: O(log *n*) for each fix, where *n* is the number of fixes held.
  package mutating func take(_ fix: Fix, into released: inout [Fix]) {
    if fix.trackIndex != trackIndex {
      finish(into: &released)
      trackIndex = fix.trackIndex
      releasedMilliseconds = Fix.noTime
    }
    arrivedCount &+= 1
    guard let time = fix.timeMilliseconds else {
      finish(into: &released)
      released.append(fix)
      return
    }
    let (edge, isBeforeAll) = time.subtractingReportingOverflow(windowMilliseconds)
    while !isBeforeAll, let oldest = held.first, oldest.fix.rawTimeMilliseconds < edge {
      releaseOldest(into: &released)
    }
    guard time >= releasedMilliseconds else {
      released.append(fix)
      return
    }
    held.insert(HeldFixes.Member(fix: fix, arrival: arrivedCount))
    if windowMilliseconds == 0 {
      finish(into: &released)
    } else if held.count > capacity {
      releaseOldest(into: &released)
    }
  }

  /// Releases all held fixes in order.
  ///
  /// Call it at the end of the source, or when the source has been idle for the window's length.
  package mutating func finish(into released: inout [Fix]) {
    while held.count > 0 { releaseOldest(into: &released) }
  }

  private mutating func releaseOldest(into released: inout [Fix]) {
    guard let oldest = held.popFirst() else { return }
    releasedMilliseconds = max(releasedMilliseconds, oldest.fix.rawTimeMilliseconds)
    released.append(oldest.fix)
  }
}

/// Earlier fixes come first, and of one time those that arrived first.
extension HeldFixes.Member: Comparable {
  static func < (one: Self, other: Self) -> Bool {
    (one.fix.rawTimeMilliseconds, one.arrival) < (other.fix.rawTimeMilliseconds, other.arrival)
  }

  static func == (one: Self, other: Self) -> Bool { one.arrival == other.arrival }
}
