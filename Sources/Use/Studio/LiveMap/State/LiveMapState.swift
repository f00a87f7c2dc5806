#if Command
import FencepostAnalysis
package import FencepostSession
import FencepostFixes
package import FencepostGeodesy
package import FencepostLive
import FencepostMonitoring
import Synchronization

/// A change that pages which are open must hear of.
///
/// Changes are numbered in the order of the session. A page that has missed some loads everything
/// again.
package enum MapChange {
  /// A device moved; `isJoined` if its path continues from where it was.
  case position(Coordinate, device: String?, isJoined: Bool)
  /// An alert, or an entry that was held back.
  case event(Event)
  /// Other circles are watched, or the device entered or left one.
  case monitored(device: String?)
  /// The state of the source, in a sentence; also sent when the session ends.
  case source(String)

  /// The name of the device, empty in a stream of one; nil for the source, which concerns all.
  var device: String? {
    switch self {
    case .position(_, let device, _), .monitored(let device): device ?? ""
    case .event(let event): event.device ?? ""
    case .source: nil
    }
  }
}

extension Event {
  /// The device in the stream; nil if the stream has only one.
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

/// What the map shows and its latest changes, shared by the session's and the server's threads.
///
/// The session only appends, which takes less than a microsecond and never waits for a browser. A
/// reader takes a copy, or the changes since a sequence number if none were dropped.
package final class LiveMapState: Sendable {
  /// How much the map keeps, so that its memory is bounded.
  ///
  /// Further devices are not shown, and their positions are only counted. A new device replaces one
  /// that has long been silent.
  package struct Limits {
    /// Changes kept for pages that follow.
    package var changes = 2048
    /// Alerts and suppressed entries to show when a page opens.
    package var alerts = 100
    /// Suppressed entries to show when a page opens.
    package var suppressed = 50
    /// Devices shown at a time.
    package var devices = 500
    /// Vertices per path, with few devices.
    package var vertices = 1500
    /// Vertices per path of a device that comes when there are many.
    package var crowdedVertices = 200
    /// The greatest number of devices that count as few.
    package var fewDevices = 20

    /// Creates the usual limits.
    package init() {}
  }

  /// Everything that a page needs when it opens.
  ///
  /// It is a copy, which does not change while an answer is written.
  package struct Contents {
    /// The number of the last change.
    package var sequence = 0
    /// The devices that are shown, by name; a stream of one device has the empty name.
    package var devices: [String: DeviceTrace] = [:]
    /// The latest alerts, oldest first.
    package var alerts: [Event] = []
    /// The latest entries that were held back, oldest first.
    package var suppressed: [Event] = []
    /// The state of the source as a sentence; empty before the first.
    package var source = ""
    /// The number of positions from devices that are not shown.
    package var unshownFixes = 0
    /// Whether the session has ended, so that nothing more changes.
    package var hasEnded = false
  }

  /// What the lock protects.
  private struct State {
    var contents = Contents()
    /// The latest changes, numbered from `firstSequence`.
    var changes: [MapChange] = []
    var firstSequence = 1
  }

  private let limits: Limits
  private let breaks: PathBreaks
  private let state = Mutex(State())
  private let onChange: @Sendable () -> Void

  /// Creates an empty state; `onChange` is called after each change and must return at once.
  package init(
    limits: Limits = Limits(), breaks: PathBreaks, onChange: @escaping @Sendable () -> Void
  ) {
    self.limits = limits
    self.breaks = breaks
    self.onChange = onChange
  }

  /// Takes over what the session has just done.
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
      case .places: break
      }
    }
    onChange()
  }

  /// A copy of everything that the map shows now.
  package var contents: Contents { state.withLock { $0.contents } }

  /// The number of the last change; 0 before any.
  package var sequence: Int { state.withLock { $0.contents.sequence } }

  /// The changes after a sequence number, and the last number; nil if some were dropped.
  package func changes(after sequence: Int) -> (changes: ArraySlice<MapChange>, last: Int)? {
    state.withLock { state in
      guard sequence >= state.firstSequence - 1, sequence <= state.contents.sequence else {
        return nil
      }
      return (state.changes[(sequence - state.firstSequence + 1)...], state.contents.sequence)
    }
  }

  // MARK: Adding

  /// The same monotonic clock that the server uses.
  private static var nowMilliseconds: Int64 {
    SystemTime.monotonicMilliseconds
  }

  /// Adds a position, unless there is no room for its device.
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

  /// Counts an event; only alerts, held back entries and the end are changes of their own.
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
      // Each device has a summary, but the session ends only once.
      guard !state.contents.hasEnded else { return }
      state.contents.hasEnded = true
      return add(.source(state.contents.source), &state)
    // Refreshes and crossings also arrive as `.monitored`.
    case .enter, .exit, .dwell, .refresh, .reminder: return
    }
    add(.event(event), &state)
  }

  private func trim(_ events: inout [Event], _ most: Int) {
    if events.count > most { events.removeFirst(events.count - most) }
  }

  /// Numbers a change and keeps it for open pages.
  private func add(_ change: MapChange, _ state: inout State) {
    state.contents.sequence += 1
    if let name = change.device {
      state.contents.devices[name]?.lastSequence = state.contents.sequence
    }
    state.changes.append(change)
    // Drop changes in bulk, so that the cost per change is negligible.
    guard state.changes.count >= 2 * limits.changes else { return }
    state.changes.removeFirst(limits.changes)
    state.firstSequence += limits.changes
  }

  /// Whether to show a device; a new one replaces a device that has long been silent.
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
#endif
