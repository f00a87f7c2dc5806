import Fencepost
import Formats
import Foundation
import Geodesy
import Reporting

/// Makes deliveries of events and hands them to the sinks.
final class LiveOutlet {
  /// The form of the lines on standard output.
  enum Form {
    case ndjson(NDJSONWriter)
    case csv(CSVWriter)
    case text(TextWriter)
  }

  private var form: Form
  private let selection: EventSelection
  private let deliveredSelection: EventSelection
  private let queues: [SinkQueue]
  private let epochNow: () -> Int64
  private var buffer = OutputBuffer()
  private let lineWriter = NDJSONWriter()
  /// The number of the next delivery.
  private(set) var nextSequence = 0

  /// - Parameters:
  ///   - form: The form of the lines on standard output.
  ///   - selection: The events that go there.
  ///   - deliveredSelection: The events that go to all other sinks.
  ///   - queues: The sinks.
  ///   - epochNow: A clock in milliseconds since 1970, by which it is known since when something is owed.
  init(
    form: Form, selection: EventSelection, deliveredSelection: EventSelection,
    queues: [SinkQueue], epochNow: @escaping () -> Int64
  ) {
    self.form = form
    self.selection = selection
    self.deliveredSelection = deliveredSelection
    self.queues = queues
    self.epochNow = epochNow
  }

  /// Where events go.
  var kinds: [LiveSinkKind] { queues.map(\.kind) }

  /// What the sinks have been handed and not taken yet.
  var owed: [OwedDelivery] { queues.flatMap(\.owed) }

  /// Goes on where an earlier session was, and hands on what that one owed.
  func begin(instance: String?, nextSequence: Int, owed: [OwedDelivery]) {
    self.nextSequence = max(nextSequence, (owed.last?.sequence ?? -1) + 1)
    send(owed)
  }

  /// Writes the header that a table begins with.
  func writeHeader() {
    guard case .csv(let writer) = form else { return }
    writer.begin(&buffer)
    send([delivery(to: .output, fields: [:])])
  }

  /// Makes what is owed to each sink for these events.
  func prepare(_ events: [Event]) -> [OwedDelivery] {
    var deliveries: [OwedDelivery] = []
    for event in events {
      if selection.includes(event) {
        write(event)
        deliveries.append(delivery(to: .output, fields: [:]))
      }
      guard deliveredSelection.includes(event) else { continue }
      let fields = event.fields
      for queue in queues where queue.kind != .output {
        lineWriter.write(event, to: &buffer)
        deliveries.append(delivery(to: queue.kind, fields: fields))
      }
    }
    return deliveries
  }

  /// Hands deliveries to their sinks, which take them in order and in their own time.
  func send(_ deliveries: [OwedDelivery]) {
    guard !deliveries.isEmpty else { return }
    for queue in queues {
      let own = deliveries.filter { $0.sink == queue.kind }
      if !own.isEmpty { queue.enqueue(own) }
    }
  }

  /// Writes events that no state knows of: the account at the end.
  func sendUnrecorded(_ events: [Event]) {
    for event in events where selection.includes(event) {
      write(event)
      send([delivery(to: .output, fields: [:])])
    }
  }

  private func write(_ event: Event) {
    switch form {
    case .ndjson(let writer): writer.write(event, to: &buffer)
    case .csv(let writer): writer.write(event, to: &buffer)
    case .text(var writer):
      writer.write(event, to: &buffer)
      form = .text(writer)
    }
  }

  /// Takes what is in the buffer.
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
      owedSinceMilliseconds: sink == .output ? nil : epochNow())
  }
}

extension Event {
  /// The parts of an event by name, as programs get them.
  var fields: [String: String] {
    switch self {
    case .enter(let encounter): encounter.fields("enter")
    case .exit(let encounter): encounter.fields("exit")
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
    [
      "TYPE": type, "TRACK": track, "DEVICE": device ?? "",
      "TIME": timeMilliseconds.map { ISO8601.string(milliseconds: $0) } ?? "",
      "LAT": "\(coordinate.latitudeDegrees)", "LON": "\(coordinate.longitudeDegrees)",
      "PLACE": placeID, "TITLE": title, "DISTANCE": "\(distanceMeters)", "URL": url,
      "BLURB": blurb, "CATEGORY": category,
    ]
  }
}
