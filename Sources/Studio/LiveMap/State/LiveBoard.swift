import Analysis
package import Fencepost
package import Live
import Monitoring
import Synchronization

/// Something that changed on the map.
package enum BoardChange {
  /// A device moved; whether its path goes on from where it was.
  case position(LivePosition, isJoined: Bool)
  /// Something that a report shows.
  case event(Event)
  /// A device has another monitored set.
  case monitored(LiveMonitored)
  /// The source's state changed.
  case source(String)

  /// The device that it is about; empty is that of a stream of one.
  var device: String? {
    switch self {
    case .position(let position, _): position.device ?? ""
    case .monitored(let monitored): monitored.device ?? ""
    case .event(let event): event.device ?? ""
    case .source: nil
    }
  }
}

extension Event {
  /// The device within the stream, nil where the stream carries only one.
  var device: String? {
    switch self {
    case .enter(let encounter), .exit(let encounter), .alert(let encounter, _),
      .suppressed(let encounter, _), .reminder(let encounter, _):
      encounter.device
    case .refresh(let refresh): refresh.device
    case .summary(let summary): summary.device
    }
  }
}

/// What the map shows, and the last changes to it; between the session's thread and the server's.
///
/// The session only adds, which costs less than a microsecond and never waits for a browser. Whoever
/// reads takes a copy, or the changes since the number it knows; where these are gone, a copy again.
package final class LiveBoard: Sendable {
  /// What bounds the board.
  package struct Limits {
    /// Changes that are kept for those who follow.
    package var changes = 2048
    /// Alerts, and suppressed enters, that a page sees when it opens.
    package var alerts = 100
    package var suppressed = 50
    /// Devices that are shown.
    package var devices = 500
    /// Vertices of a path where there are few devices, and where there are many.
    package var vertices = 1500
    package var crowdedVertices = 200
    /// So many devices are few.
    package var fewDevices = 20

    /// Makes the defaults.
    package init() {}
  }

  /// Everything there is to see.
  package struct Contents {
    /// The number of the last change.
    package var sequence = 0
    package var devices: [String: DeviceTrace] = [:]
    package var alerts: [Event] = []
    package var suppressed: [Event] = []
    package var source = ""
    /// How many positions came of devices that are not shown.
    package var unshownFixes = 0
    /// Whether the session has ended.
    package var hasEnded = false
  }

  private struct State {
    var contents = Contents()
    /// The last changes; the number of the first of them is `firstSequence`.
    var changes: [BoardChange] = []
    var firstSequence = 1
  }

  private let limits: Limits
  private let breaks: PathBreaks
  private let state = Mutex(State())
  private let onChange: @Sendable () -> Void

  /// - Parameters:
  ///   - limits: What bounds the board.
  ///   - breaks: When a path is broken.
  ///   - onChange: Told that something changed; returns at once.
  package init(
    limits: Limits = Limits(), breaks: PathBreaks, onChange: @escaping @Sendable () -> Void
  ) {
    self.limits = limits
    self.breaks = breaks
    self.onChange = onChange
  }

  /// Takes what a session tells.
  package func take(_ update: LiveUpdate) {
    state.withLock { state in
      switch update {
      case .position(let position): take(position, &state)
      case .event(let event): take(event, &state)
      case .monitored(let monitored):
        let name = monitored.device ?? ""
        guard makeRoom(for: name, monitored.device, &state) else { return }
        state.contents.devices[name]?.monitored = monitored
        add(.monitored(monitored), &state)
      case .source(let sentence):
        state.contents.source = sentence
        add(.source(sentence), &state)
      }
    }
    onChange()
  }

  /// Everything there is to see now.
  package var contents: Contents { state.withLock { $0.contents } }

  /// The number of the last change.
  package var sequence: Int { state.withLock { $0.contents.sequence } }

  /// The changes behind a number, and the number of the last of them; nil where some are gone or the
  /// number is none of this board's.
  package func changes(after sequence: Int) -> (changes: ArraySlice<BoardChange>, last: Int)? {
    state.withLock { state in
      guard sequence >= state.firstSequence - 1, sequence <= state.contents.sequence else {
        return nil
      }
      return (state.changes[(sequence - state.firstSequence + 1)...], state.contents.sequence)
    }
  }

  // MARK: Adding

  private func take(_ position: LivePosition, _ state: inout State) {
    let name = position.device ?? ""
    guard makeRoom(for: name, position.device, &state) else {
      state.contents.unshownFixes += 1
      return
    }
    let isJoined = state.contents.devices[name]?.take(position, breaks) ?? false
    add(.position(position, isJoined: isJoined), &state)
  }

  private func take(_ event: Event, _ state: inout State) {
    let name = event.device ?? ""
    switch event {
    case .alert:
      state.contents.devices[name]?.alerts += 1
      state.contents.alerts.append(event)
      trim(&state.contents.alerts, limits.alerts)
    case .suppressed:
      state.contents.devices[name]?.suppressed += 1
      state.contents.suppressed.append(event)
      trim(&state.contents.suppressed, limits.suppressed)
    case .summary:
      // Of many devices each has a summary; the session ends once.
      guard !state.contents.hasEnded else { return }
      state.contents.hasEnded = true
      return add(.source(state.contents.source), &state)
    // The monitored set that a refresh leaves, and the sides that crossings change, are told too.
    // A live session has no reminders.
    case .enter, .exit, .refresh, .reminder: return
    }
    add(.event(event), &state)
  }

  private func trim(_ events: inout [Event], _ most: Int) {
    if events.count > most { events.removeFirst(events.count - most) }
  }

  private func add(_ change: BoardChange, _ state: inout State) {
    state.contents.sequence += 1
    if let name = change.device {
      state.contents.devices[name]?.lastSequence = state.contents.sequence
    }
    state.changes.append(change)
    // Given up in large pieces, so that one costs next to nothing.
    guard state.changes.count >= 2 * limits.changes else { return }
    state.changes.removeFirst(limits.changes)
    state.firstSequence += limits.changes
  }

  /// Whether a device is shown; a new one takes the place of one that has been silent for long.
  private func makeRoom(for name: String, _ device: String?, _ state: inout State) -> Bool {
    if state.contents.devices.index(forKey: name) != nil { return true }
    let count = state.contents.devices.count
    if count >= limits.devices {
      let oldest = state.contents.devices.min { $0.value.lastSequence < $1.value.lastSequence }
      guard let oldest,
        state.contents.sequence - oldest.value.lastSequence > 20 * limits.devices
      else { return false }
      state.contents.devices[oldest.key] = nil
    }
    let vertices = count < limits.fewDevices ? limits.vertices : limits.crowdedVertices
    state.contents.devices[name] = DeviceTrace(
      device: device, sketch: PathSketch(mostVertices: vertices))
    return true
  }
}
