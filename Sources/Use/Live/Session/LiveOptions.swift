#if Command
package import FencepostSession
package import FencepostFixes
package import FencepostMonitoring
package import FencepostNotifications
package import FencepostPlaces
package import FencepostReporting
package import FencepostTracks
import Glibc
import Synchronization

/// The settings of a live session: where fixes come from, the rules, and where events go.
///
/// The command fills them in before the session begins. Only the rules and the places may change
/// while it runs, by a ``LiveReload``.
package struct LiveOptions: Sendable {
  /// How events are written to the output.
  ///
  /// Sinks other than the output always get NDJSON.
  package enum Form: Sendable {
    /// One JSON object a line.
    case ndjson
    /// A table, with a header at its beginning.
    case csv
    /// Lines for people, with this layout.
    case text(TextLayout)
  }

  /// A destination of events besides the output.
  ///
  /// Each has a queue and a thread of its own, so a slow one delays neither the session nor the
  /// others.
  package enum Sink: Sendable {
    /// A program with its arguments, which runs once for each event and gets it as its input.
    case exec([String], timeoutMilliseconds: Int)
    /// A URL that gets each event as the body of a `POST` request.
    case webhook(String, timeoutMilliseconds: Int)
    /// A notification on this computer's desktop.
    case notify
    /// A broker's topic, retained or not, with Home Assistant's discovery prefix if any.
    case mqtt(MQTTPlace, isRetained: Bool, discoveryPrefix: String?)
  }

  /// The name of the track in events; devices have their own names instead.
  package var track: String
  /// The rules of monitoring and alerts.
  package var session = TrackSessionOptions()
  /// The file of the places, by which a state notices a change; empty if unknown.
  package var placesName = ""
  /// Reminders that share each device's slots with the places; nil to follow places alone.
  package var reminders: ReminderWatchOptions?
  /// The reminders and their rules in a sentence, by which a state notices a change.
  package var remindersText = "none"
  /// How fixes are decoded and filtered.
  package var fixes = FixStreamOptions()
  /// The member of each JSON line that names the device; nil for a stream of one device.
  package var deviceField: String?
  /// How many devices to follow; with more, one gives way by the rule of ``DeviceRoster``.
  package var deviceCapacity = 10_000
  /// Where fixes come from.
  package var address: LiveAddress
  /// The source as the user wrote it, for messages.
  package var addressName: String
  /// The speed of a serial line; other sources ignore it.
  package var baud = BaudRate.auto
  /// How long the source may be silent before it is reopened, in milliseconds; nil for no limit.
  package var idleTimeoutMilliseconds: Int?
  /// How events are written to the output.
  package var form = Form.ndjson
  /// The clock of times in text and messages; records are in UTC.
  package var zone = ClockZone.utc
  /// The kinds of events that the output gets.
  package var selection = EventSelection.standard
  /// Where events are written.
  package var output = LiveOutput()
  /// The destinations besides the output; empty for none.
  package var sinks: [Sink] = []
  /// The kinds of events that the sinks get.
  package var deliveredSelection: EventSelection = .alert
  /// How many deliveries may wait for a sink before the oldest is dropped.
  package var sinkCapacity = 10_000
  /// How long to retry a delivery, in milliseconds; nil for no limit.
  package var sinkDeadlineMilliseconds: Int64? = 86_400_000
  /// How long a session waits for its sinks after its source has ended, in milliseconds.
  package var sinkGraceMilliseconds: Int64 = 30_000
  /// How many lines may wait for the output before the oldest is dropped.
  package var outputCapacity = 100_000
  /// Counts what the session does.
  package var metrics = LiveMetrics()

  /// Creates the default options; `addressName` is ignored for standard input.
  package init(address: LiveAddress, addressName: String) {
    self.address = address
    self.addressName = address == .standardInput ? "standard input" : addressName
    track = address == .standardInput ? "stdin" : addressName
  }

  var isIntake: Bool { if case .intake = address { true } else { false } }

  /// Whether to skip input in an unknown format line by line, rather than end the session.
  var skipsForeignLines: Bool { address != .standardInput }
}

/// Receives updates about a live session, for example for a map.
///
/// Called on the session's thread between fixes. Return at once and leave longer work to another
/// thread, which must not share the session's `PlaceReader`.
package typealias LiveObserver = @Sendable (LiveUpdate) -> Void

/// An update about a live session, in the order of the events.
///
/// The device is nil in a stream of one device.
package enum LiveUpdate: Sendable {
  /// The monitored regions, ascending by key, and whether the device is inside each.
  package typealias Monitored = [(region: Region, isInside: Bool)]

  /// The next accepted fix of a device, before the events on it.
  case position(Fix, device: String?)
  /// Where a device was when an earlier session stopped, reported after the restart.
  case restored(Fix, device: String?)
  /// An event, or the summary at the end.
  case event(Event)
  /// The watched circles of a device, after each lookup and each event.
  case monitored(Monitored, device: String?)
  /// The places now come from this store.
  case places(PlaceStore)
  /// The source's state has changed: a sentence such as `connected to gpsd://localhost:2947`.
  case source(String)
}

/// Lets other threads, such as those of signals and of the map, ask a live session to stop or to
/// reload.
///
/// The session looks at the requests between two reads.
package final class LiveControl: Sendable {
  /// What the lock protects: what others ask of the session, and what it tells them.
  private struct Requests {
    var isStopped = false
    var reload: LiveReload?
    var isOutputClosed = false
    var outputFailure: String?
    var faults = ["the session has not begun"]
  }

  private let requests = Mutex(Requests())
  private let links = Mutex<[@Sendable () -> String?]>([])
  private let waker = Waker()

  /// Creates the control of a session that has not begun.
  package init() {}

  /// Ends the session within half a second; the state keeps what the sinks have not taken.
  package func stop() {
    requests.withLock { $0.isStopped = true }
    waker.signal()
  }

  /// Queries the store again at once, for example after an edit, with other rules if there are any.
  package func reload(_ reload: LiveReload) {
    requests.withLock { $0.reload = reload }
    waker.signal()
  }

  /// What the session cannot do at the moment, in a few words each; empty if it is ready.
  package var faults: [String] {
    let links = links.withLock { $0 }
    return requests.withLock { $0.faults } + links.compactMap { $0() }
  }

  /// Adds the fault of a connection that another thread keeps; it is nil while all is well.
  package func watch(_ fault: @escaping @Sendable () -> String?) {
    links.withLock { $0.append(fault) }
  }

  /// Ends the session because the output is closed; without a reason, the reader closed its pipe.
  func closeOutput(_ failure: String?) {
    requests.withLock {
      $0.isOutputClosed = true
      $0.outputFailure = failure
    }
    waker.signal()
  }

  // MARK: For the session

  var isStopped: Bool { requests.withLock { $0.isStopped } }

  var mustEnd: Bool { requests.withLock { $0.isStopped || $0.isOutputClosed } }

  /// Whether the reader closed its pipe, as `head` does.
  var hasReaderLeft: Bool { requests.withLock { $0.isOutputClosed && $0.outputFailure == nil } }

  var ending: LiveRunner.Ending {
    requests.withLock {
      if let failure = $0.outputFailure { return .failed(failure) }
      return $0.isStopped ? .stopped : .finished
    }
  }

  func setFaults(_ faults: [String]) { requests.withLock { $0.faults = faults } }

  func takeReload() -> LiveReload? { requests.withLock { $0.reload.take() } }

  /// Waits for a descriptor, a request or a timeout (−1 for none); true if the descriptor is ready.
  func wait(for request: (descriptor: Int32, events: Int16)?, milliseconds: Int64) -> Bool {
    var requests = [
      pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: request?.descriptor ?? -1, events: request?.events ?? 0, revents: 0),
    ]
    // The count matches the array.
    _ = unsafe poll(&requests, 2, Int32(clamping: milliseconds))
    if requests[0].revents != 0 { waker.clear() }
    return requests[1].revents != 0
  }
}
#endif
