import FencepostGeodesy
import FencepostMonitoring

/// The rules of confirmation and dwell a second time: for each crossing it looks ahead along the whole path for
/// the point that confirms it, and for what comes before that point.
struct ConfirmationOracle {
  enum Kind: Int { case enter, dwell, exit }

  struct Reported: Equatable {
    var fix: Int
    var key: Int64
    var kind: Kind
    var fraction: Double
    var timeMilliseconds: Int64?
    var crossedMilliseconds: Int64?
    var isAcrossBreak: Bool
  }

  /// A point of the path: a fraction of the segment that ends at a fix.
  private struct Place: Comparable {
    var fix: Int
    var fraction: Double
    var time: Int64?

    static func < (one: Place, other: Place) -> Bool {
      guard one.fix == other.fix else { return one.fix < other.fix }
      guard one.fraction < other.fraction else { return false }
      // Less than a millisecond apart is the same point.
      return one.time.flatMap { one in other.time.map { one < $0 } } ?? true
    }

    static func == (one: Place, other: Place) -> Bool { !(one < other) && !(other < one) }
  }

  var rule: RuleOracle
  var path: [PathPoint]

  func events() -> [Reported] {
    let (met, left) = rule.follow(path)
    let byKey = Dictionary(grouping: met, by: \.key)
    return byKey.flatMap { key, crossings in
      events(of: key, crossings, leavesAt: left.filter { $0.key == key }.map(\.fix))
    }.sorted {
      ($0.fix, $0.fraction, $0.key, $0.kind.rawValue)
        < ($1.fix, $1.fraction, $1.key, $1.kind.rawValue)
    }
  }

  private var confirmation: ConfirmationOptions { rule.options.confirmation }

  private func events(
    of key: Int64, _ crossings: [RuleOracle.Met], leavesAt leaves: [Int]
  ) -> [Reported] {
    var confirmed: [(met: RuleOracle.Met, at: Place, leave: Int)] = []
    var index = 0
    while index < crossings.count {
      let met = crossings[index]
      let leave = leaves.first { $0 > met.fix || $0 == met.fix && !met.isFoundInside } ?? .max
      let next = index + 1 < crossings.count ? crossings[index + 1] : nil
      let isNextFirst = next.map { $0.fix <= leave } ?? false
      if let point = confirmation(of: met), point.fix <= leave,
        next.map({ point < place($0) }) ?? true
      {
        confirmed.append((met, point, leave))
        index += 1
      } else {
        index += isNextFirst ? 2 : 1
      }
    }
    var reported = confirmed.map { report($0.met, $0.met.isEntry ? .enter : .exit, at: $0.at) }
    for (index, one) in confirmed.enumerated() where one.met.isEntry {
      guard let duration = confirmation.dwellMilliseconds, let crossed = place(one.met).time,
        let due = first(from: place(one.met), time: crossed + duration, fixes: 0),
        case let dwell = max(due, one.at), dwell.fix <= one.leave
      else { continue }
      let exit = confirmed.dropFirst(index + 1).first { !$0.met.isEntry && $0.met.fix <= one.leave }
      if let exit, !(dwell < exit.at) { continue }
      reported.append(report(one.met, .dwell, at: dwell))
    }
    return reported
  }

  private func place(_ met: RuleOracle.Met) -> Place {
    let end = path[met.fix].timeMilliseconds
    guard met.fraction < 1 else { return Place(fix: met.fix, fraction: 1, time: end) }
    guard let end, let begin = path[met.fix - 1].timeMilliseconds else {
      return Place(fix: met.fix, fraction: met.fraction, time: nil)
    }
    let time = begin + Int64((met.fraction * Double(end - begin)).rounded())
    return Place(fix: met.fix, fraction: met.fraction, time: time)
  }

  /// Where a crossing would be confirmed if nothing came in between.
  private func confirmation(of met: RuleOracle.Met) -> Place? {
    let start = place(met)
    let hold = confirmation.holdMilliseconds
    let time = hold > 0 ? start.time.map { $0 + hold } : nil
    guard time != nil || confirmation.fixes != nil else { return start }
    return first(from: start, time: time, fixes: confirmation.fixes ?? 0)
  }

  /// The first point of the path from `start` on with a time at or after `time`, if that is given, and so many
  /// fixes reached, counted from the first at or after `start`.
  private func first(from start: Place, time: Int64?, fixes: Int) -> Place? {
    for fix in start.fix..<path.count {
      let point = path[fix]
      let reached = fix - start.fix + 1
      if rule.options.test == .path, fix > 0, reached > fixes, let time,
        let end = point.timeMilliseconds, let begin = path[fix - 1].timeMilliseconds, end >= time,
        rule.joins(
          path[fix - 1], point,
          length: Reference.distanceMeters(path[fix - 1].coordinate, point.coordinate))
      {
        if begin >= time, fix > start.fix { return Place(fix: fix, fraction: 0, time: begin) }
        let fraction = Double(time - begin) / Double(end - begin)
        if fraction >= start.fraction || fix > start.fix {
          return Place(fix: fix, fraction: fraction, time: time)
        }
        if start.time == time { return start }
      }
      let isLate = time.map { time in point.timeMilliseconds.map { $0 >= time } ?? false } ?? true
      if reached >= fixes, isLate {
        return Place(fix: fix, fraction: 1, time: point.timeMilliseconds)
      }
    }
    return nil
  }

  private func report(_ met: RuleOracle.Met, _ kind: Kind, at point: Place) -> Reported {
    Reported(
      fix: point.fix, key: met.key, kind: kind, fraction: point.fraction,
      timeMilliseconds: point.time, crossedMilliseconds: place(met).time,
      isAcrossBreak: met.isAcrossBreak)
  }
}

extension Run {
  /// What was reported, in the oracle's terms.
  var reported: [ConfirmationOracle.Reported] {
    events.compactMap { entry in
      let (crossing, kind): (Crossing, ConfirmationOracle.Kind)
      switch entry.event {
      case .crossing(let one): (crossing, kind) = (one, one.isEntry ? .enter : .exit)
      case .dwell(let one): (crossing, kind) = (one, .dwell)
      case .refresh: return nil
      }
      return ConfirmationOracle.Reported(
        fix: entry.fix, key: crossing.key, kind: kind, fraction: crossing.fraction,
        timeMilliseconds: crossing.timeMilliseconds,
        crossedMilliseconds: crossing.crossedMilliseconds, isAcrossBreak: crossing.isAcrossBreak)
    }
  }
}
