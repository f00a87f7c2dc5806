public import Fencepost
public import Fixes
import Monitoring
public import Reporting

/// How a live session runs.
public struct LiveOptions: Sendable {
  /// The form of the lines on standard output.
  public enum Form: Sendable {
    /// One JSON object a line.
    case ndjson
    /// Comma-separated values.
    case csv
    /// A table for people.
    case text(TextLayout)
  }

  /// A place that events go to besides standard output.
  public enum Sink: Sendable {
    /// A program with its arguments, run for each event.
    case exec([String], timeoutMilliseconds: Int)
    /// An address that each event is posted to.
    case webhook(String, timeoutMilliseconds: Int)
    /// The desktop.
    case notify
  }

  /// Name of the track in every event.
  public var track: String
  /// The rules of the session.
  public var session = TrackSession.Options()
  /// How bytes become fixes.
  public var fixes = FixStream.Options()
  /// The member of each JSON line that names the device; nil for a stream of one device.
  public var deviceField: String?
  /// Where the fixes come from.
  public var address: LiveAddress
  /// What the user calls that.
  public var addressName: String
  /// The speed of a serial line.
  public var baud = BaudRate.auto
  /// How long the source may be silent before it is opened again, in milliseconds; nil for ever.
  public var idleTimeoutMilliseconds: Int?
  /// The form of the lines on standard output.
  public var form = Form.ndjson
  /// The events that go to standard output.
  public var selection = EventSelection.standard
  /// The descriptor that stands for standard output, and what messages call it.
  public var output: (descriptor: Int32, name: String) = (1, "standard output")
  /// Where else events go.
  public var sinks: [Sink] = []
  /// The events that go there.
  public var deliveredSelection: EventSelection = .alert
  /// How many deliveries wait before a sink until the oldest is dropped.
  public var sinkCapacity = 10_000
  /// How long an event is owed to a webhook before it is given up, in milliseconds; nil for ever.
  public var sinkDeadlineMilliseconds: Int64? = 86_400_000
  /// How long a session whose source has ended waits for what its sinks are owed, in milliseconds.
  public var sinkGraceMilliseconds: Int64 = 30_000
  /// How many lines wait before standard output until the oldest is dropped.
  public var outputCapacity = 100_000

  /// Makes the defaults.
  ///
  /// - Parameters:
  ///   - address: Where the fixes come from.
  ///   - addressName: What the user calls that; also the track's name, but for standard input.
  public init(address: LiveAddress, addressName: String) {
    self.address = address
    self.addressName = address == .standardInput ? "standard input" : addressName
    track = address == .standardInput ? "stdin" : addressName
  }

  /// The engine's rule in words, by which a state knows whether it was made under the same.
  var rule: String {
    let rule = session.monitoring
    return [
      "limit \(rule.limit.map(String.init) ?? "none")",
      "significant change \(rule.significantChangeMeters)", "rank \(rule.rank.rawValue)",
      "refresh \(rule.refresh.rawValue)", "exit margin \(rule.exitMarginMeters)",
      "tripwire \(rule.hasTripwire)", "floor \(rule.refreshFloorMeters)",
      "device \(deviceField ?? "none")",
    ].joined(separator: ", ")
  }
}
