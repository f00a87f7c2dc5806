import FencepostAnalysis
package import Fencepost
import FencepostFixes
package import FencepostGeodesy
package import FencepostLive
import FencepostMonitoring
import Synchronization

/// Something that changed on the map.
package enum MapChange {
  /// A device moved; `isJoined` when its path continues from where it was.
  case position(Coordinate, device: String?, isJoined: Bool)
  /// An event, as in a report.
  case event(Event)
  /// A device's monitored set was replaced.
  case monitored(device: String?)
  /// The source's state changed.
  case source(String)

  /// The device concerned; empty when the stream carries only one.
  var device: String? {
    switch self {
    case .position(_, let device, _), .monitored(let device): device ?? ""
    case .event(let event): event.device ?? ""
    case .source: nil
    }
  }
}

extension Event {
  /// The device within the stream; nil when the stream carries only one.
  var device: String? {
    switch self {
    case .enter(let encounter), .exit(let encounter), .alert(let encounter, _),
      .suppressed(let encounter, _), .reminder(let encounter, _), .dwell(let encounter):
      encounter.device
    case .refresh(let refresh): refresh.device
    case .summary(let summary): summary.device
    }
  }
}

/// What the map shows and its latest changes, shared between the session's thread and the server's.
///
/// The session only appends, which takes less than a microsecond and never waits for a browser. A reader
/// takes a copy, or the changes since a sequence number; if those have been dropped, a copy again.
package final class LiveMapState: Sendable {
  /// The limits on what is kept.
  package struct Limits {
    /// Changes kept for pages that follow.
    package var changes = 2048
    /// Alerts and suppressed enters shown when a page opens.
    package var alerts = 100
    package var suppressed = 50
    /// Devices shown.
    package var devices = 500
    /// Vertices per path with few devices, and with many.
    package var vertices = 1500
    package var crowdedVertices = 200
    /// Up to this many devices are few.
    package var fewDevices = 20

    /// Makes the defaults.
    package init() {}
  }

  /// Everything the map shows.
  package struct Contents {
    /// The number of the last change.
    package var sequence = 0
    package var devices: [String: DeviceTrace] = [:]
    package var alerts: [Event] = []
    package var suppressed: [Event] = []
    package var source = ""
    /// Number of positions from devices that are not shown.
    package var unshownFixes = 0
    /// Whether the session has ended.
    package var hasEnded = false
  }

  private struct State {
    var contents = Contents()
    /// The latest changes; the first has the number `firstSequence`.
    var changes: [MapChange] = []
    var firstSequence = 1
  }

  private let limits: Limits
  private let breaks: PathBreaks
  private let state = Mutex(State())
  private let onChange: @Sendable () -> Void

  /// - Parameters:
  ///   - limits: The limits on what is kept.
  ///   - breaks: When a path breaks.
  ///   - onChange: Called after each change; must return at once.
  package init(
    limits: Limits = Limits(), breaks: PathBreaks, onChange: @escaping @Sendable () -> Void
  ) {
    self.limits = limits
    self.breaks = breaks
    self.onChange = onChange
  }

  /// Records an update from the session.
  package func take(_ update: LiveUpdate) {
    state.withLock { state in
      switch update {
      case .position(let fix, let device): take(fix, device, Self.nowMilliseconds, &state)
      case .restored(let fix, let device): take(fix, device, nil, &state)
      case .event(let event): take(event, &state)
      case .monitored(let monitored, let device):
        guard makeRoom(for: device, &state) else { return }
        state.contents.devices[device ?? ""]?.monitored = monitored
        add(.monitored(device: device), &state)
      case .source(let sentence):
        state.contents.source = sentence
        add(.source(sentence), &state)
      }
    }
    onChange()
  }

  /// Everything the map shows now.
  package var contents: Contents { state.withLock { $0.contents } }

  /// The number of the last change.
  package var sequence: Int { state.withLock { $0.contents.sequence } }

  /// The changes after a sequence number, and the last one's number; nil if some have been dropped or
  /// the number was never issued.
  package func changes(after sequence: Int) -> (changes: ArraySlice<MapChange>, last: Int)? {
    state.withLock { state in
      guard sequence >= state.firstSequence - 1, sequence <= state.contents.sequence else {
        return nil
      }
      return (state.changes[(sequence - state.firstSequence + 1)...], state.contents.sequence)
    }
  }

  // MARK: Adding

  /// The time of the monotonic clock that the server has, too.
  private static var nowMilliseconds: Int64 {
    SystemTime.monotonicMilliseconds
  }

  private func take(
    _ fix: Fix, _ device: String?, _ receivedMilliseconds: Int64?, _ state: inout State
  ) {
    guard makeRoom(for: device, &state) else {
      state.contents.unshownFixes += 1
      return
    }
    let isJoined = state.contents.devices[device ?? ""]?.take(fix, breaks) ?? false
    state.contents.devices[device ?? ""]?.receivedMilliseconds = receivedMilliseconds
    add(.position(fix.coordinate, device: device, isJoined: isJoined), &state)
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
      // Each of several devices has a summary, but the session ends once.
      guard !state.contents.hasEnded else { return }
      state.contents.hasEnded = true
      return add(.source(state.contents.source), &state)
    // Refreshes and crossings also arrive as `.monitored`. A live session has no reminders.
    case .enter, .exit, .dwell, .refresh, .reminder: return
    }
    add(.event(event), &state)
  }

  private func trim(_ events: inout [Event], _ most: Int) {
    if events.count > most { events.removeFirst(events.count - most) }
  }

  private func add(_ change: MapChange, _ state: inout State) {
    state.contents.sequence += 1
    if let name = change.device {
      state.contents.devices[name]?.lastSequence = state.contents.sequence
    }
    state.changes.append(change)
    // Dropped in bulk, so that the cost per change is negligible.
    guard state.changes.count >= 2 * limits.changes else { return }
    state.changes.removeFirst(limits.changes)
    state.firstSequence += limits.changes
  }

  /// Whether a device is shown; a new one replaces a device that has long been silent.
  private func makeRoom(for device: String?, _ state: inout State) -> Bool {
    let name = device ?? ""
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
