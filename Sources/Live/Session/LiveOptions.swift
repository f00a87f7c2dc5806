package import Fencepost
package import FencepostFixes
package import FencepostMonitoring
package import FencepostNotifications
package import FencepostReporting
package import FencepostTracks

/// How a live session runs.
package struct LiveOptions: Sendable {
  /// The form of the lines on standard output.
  package enum Form: Sendable {
    /// One JSON object a line.
    case ndjson
    /// Comma-separated values.
    case csv
    /// A table for people, with times of a zone's clock.
    case text(TextLayout, ClockZone = .utc)
  }

  /// A destination of events besides the output.
  package enum Sink: Sendable {
    /// A program with its arguments, which runs for each event.
    case exec([String], timeoutMilliseconds: Int)
    /// An address that each event is posted to.
    case webhook(String, timeoutMilliseconds: Int)
    /// Desktop notifications.
    case notify
    /// A topic of a message broker, which keeps the last event if it is to be retained; Home
    /// Assistant finds it if it looks under a prefix.
    case mqtt(MQTTPlace, isRetained: Bool, discoveryPrefix: String?)
  }

  /// Name of the track in every event.
  package var track: String
  /// The rules of the session.
  package var session = TrackSession.Options()
  /// The file of the places, by which a state recognises another; empty if unknown.
  package var placesName = ""
  /// How bytes become fixes.
  package var fixes = FixStream.Options()
  /// The member of each JSON line that names the device; nil for a stream of one device.
  package var deviceField: String?
  /// Where the fixes come from.
  package var address: LiveAddress
  /// The source's name in messages.
  package var addressName: String
  /// The speed of a serial line.
  package var baud = BaudRate.auto
  /// How long the source may be silent before it is reopened, in milliseconds; nil for no limit.
  package var idleTimeoutMilliseconds: Int?
  /// The file that keeps the raw input, with the day before its extension; nil for none.
  package var logPath: String?
  /// The form of the lines on standard output.
  package var form = Form.ndjson
  /// The events that go to standard output.
  package var selection = EventSelection.standard
  /// The output's descriptor, and its name in messages.
  package var output: (descriptor: Int32, name: String) = (1, "standard output")
  /// The sinks besides the output.
  package var sinks: [Sink] = []
  /// The events that go to these sinks.
  package var deliveredSelection: EventSelection = .alert
  /// How many deliveries wait for a sink before the oldest is dropped.
  package var sinkCapacity = 10_000
  /// How long a sink is retried with an event before it is given up, in milliseconds; nil for no
  /// limit.
  package var sinkDeadlineMilliseconds: Int64? = 86_400_000
  /// How long a session whose source has ended waits for its sinks, in milliseconds.
  package var sinkGraceMilliseconds: Int64 = 30_000
  /// How many lines wait for the output before the oldest is dropped.
  package var outputCapacity = 100_000

  /// Makes the default options.
  ///
  /// - Parameters:
  ///   - address: Where the fixes come from.
  ///   - addressName: The source's name in messages and of the track; ignored for standard input.
  package init(address: LiveAddress, addressName: String) {
    self.address = address
    self.addressName = address == .standardInput ? "standard input" : addressName
    track = address == .standardInput ? "stdin" : addressName
  }

  /// Whether the input consists of posted fixes, whose senders learn of refusals.
  var isIntake: Bool { if case .intake = address { true } else { false } }

  /// Whether input in no known format is skipped line by line, instead of ending the session.
  var skipsForeignLines: Bool { address != .standardInput }
}

/// Receives updates about a live session, for a map or the like.
///
/// Called on the session's thread between fixes: it must return at once and leave longer work to
/// another thread, which must not share the session's `PlaceReader`.
package typealias LiveObserver = @Sendable (LiveUpdate) -> Void

/// An update about a live session; updates come in the order of the events.
///
/// The device is nil in a stream of one device.
package enum LiveUpdate: Sendable {
  /// The monitored regions, ascending by key, and whether the device is inside them.
  package typealias Monitored = [(region: Region, isInside: Bool)]

  /// A fix was accepted; its events follow.
  case position(Fix, device: String?)
  /// Where a device was when the session stopped, told at its restart.
  case restored(Fix, device: String?)
  /// An event, as in a report.
  case event(Event)
  /// A device's monitored set has changed.
  case monitored(Monitored, device: String?)
  /// The source's state has changed: a sentence such as `connected to gpsd://localhost:2947`.
  case source(String)
}
