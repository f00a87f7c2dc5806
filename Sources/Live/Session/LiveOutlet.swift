import Fencepost
import FencepostFormats
import Foundation
import FencepostReporting

/// Turns events into deliveries and queues them for the sinks.
final class LiveOutlet {
  private enum Writer {
    case ndjson(NDJSONWriter)
    case csv(CSVWriter)
    case text(TextWriter)
  }

  private let options: LiveOptions
  private let control: LiveControl
  private let say: @Sendable (String) -> Void
  private let queues: [SinkQueue]
  private let brokers: [MQTTSink]
  private var writer: Writer
  private var buffer = OutputBuffer()
  private let lineWriter = NDJSONWriter()
  /// The number of the next delivery.
  private(set) var nextSequence = 0

  private static var hurriedMilliseconds: Int64 { 500 }

  /// Starts the sinks.
  ///
  /// - Parameters:
  ///   - options: The events of each sink and their form.
  ///   - state: The state file, if any, from which settled deliveries are removed.
  ///   - instance: Distinguishes the events of this state from those of any other.
  ///   - control: Notified when the output is closed.
  ///   - say: Called with sentences for the user.
  init(
    options: LiveOptions, state: LiveState?, instance: String, control: LiveControl,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.options = options
    self.control = control
    self.say = say
    writer =
      switch options.form {
      case .ndjson: .ndjson(NDJSONWriter())
      case .csv:
        .csv(
          CSVWriter(
            selection: options.selection, hasCrossed: options.session.showsCrossed))
      case .text(let layout, let zone): .text(TextWriter(layout: layout, zone: zone))
      }
    func queue(
      _ kind: LiveSinkKind, _ rule: DeliverySchedule.Rule, _ deliver: @escaping SinkQueue.Deliver
    ) -> SinkQueue {
      let hooks = SinkQueue.Hooks(
        onSettled: { sequences in
          // A delivery that cannot be removed repeats after a restart; ``LiveJournal`` reports the file.
          try? state?.remove(sequences, of: kind)
        },
        say: say, onClosed: { control.closeOutput($0) })
      return SinkQueue(kind: kind, rule: rule, hooks: hooks, deliver: deliver)
    }
    let output = OutputSink(descriptor: options.output.descriptor, name: options.output.name)
    let rule = DeliverySchedule.Rule(
      capacity: options.sinkCapacity, deadlineMilliseconds: options.sinkDeadlineMilliseconds)
    var queues = [
      queue(.output, DeliverySchedule.Rule(capacity: options.outputCapacity), output.deliver)
    ]
    var brokers: [MQTTSink] = []
    for sink in options.sinks {
      switch sink {
      case .exec(let arguments, let timeout):
        let exec = ExecSink(arguments: arguments, timeoutMilliseconds: timeout)
        queues.append(queue(.exec, rule, exec.deliver))
      case .webhook(let url, let timeout):
        let hook = WebhookSink(url: url, instance: instance, timeoutMilliseconds: timeout)
        queues.append(queue(.webhook, rule, hook.deliver))
      case .notify: queues.append(queue(.notify, rule, NotifySink().deliver))
      case .mqtt(let place, let isRetained, let prefix):
        let broker = MQTTSink(
          MQTTSink.Options(place: place, isRetained: isRetained, discoveryPrefix: prefix), say: say)
        brokers.append(broker)
        queues.append(queue(.mqtt, rule, broker.deliver))
      }
    }
    self.queues = queues
    self.brokers = brokers
  }

  /// The kinds of the sinks.
  var kinds: [LiveSinkKind] { queues.map(\.kind) }

  /// The deliveries that the sinks have not taken yet.
  var owed: [OwedDelivery] { queues.flatMap(\.owed) }

  // MARK: Deliveries

  /// Continues an earlier session and queues what it owed.
  func begin(nextSequence: Int, owed: [OwedDelivery]) {
    self.nextSequence = max(nextSequence, (owed.last?.sequence ?? -1) + 1)
    send(owed)
  }

  /// Writes the header of a table.
  func writeHeader() {
    guard case .csv(let writer) = writer else { return }
    writer.begin(&buffer)
    send([delivery(to: .output, fields: [:])])
  }

  /// Makes each sink's deliveries of these events.
  func prepare(_ events: [Event]) -> [OwedDelivery] {
    var deliveries: [OwedDelivery] = []
    for event in events {
      if options.selection.includes(event) {
        write(event)
        deliveries.append(delivery(to: .output, fields: [:]))
      }
      guard options.deliveredSelection.includes(event) else { continue }
      let fields = event.fields
      for queue in queues where queue.kind != .output {
        lineWriter.write(event, to: &buffer)
        deliveries.append(delivery(to: queue.kind, fields: fields))
      }
    }
    return deliveries
  }

  /// Queues deliveries for their sinks; returns at once.
  func send(_ deliveries: [OwedDelivery]) {
    guard !deliveries.isEmpty else { return }
    for queue in queues {
      let own = deliveries.filter { $0.sink == queue.kind }
      if !own.isEmpty { queue.enqueue(own) }
    }
  }

  /// Writes events that the state does not keep: the summaries at the end.
  func sendUnrecorded(_ events: [Event]) {
    for event in events where options.selection.includes(event) {
      write(event)
      send([delivery(to: .output, fields: [:])])
    }
  }

  private func write(_ event: Event) {
    switch writer {
    case .ndjson(let writer): writer.write(event, to: &buffer)
    case .csv(let writer): writer.write(event, to: &buffer)
    case .text(var text):
      text.write(event, to: &buffer)
      writer = .text(text)
    }
  }

  /// Makes a delivery of the buffer's contents, and empties the buffer.
  private func delivery(to sink: LiveSinkKind, fields: [String: String]) -> OwedDelivery {
    var line = Data()
    buffer.withBytes { bytes in
      line.reserveCapacity(bytes.count)
      for index in bytes.indices { line.append(bytes[index]) }
    }
    buffer.removeAll()
    defer { nextSequence += 1 }
    return OwedDelivery(
      sequence: nextSequence, sink: sink, line: line, fields: fields,
      owedSinceMilliseconds: sink == .output ? nil : SystemTime.epochMilliseconds)
  }

  // MARK: The end

  /// Waits for the sinks: half a second after ``LiveControl/stop()``, otherwise the grace period.
  ///
  /// - Parameter isStateKept: Whether the state keeps what is still owed.
  /// - Returns: What was lost, one sentence per sink.
  func end(isStateKept: Bool) -> [String] {
    let isHurried = control.isStopped
    let limit = isHurried ? Self.hurriedMilliseconds : options.sinkGraceMilliseconds
    let deadline = SystemTime.monotonicMilliseconds + limit
    var losses: [String] = []
    for queue in queues {
      let left = queue.end(
        withinMilliseconds: Int(clamping: max(0, deadline - SystemTime.monotonicMilliseconds)),
        unless: { control.isStopped && !isHurried })
      // A reader may close its pipe at any time, as `head` does.
      if queue.kind == .output, control.hasReaderLeft { continue }
      if left > 0, isStateKept {
        say("\(queue.kind.rawValue): \(left) not delivered yet; the state keeps what is owed")
      }
      if let sentence = queue.losses.sentence(undeliveredCount: isStateKept ? 0 : left) {
        losses.append(sentence)
      }
    }
    for broker in brokers { broker.end() }
    return losses
  }
}
