package import FencepostMonitoring
package import FencepostNotifications

/// Holds what a phone with a limit notices against what happens with every place watched.
///
/// At one point of the path, what happens comes before a lookup: an entry there counts as due.
package struct Comparison: Sendable {
  /// What a step of one of the runs means for the other.
  ///
  /// On a phone that misses nothing, each ``due`` is followed by a ``found``.
  package enum Meaning: Sendable {
    /// What can alert happens, with every place watched.
    case due
    /// Anything else happens, with every place watched.
    case other
    /// The phone notices what can alert, where it is due.
    case found
    /// The phone notices it after the point where it was due.
    case late
    /// The phone notices what is not due, or what it has noticed before.
    case extra
    /// The phone looks up the nearest places.
    case refresh
    /// Its lookup finds the phone inside a circle, by key, whose entry it has not noticed.
    case foundInside(Int64)
  }

  /// A point of the path: a fix, and the fraction of the way to it.
  private struct Point: Equatable {
    var fix: Int
    var fraction: Double
  }

  /// What can alert.
  package let alertsOn: AlertTrigger
  /// Whether a lookup that finds the phone inside stands for the entry; else the phone reports it.
  private let countsFoundInside: Bool
  /// Where the circles were entered that the device is in unnoticed; nil before a restart.
  private var unnoticedAt: [Int64: Point?]

  /// Compares a path from its beginning, or from where some entries are unnoticed.
  package init(_ rule: MonitoringOptions, alertsOn: AlertTrigger, unnoticed: [Int64] = []) {
    self.alertsOn = alertsOn
    countsFoundInside = rule.initial == .silent && alertsOn != .exit
    unnoticedAt = Dictionary(uniqueKeysWithValues: unnoticed.map { ($0, nil) })
  }

  /// The keys of the circles that the device is in unnoticed, ascending.
  package var unnoticed: [Int64] { unnoticedAt.keys.sorted() }

  /// Forgets what is unnoticed, as after an edit of the places.
  package mutating func forget() { unnoticedAt.removeAll() }

  /// Compares what both runs found on the way to a fix.
  ///
  /// - Parameters:
  ///   - limited: The phone's steps, in path order.
  ///   - unlimited: What happened with every place watched, in path order.
  ///   - fix: The number of the fix; only whether it is the same matters.
  /// - Returns: What the steps mean, in path order.
  package mutating func compare(
    _ limited: [PathRun.Step], with unlimited: [PathRun.Notice], at fix: Int
  ) -> [(meaning: Meaning, step: PathRun.Step)] {
    var found: [(meaning: Meaning, step: PathRun.Step)] = []
    var next = 0
    for step in limited {
      while next < unlimited.count, unlimited[next].crossing.fraction <= step.fraction {
        found.append((note(unlimited[next], at: fix), .notice(unlimited[next])))
        next += 1
      }
      switch step {
      case .notice(let notice):
        if notice.kind == alertsOn { found.append((match(notice, at: fix), step)) }
      case .refresh(let refresh):
        found.append((.refresh, step))
        guard countsFoundInside else { continue }
        for key in refresh.foundInside where unnoticedAt.removeValue(forKey: key) != nil {
          found.append((.foundInside(key), step))
        }
      }
    }
    for notice in unlimited[next...] { found.append((note(notice, at: fix), .notice(notice))) }
    return found
  }

  private mutating func note(_ notice: PathRun.Notice, at fix: Int) -> Meaning {
    if notice.kind == alertsOn {
      unnoticedAt[notice.key] = .some(Point(fix: fix, fraction: notice.crossing.fraction))
      return .due
    }
    if notice.kind != .dwell { unnoticedAt[notice.key] = nil }
    return .other
  }

  private mutating func match(_ notice: PathRun.Notice, at fix: Int) -> Meaning {
    guard let point = unnoticedAt.removeValue(forKey: notice.key) else { return .extra }
    return point == Point(fix: fix, fraction: notice.crossing.fraction) ? .found : .late
  }
}
