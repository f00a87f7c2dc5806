import FencepostGeodesy
import FencepostMonitoring

/// The engine over a path and places that bytes lay out, against the rule written down a second time
/// over PROJ.
enum EngineTarget {
  static func check(_ bytes: [UInt8]) throws(Finding) {
    guard let scene = EngineScene(bytes) else { return }
    let run = scene.run()
    try checkOrder(run)
    try checkSides(run)
    let expected = scene.expected
    let difference = difference(run, expected, scene)
    guard let difference else { return }
    // Where a path only just touches a circle, or a threshold is only just reached, both answers
    // are right.
    if scene.isDelicate(expected) { return }
    throw Finding("\(difference)\n\(scene)")
  }

  /// What the engine and the oracle disagree on; nil where they do not.
  private static func difference(
    _ run: Run, _ expected: [RuleOracle.Met], _ scene: EngineScene
  ) -> String? {
    let found = run.met
    if scene.options.refresh == .fixed, !scene.certifies || !scene.storeFails {
      return Encounters(found).difference(from: Encounters(expected))
    }
    guard run.engine.isCertified == true else {
      let missed = expected.first { met in
        met.isEntry && !found.contains { $0.isAlike(met) }
          && !run.engine.uncertified.contains { $0.start.fix <= met.fix && met.fix <= $0.end.fix }
      }
      return missed.map { "\($0) is missed unsaid" }
    }
    return Encounters(found.filter(\.isEntry)).difference(
      from: Encounters(expected.filter(\.isEntry)))
  }

  /// No region is entered twice without an exit, unless the fixed rule forgot it between.
  private static func checkSides(_ run: Run) throws(Finding) {
    var inside: Set<Int64> = []
    for entry in run.events {
      switch entry.event {
      case .crossing(let crossing) where crossing.isEntry:
        try demand(inside.insert(crossing.key).inserted, "\(crossing.key) is entered twice")
      case .crossing(let crossing): inside.remove(crossing.key)
      case .dwell(let dwell):
        try demand(inside.contains(dwell.key), "\(dwell.key) has a dwell outside")
      case .refresh(let refresh):
        if run.engine.options.refresh == .fixed { inside.subtract(refresh.removed) }
      }
    }
  }

  private static func checkOrder(_ run: Run) throws(Finding) {
    var last = (fix: 0, fraction: 0.0)
    for entry in run.events {
      let crossing: Crossing
      switch entry.event {
      case .crossing(let found), .dwell(let found): crossing = found
      case .refresh(let refresh):
        try demand(
          refresh.monitoredCount <= run.engine.options.limit ?? .max,
          "\(refresh.monitoredCount) are monitored")
        continue
      }
      try demand((entry.fix, crossing.fraction) >= last, "events are out of order")
      last = (entry.fix, crossing.fraction)
      try demand(crossing.coordinate.isValid, "a crossing lies at \(crossing.coordinate)")
    }
  }
}

extension RuleOracle.Met {
  /// Whether this is the same edge met at the same fix, up to a part of the way to it.
  func isAlike(_ other: Self, tolerance: Double = 1e-4) -> Bool {
    key == other.key && fix == other.fix && isEntry == other.isEntry
      && isAcrossBreak == other.isAcrossBreak && abs(fraction - other.fraction) < tolerance
  }
}

/// The edges that each circle saw, in their order.
struct Encounters {
  private var byKey: [Int64: [RuleOracle.Met]] = [:]

  init(_ met: [RuleOracle.Met]) {
    for one in met { byKey[one.key, default: []].append(one) }
  }

  /// Whether edges are met at the same fixes in the same sense, wherever on the way to them.
  func isAlike(_ other: Encounters) -> Bool { difference(from: other, tolerance: 2) == nil }

  func difference(from other: Encounters, tolerance: Double = 1e-4) -> String? {
    for key in Set(byKey.keys).union(other.byKey.keys).sorted() {
      let (mine, theirs) = (byKey[key] ?? [], other.byKey[key] ?? [])
      let isSame =
        mine.count == theirs.count
        && zip(mine, theirs).allSatisfy { $0.isAlike($1, tolerance: tolerance) }
      if !isSame { return "circle \(key): \(mine) instead of \(theirs)" }
    }
    return nil
  }
}
