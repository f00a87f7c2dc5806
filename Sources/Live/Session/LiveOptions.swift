public import FencepostTracks
public import Fencepost
import FencepostFixes
import FencepostMonitoring
public import FencepostNotifications
public import FencepostReporting

/// How a live session runs.
public struct LiveOptions: Sendable {
  /// The form of the lines on standard output.
  public enum Form: Sendable {
    /// One JSON object a line.
    case ndjson
    /// Comma-separated values.
    case csv
    /// A table for people, with times of a zone's clock.
    case text(TextLayout, ClockZone = .utc)
  }

  /// A destination of events besides the output.
  public enum Sink: Sendable {
    /// A program with its arguments, which runs for each event.
    case exec([String], timeoutMilliseconds: Int)
    /// An address that each event is posted to.
    case webhook(String, timeoutMilliseconds: Int)
    /// Desktop notifications.
    case notify
    /// A topic of a message broker, which keeps the last event if it is to be retained; Home Assistant finds
    /// it if it looks under a prefix.
    case mqtt(MQTTPlace, isRetained: Bool, discoveryPrefix: String?)
  }

  /// Name of the track in every event.
  public var track: String
  /// The rules of the session.
  public var session = TrackSession.Options()
  /// The file of the places, by which a state recognises another; empty if unknown.
  public var placesName = ""
  /// How bytes become fixes.
  public var fixes = FixStream.Options()
  /// The member of each JSON line that names the device; nil for a stream of one device.
  public var deviceField: String?
  /// Where the fixes come from.
  public var address: LiveAddress
  /// The source's name in messages.
  public var addressName: String
  /// The speed of a serial line.
  public var baud = BaudRate.auto
  /// How long the source may be silent before it is reopened, in milliseconds; nil for no limit.
  public var idleTimeoutMilliseconds: Int?
  /// The file that keeps the raw input, with the day before its extension; nil for none.
  public var logPath: String?
  /// The form of the lines on standard output.
  public var form = Form.ndjson
  /// The events that go to standard output.
  public var selection = EventSelection.standard
  /// The output's descriptor, and its name in messages.
  public var output: (descriptor: Int32, name: String) = (1, "standard output")
  /// The sinks besides the output.
  public var sinks: [Sink] = []
  /// The events that go to these sinks.
  public var deliveredSelection: EventSelection = .alert
  /// How many deliveries wait for a sink before the oldest is dropped.
  public var sinkCapacity = 10_000
  /// How long a sink is retried with an event before it is given up, in milliseconds; nil for no limit.
  public var sinkDeadlineMilliseconds: Int64? = 86_400_000
  /// How long a session whose source has ended waits for its sinks, in milliseconds.
  public var sinkGraceMilliseconds: Int64 = 30_000
  /// How many lines wait for the output before the oldest is dropped.
  public var outputCapacity = 100_000

  /// Makes the default options.
  ///
  /// - Parameters:
  ///   - address: Where the fixes come from.
  ///   - addressName: The source's name in messages and of the track; ignored for standard input.
  public init(address: LiveAddress, addressName: String) {
    self.address = address
    self.addressName = address == .standardInput ? "standard input" : addressName
    track = address == .standardInput ? "stdin" : addressName
  }

  /// Whether the input consists of posted fixes, whose senders learn of refusals.
  var isIntake: Bool { if case .intake = address { true } else { false } }

  /// Whether input in no known format is skipped line by line, instead of ending the session.
  var skipsForeignLines: Bool { address != .standardInput }

  /// What the rule adds where crossings are not reported where they happen; empty where they are, so that
  /// states of older versions still fit.
  private var stages: String {
    let rule = session.monitoring
    let confirmation = rule.confirmation
    var words: [String] = []
    if confirmation.holdMilliseconds > 0 { words.append("hold \(confirmation.holdMilliseconds)") }
    if let fixes = confirmation.fixes { words.append("fixes \(fixes)") }
    if let dwell = confirmation.dwellMilliseconds { words.append("dwell \(dwell)") }
    if rule.test != .path { words.append("test \(rule.test.rawValue)") }
    if rule.accuracy != .ignore { words.append("accuracy \(rule.accuracy.rawValue)") }
    if rule.trustsAccuracy { words.append("trusts accuracy") }
    return words.map { ", \($0)" }.joined()
  }

  /// The engine's rule in words, by which a state is recognised as made under the same rule.
  var rule: String {
    let rule = session.monitoring
    return [
      "limit \(rule.limit.map(String.init) ?? "none")",
      "significant change \(rule.significantChangeMeters)", "rank \(rule.rank.rawValue)",
      "refresh \(rule.refresh.rawValue)", "exit margin \(rule.exitMarginMeters)",
      "tripwire \(rule.hasTripwire)", "floor \(rule.refreshFloorMeters)",
      "device \(deviceField ?? "none")",
    ].joined(separator: ", ") + stages
  }
}
