package import FencepostMonitoring
package import FencepostNotifications

/// Holds what a phone with a limit notices against what happens with every place watched.
///
/// At one point of the path, what happens comes before a lookup: an entry there counts as due.
package struct Comparison: Sendable {
  /// How a notice of the phone fits to what was due.
  package enum Verdict: Sendable {
    /// Noticed where it was due.
    case found
    /// Noticed after the point where it was due.
    case late
    /// Not due, or noticed before.
    case extra
  }

  /// What a comparison finds, in path order.
  package enum Finding: Sendable {
    /// What can alert happens, with every place watched.
    case due(PathRun.Notice)
    /// Anything else happens, with every place watched.
    case other(PathRun.Notice)
    /// The phone notices what can alert.
    case noticed(PathRun.Notice, Verdict)
    /// The phone looks up the nearest places.
    case refresh(Refresh)
    /// A lookup finds the phone inside a circle whose entry it has not noticed.
    case foundInside(Int64, Refresh)
  }

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
  ///   - emit: Receives the findings.
  package mutating func compare(
    _ limited: [PathRun.Step], with unlimited: some Sequence<PathRun.Notice>, at fix: Int,
    _ emit: (Finding) -> Void
  ) {
    var rest = unlimited.makeIterator()
    var next = rest.next()
    for step in limited {
      while let notice = next, notice.crossing.fraction <= step.fraction {
        note(notice, at: fix, emit)
        next = rest.next()
      }
      match(step, at: fix, emit)
    }
    while let notice = next {
      note(notice, at: fix, emit)
      next = rest.next()
    }
  }

  private mutating func note(_ notice: PathRun.Notice, at fix: Int, _ emit: (Finding) -> Void) {
    if notice.kind == alertsOn {
      unnoticedAt[notice.key] = .some(Point(fix: fix, fraction: notice.crossing.fraction))
      emit(.due(notice))
    } else {
      if notice.kind != .dwell { unnoticedAt[notice.key] = nil }
      emit(.other(notice))
    }
  }

  private mutating func match(_ step: PathRun.Step, at fix: Int, _ emit: (Finding) -> Void) {
    switch step {
    case .notice(let notice):
      guard notice.kind == alertsOn else { return }
      guard let point = unnoticedAt.removeValue(forKey: notice.key) else {
        return emit(.noticed(notice, .extra))
      }
      let here = Point(fix: fix, fraction: notice.crossing.fraction)
      emit(.noticed(notice, point == here ? .found : .late))
    case .refresh(let refresh):
      emit(.refresh(refresh))
      guard countsFoundInside else { return }
      for key in refresh.foundInside where unnoticedAt.removeValue(forKey: key) != nil {
        emit(.foundInside(key, refresh))
      }
    }
  }
}
