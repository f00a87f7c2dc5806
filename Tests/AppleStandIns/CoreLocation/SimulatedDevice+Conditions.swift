import Foundation

// What monitors of conditions ask for.
extension SimulatedDevice {
  @MainActor
  static func openMonitor(_ name: String) -> Int {
    let isNew = current.openMonitors.insert(name).inserted
    precondition(isNew, "the monitor \(name) is already in use")
    current.replayBeliefs()
    return current.clock.beginLaunch()
  }

  @MainActor
  static func listen(_ continuation: AsyncStream<CLMonitor.Event>.Continuation) {
    current.continuation = continuation
    let waiting = current.undelivered
    current.undelivered = []
    for event in waiting { current.yield(event) }
  }

  func yield(_ event: CLMonitor.Event) {
    guard let continuation else { return }
    clock.noteEvent()
    continuation.yield(event)
  }

  /// Notes that the app wants its next event, so that it has handled those before.
  func asksForEvent(inLaunch launch: Int) { clock.noteAsking(inLaunch: launch) }

  /// Whether the app has handled all events of its monitor.
  public var hasHandledEvents: Bool { continuation == nil || clock.hasHandledEvents }

  /// Claims that the phone is inside of conditions far away.
  private func replayBeliefs() {
    guard faults.replays > 0, let position else { return }
    let far = conditions.filter { _, held in
      let circle = held.condition as? CLMonitor.CircularGeographicCondition
      return held.lastEvent.state == .unsatisfied
        && circle.map { $0.center.distanceMeters(to: position) > 1000 } ?? false
    }
    for identifier in far.keys.sorted().prefix(faults.replays) {
      let event = CLMonitor.Event(identifier: identifier, state: .satisfied, date: now)
      conditions[identifier]?.lastEvent = event
      replayedEvents += 1
      undelivered.append(event)
    }
    // The system has just looked where the phone is.
    latestDelivered = here()
  }

  func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State)
  {
    guard conditions[identifier] != nil || conditions.count < behavior.regionLimit else {
      continuation?.yield(
        CLMonitor.Event(identifier: identifier, state: .unmonitored, date: now))
      return
    }
    conditions[identifier] = Condition(
      condition: condition,
      lastEvent: CLMonitor.Event(identifier: identifier, state: state, date: now))
    mostRegions = max(mostRegions, conditions.count)
    noticeCondition(identifier)
  }

  func noticeCondition(_ identifier: String) {
    guard let held = conditions[identifier],
      let circle = held.condition as? CLMonitor.CircularGeographicCondition,
      let isInside = isInside(circle.center, circle.radius)
    else { return }
    let state: CLMonitor.Event.State = isInside ? .satisfied : .unsatisfied
    guard held.lastEvent.state != state else { return }
    let event = CLMonitor.Event(identifier: identifier, state: state, date: now)
    conditions[identifier]?.lastEvent = event
    if isInside, held.lastEvent.state == .unsatisfied { noteEntry(into: identifier) }
    if !isRunning { wakeForConditions() }
    if continuation == nil { undelivered.append(event) } else { yield(event) }
    for _ in 1..<deliveries() {
      late.append((now.addingTimeInterval(Double(nextFault(below: 121))), event))
    }
  }

  private func wakeForConditions() { wake() }
}
