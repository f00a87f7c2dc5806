#if Command
import FencepostSession
import FencepostFormats
import FencepostGeodesy
import FencepostReporting
import FencepostTime
package import FoundationEssentials
import Logging

/// Turns events into deliveries and queues them for the sinks.
///
/// A delivery is in the state before its sink sees it, and leaves the state when the sink has it.
/// So none is lost.
final class LiveOutlet {
  private let options: LiveOptions
  private let control: LiveControl
  private let log: Logger
  private let queues: [SinkQueue]
  private let brokers: [MQTTSink]
  private var writer: any EventWriter
  private let lineWriter = NDJSONWriter()
  /// What a table begins with; empty in other forms.
  private let header: Data
  private var buffer = OutputBuffer()
  /// The number of the next delivery, over all sinks and restarts.
  private(set) var nextSequence = 0
  /// The ``runMilliseconds`` that a monotonic clock's zero would be.
  private var runOrigin = -SystemTime.monotonicMilliseconds

  /// Starts the sinks, which remove from the state what they have delivered.
  init(
    options: LiveOptions, state: LiveState?, instance: String, control: LiveControl,
    log: Logger
  ) {
    self.options = options
    self.control = control
    self.log = log
    writer =
      switch options.form {
      case .ndjson: NDJSONWriter()
      case .csv: CSVWriter(selection: options.selection, hasCrossed: options.session.showsCrossed)
      case .text(let layout): TextWriter(layout: layout, zone: options.zone, writesAtOnce: true)
      }
    func queue(
      _ kind: LiveSinkKind, _ rule: DeliverySchedule.Rule,
      _ deliver: @escaping SinkQueue.Hooks.Deliver
    ) -> SinkQueue {
      let hooks = SinkQueue.Hooks(
        onSettled: { sequences in
          // If this fails, deliveries repeat after a restart; ``LiveJournal`` reports the file.
          try? state?.remove(sequences, of: kind)
        },
        say: { log.warning("\($0)", metadata: ["sink": "\(kind.rawValue)"]) },
        onClosed: { control.closeOutput($0) }, deliver: deliver)
      return SinkQueue(
        kind: kind, rule: rule, zone: options.zone, metrics: options.metrics.sink(kind),
        hooks: hooks)
    }
    let output = options.output
    writer.begin(&buffer)
    header = Data(buffer.text.utf8)
    buffer.removeAll()
    if output.setHeader([UInt8](header)) {
      log.warning(
        "\(output.name) has other columns than these options write. Use another file, or the old options."
      )
    }
    let rule = DeliverySchedule.Rule(
      capacity: options.sinkCapacity, deadlineMilliseconds: options.sinkDeadlineMilliseconds)
    var brokers: [MQTTSink] = []
    queues =
      [
        queue(.output, DeliverySchedule.Rule(capacity: options.outputCapacity)) {
          output.write($0.line, unless: $1)
        }
      ]
      + options.sinks.map { sink in
        switch sink {
        case .exec(let arguments, let timeout):
          let exec = ExecSink(arguments: arguments, timeoutMilliseconds: timeout)
          return queue(.exec, rule, exec.deliver)
        case .webhook(let url, let timeout):
          let hook = WebhookSink(url: url, instance: instance, timeoutMilliseconds: timeout)
          return queue(.webhook, rule, hook.deliver)
        case .notify: return queue(.notify, rule, NotifySink().deliver)
        case .mqtt(let place, let isRetained, let prefix):
          let broker = MQTTSink(place, isRetained: isRetained, discoveryPrefix: prefix) {
            log.notice("\($0)", metadata: ["sink": "mqtt"])
          }
          brokers.append(broker)
          control.watch { broker.fault }
          return queue(.mqtt, rule, broker.deliver)
        }
      }
    self.brokers = brokers
  }

  var kinds: [LiveSinkKind] { queues.map(\.kind) }

  var owed: [OwedDelivery] { queues.flatMap(\.owed) }

  // MARK: Deliveries

  /// How long the session has run, with the earlier ones that it continues.
  ///
  /// Deliveries age by it: no clock that is corrected and no time while the machine is off counts.
  var runMilliseconds: Int64 { runOrigin + SystemTime.monotonicMilliseconds }

  /// Continues an earlier session that ran for so long, and queues its owed deliveries.
  func begin(nextSequence: Int, owed: [OwedDelivery], runMilliseconds: Int64) {
    runOrigin += runMilliseconds
    self.nextSequence = max(nextSequence, (owed.last?.sequence ?? -1) + 1)
    send(owed)
  }

  /// Begins the output of a session that continues no other.
  func beginOutput() {
    guard !header.isEmpty else { return }
    // A file shows itself whether it needs the header.
    send([delivery(to: .output, line: options.output.isAppended ? Data() : header)])
  }

  func prepare(_ events: [Event]) -> [OwedDelivery] {
    var deliveries: [OwedDelivery] = []
    for event in events {
      if options.selection.includes(event) { deliveries.append(outputDelivery(of: event)) }
      guard options.deliveredSelection.includes(event) else { continue }
      for queue in queues where queue.kind != .output {
        lineWriter.write(event, to: &buffer)
        deliveries.append(delivery(to: queue.kind, fields: event.fields))
      }
    }
    return deliveries
  }

  func send(_ deliveries: [OwedDelivery]) {
    guard !deliveries.isEmpty else { return }
    for queue in queues {
      let own = deliveries.filter { $0.sink == queue.kind }
      if !own.isEmpty { queue.enqueue(own, runMilliseconds: runMilliseconds) }
    }
  }

  /// Writes events that the state does not keep: the summaries at the end.
  func sendUnrecorded(_ events: [Event]) {
    send(events.filter(options.selection.includes).map(outputDelivery))
  }

  private func outputDelivery(of event: Event) -> OwedDelivery {
    writer.write(event, to: &buffer)
    return delivery(to: .output)
  }

  /// Creates a delivery from the buffer's contents and empties the buffer.
  private func delivery(to sink: LiveSinkKind, fields: [String: String] = [:]) -> OwedDelivery {
    defer { buffer.removeAll() }
    return delivery(to: sink, line: Data(buffer.text.utf8), fields: fields)
  }

  private func delivery(
    to sink: LiveSinkKind, line: Data, fields: [String: String] = [:]
  ) -> OwedDelivery {
    defer { nextSequence += 1 }
    return OwedDelivery(
      sequence: nextSequence, sink: sink, line: line, fields: fields,
      runMilliseconds: sink == .output ? nil : runMilliseconds)
  }

  // MARK: The end

  /// Waits for the sinks, only half a second if stopped; returns a sentence for each sink's losses.
  func end(isStateKept: Bool) -> [String] {
    let isHurried = control.isStopped
    let limit = isHurried ? 500 : options.sinkGraceMilliseconds
    let deadline = SystemTime.monotonicMilliseconds + limit
    var losses: [String] = []
    for queue in queues {
      let left = queue.end(
        withinMilliseconds: Int(clamping: max(0, deadline - SystemTime.monotonicMilliseconds)),
        unless: { control.isStopped && !isHurried })
      // A reader may close its pipe at any time, as `head` does.
      if queue.kind == .output, control.hasReaderLeft { continue }
      if left > 0, isStateKept {
        log.notice("\(queue.kind.rawValue): \(left) not delivered yet, but kept in the state file")
      }
      if let sentence = queue.losses.sentence(undeliveredCount: isStateKept ? 0 : left) {
        losses.append(sentence)
      }
    }
    for broker in brokers { broker.end() }
    return losses
  }
}

/// An event that a sink has not accepted yet.
///
/// It is saved before it is first tried and removed after the sink has taken it, so a restart
/// delivers what is left. One event makes a delivery for each sink that wants it.
package struct OwedDelivery: Codable, Equatable, Sendable {
  /// Its number, ascending within a state.
  package var sequence: Int
  /// The sink that must take it.
  package var sink: LiveSinkKind
  /// The event as the sink gets it, with a line end; empty to write only what precedes an event.
  package var line: Data
  /// The event's values by name, for programs and notifications; empty for the output.
  package var fields: [String: String]
  /// How long the session had run when the event happened; nil for the output.
  package var runMilliseconds: Int64?

  /// Creates a delivery; those for the output need neither fields nor a time.
  package init(
    sequence: Int, sink: LiveSinkKind, line: Data, fields: [String: String],
    runMilliseconds: Int64? = nil
  ) {
    self.sequence = sequence
    self.sink = sink
    self.line = line
    self.fields = fields
    self.runMilliseconds = runMilliseconds
  }
}

/// The kinds of destinations of events; the raw value is the name in the state and in messages.
///
/// A session has at most one queue for each kind.
package enum LiveSinkKind: String, Codable, CaseIterable, Sendable {
  /// The standard output, or the file named in its place.
  case output
  /// A program that runs for each event.
  case exec
  /// A URL that events are posted to.
  case webhook
  /// The desktop's notifications.
  case notify
  /// A broker's topic.
  case mqtt
}

extension Event {
  /// The event's values by name, which `--exec` passes as environment variables.
  var fields: [String: String] {
    switch self {
    case .enter(let encounter): encounter.fields("enter")
    case .exit(let encounter): encounter.fields("exit")
    case .dwell(let encounter): encounter.fields("dwell")
    case .alert(let encounter, _): encounter.fields("alert")
    case .suppressed(let encounter, let reason):
      encounter.fields("suppressed").merging(["REASON": reason]) { $1 }
    case .reminder(let encounter, let edge):
      encounter.fields("reminder").merging(["EDGE": edge.rawValue]) { $1 }
    case .refresh(let refresh):
      [
        "TYPE": "refresh", "TRACK": refresh.track, "DEVICE": refresh.device ?? "",
        "TIME": refresh.timeMilliseconds.map { ISO8601.string(milliseconds: $0) } ?? "",
        "LAT": "\(refresh.coordinate.latitudeDegrees)",
        "LON": "\(refresh.coordinate.longitudeDegrees)", "MONITORED": "\(refresh.monitored)",
      ]
    case .summary(let summary): ["TYPE": "summary", "TRACK": summary.track]
    }
  }
}

extension Encounter {
  fileprivate func fields(_ type: String) -> [String: String] {
    let crossed = crossed?.timeMilliseconds.map { ["CROSSED": ISO8601.string(milliseconds: $0)] }
    return [
      "TYPE": type, "TRACK": track, "DEVICE": device ?? "",
      "TIME": timeMilliseconds.map { ISO8601.string(milliseconds: $0) } ?? "",
      "LAT": "\(coordinate.latitudeDegrees)", "LON": "\(coordinate.longitudeDegrees)",
      "PLACE": placeID, "TITLE": title, "DISTANCE": "\(distanceMeters)", "URL": url,
      "BLURB": blurb, "CATEGORY": category,
    ].merging(crossed ?? [:]) { $1 }
  }
}
#endif
