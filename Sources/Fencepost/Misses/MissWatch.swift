import FencepostGeodesy
package import FencepostMonitoring

/// Follows a path with every place watched, and compares what a session noticed with that.
///
/// An entry is found if the session's engine reports it at the same point of the path, late if that engine
/// finds the device inside before it leaves again, and missed otherwise: the rule of an analysis.
///
/// The second engine begins when there are more places than the session can watch, and costs nothing before.
package struct MissWatch {
  /// The entries that were not noticed when they happened.
  package private(set) var counts = MissCounts()
  /// The misses on the way to the last fixes; empty unless they are wanted.
  package var misses: [Miss] = []
  /// Whether to collect ``misses``.
  package var wantsMisses = false

  private let options: MonitoringOptions
  private let slots: Int
  private let alertsOn: AlertTrigger
  private let source: any PlaceSource
  /// Follows the path with every place watched.
  private var engine: Engine?
  /// The places that the device is in unnoticed, by key.
  private var unnoticed: Set<Int64> = []
  /// The entries on the way to the current fix that nobody has noticed yet.
  private var fresh: [Crossing] = []
  private var found: [EngineEvent] = []
  /// Whether the path began before a restart, and the engine must take it up.
  private(set) var isResumed = false

  /// Begins a path; nil if every place is watched, so that none can be missed.
  ///
  /// - Parameters:
  ///   - options: The session's rule.
  ///   - alertsOn: Which crossing counts as an entry.
  ///   - source: Finds the places.
  package init?(options: MonitoringOptions, alertsOn: AlertTrigger, source: any PlaceSource) {
    guard let slots = options.slots else { return nil }
    self.options = options
    self.slots = slots
    self.alertsOn = alertsOn
    self.source = source
  }

  /// Follows the next vertices of the path.
  ///
  /// - Parameters:
  ///   - points: The vertices.
  ///   - noticed: What the session's engine found on the way to the last of them; it found nothing before.
  ///   - last: The vertex before them; nil at the beginning.
  package mutating func follow(
    _ points: ArraySlice<PathPoint>, noticed: [EngineEvent], after last: PathPoint?
  ) {
    if isResumed {
      isResumed = false
      if let last, isOverfull { begin(at: last) }
    }
    guard var engine else {
      if let last = points.last, fillsSlots(noticed), isOverfull { begin(at: last) }
      return
    }
    // Out of `self`, so that it is changed in place.
    self.engine = nil
    var rest = points
    while !rest.isEmpty {
      rest = rest.dropFirst(engine.advance(along: rest, from: source, into: &found))
      let events = rest.isEmpty ? noticed : []
      if !found.isEmpty || !events.isEmpty { compare(with: events) }
    }
    self.engine = engine
  }

  /// Asks again which places there are, as after an edit of the store.
  package mutating func renew() {
    guard var engine else { return }
    engine.renew(from: source, into: &found)
    found.removeAll(keepingCapacity: true)
    unnoticed.removeAll()
    self.engine = engine
  }

  /// Begins at a vertex; circles that contain it were not entered on this path.
  private mutating func begin(at point: PathPoint) {
    var engine = Engine(options: options.withoutLimit)
    engine.advance(along: [point], from: source, into: &found)
    found.removeAll(keepingCapacity: true)
    self.engine = engine
  }

  /// Whether a lookup has used every slot, so that other places may be left out.
  private func fillsSlots(_ events: [EngineEvent]) -> Bool {
    events.contains {
      if case .refresh(let refresh) = $0 {
        !refresh.hasFailed && refresh.monitored >= slots
      } else {
        false
      }
    }
  }

  /// Whether there are more places than can be watched.
  private var isOverfull: Bool {
    // A store that fails here says so at the lookup.
    ((try? source.placeCount) ?? 0) > slots
  }

  // MARK: Comparing

  /// Compares what both engines found on the way to one fix.
  ///
  /// At one point of the path the entry comes first, because it counts before a lookup there.
  private mutating func compare(with noticed: [EngineEvent]) {
    var next = 0
    for event in noticed {
      while next < found.count, found[next].fraction <= event.fraction {
        note(found[next])
        next += 1
      }
      match(event)
    }
    for event in found[next...] { note(event) }
    found.removeAll(keepingCapacity: true)
    for entry in fresh { report(entry) }
    fresh.removeAll(keepingCapacity: true)
  }

  private mutating func note(_ event: EngineEvent) {
    guard let (crossing, kind) = event.encounter else { return }
    if kind == alertsOn {
      // A circle of something other than a place is none of ours.
      guard source.hasPlace(forKey: crossing.key) else { return }
      unnoticed.insert(crossing.key)
      fresh.append(crossing)
      counts.missed += 1
    } else if kind != .dwell {
      unnoticed.remove(crossing.key)
    }
  }

  private mutating func match(_ event: EngineEvent) {
    if let (crossing, kind) = event.encounter {
      guard kind == alertsOn, unnoticed.remove(crossing.key) != nil else { return }
      counts.missed -= 1
      if let index = fresh.firstIndex(where: {
        $0.key == crossing.key && $0.fraction == crossing.fraction
      }) {
        fresh.remove(at: index)
      } else {
        counts.foundLate += 1
      }
    } else if case .refresh(let refresh) = event, options.initial == .silent, alertsOn != .exit {
      // Where a lookup may itself report an entry, that follows.
      for key in refresh.foundInside where unnoticed.remove(key) != nil {
        counts.missed -= 1
        counts.foundLate += 1
      }
    }
  }

  // MARK: Reasons

  private mutating func report(_ entry: Crossing) {
    guard wantsMisses, let place = try? source.place(forKey: entry.key) else { return }
    let isNear = regions(options.nearestQuestion(count: slots), at: entry)
      .contains { $0.key == entry.key }
    misses.append(
      Miss(
        title: place.title.isEmpty ? place.id : place.title,
        timeMilliseconds: entry.crossedMilliseconds ?? entry.timeMilliseconds,
        reason: isNear ? .lookedUpTooLate : .nearerPlaces(slots),
        isAvoidedByAdaptive: options.refresh == .fixed && !isCrowd(at: entry)))
  }

  /// Whether more edges meet at a point than can be watched, where even the adaptive rule misses some.
  private func isCrowd(at entry: Crossing) -> Bool {
    let here = Position(entry.coordinate)
    let edges = regions(.nearestEdges(count: slots + 1, exitMarginMeters: 0), at: entry)
    return edges.filter {
      abs($0.circle.distanceMeters(from: here) - $0.circle.radiusMeters) < Self.sameMeters
    }.count > slots
  }

  private func regions(_ question: CandidateRequest.Question, at entry: Crossing) -> [Region] {
    guard
      case .found(let regions) = source.answer(
        CandidateRequest(question: question, coordinate: entry.coordinate))
    else { return [] }
    return regions
  }

  /// The adaptive rule cannot tell edges apart that are this near to each other.
  private static var sameMeters: Double { 0.1 }
}

// MARK: - Saving

extension MissWatch {
  /// The state between two fixes.
  struct Snapshot: Codable, Sendable {
    var counts: MissCounts
    var unnoticed: [Int64]
    /// Nil where the sides of all circles follow from the last fix, and without a second engine.
    var engine: Engine.Snapshot?

    /// Keeps the counts alone.
    mutating func forgetPlaces() { (unnoticed, engine) = ([], nil) }
  }

  var snapshot: Snapshot {
    Snapshot(
      counts: counts, unnoticed: unnoticed.sorted(),
      engine: hasMemory ? engine?.snapshot : nil)
  }

  /// Continues after a restart; nil if an older version saved the session.
  mutating func restore(_ snapshot: Snapshot?) {
    isResumed = true
    guard let snapshot else { return }
    counts = snapshot.counts
    unnoticed = Set(snapshot.unnoticed)
    engine = snapshot.engine.flatMap { Engine(options: options.withoutLimit, snapshot: $0) }
    if engine != nil { isResumed = false }
  }

  /// Whether a side, or a crossing that waits, depends on more of the path than the last fix.
  private var hasMemory: Bool {
    options.exitMarginMeters > 0 || options.confirmation.isNeeded
      || options.confirmation.dwellMilliseconds != nil || options.accuracy != .ignore
  }
}
