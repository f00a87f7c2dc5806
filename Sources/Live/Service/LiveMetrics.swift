package import CoreMetrics
import Fencepost
import FencepostFixes
import FencepostReporting

/// The metrics of a live session, by their names.
package enum LiveMetric: String, CaseIterable, Sendable {
  case fixes = "fencepost_fixes_total"
  case fixAge = "fencepost_fix_age_seconds"
  case fixesWaiting = "fencepost_fixes_waiting"
  case events = "fencepost_events_total"
  case misses = "fencepost_misses_total"
  case devices = "fencepost_devices"
  case processing = "fencepost_processing_seconds"
  case deliveries = "fencepost_deliveries_total"
  case waiting = "fencepost_deliveries_waiting"
  case ready = "fencepost_ready"
  case storeSize = "fencepost_store_bytes"
  case stateSize = "fencepost_state_bytes"

  private var help: String {
    switch self {
    case .fixes: "Fixes, by result: accepted, or the reason of the rejection."
    case .fixAge: "Time from a fix to its processing."
    case .fixesWaiting: "Fixes that were posted or published and that the session has not taken."
    case .events: "Events, by type; “suppressed” are entries held back."
    case .misses: "Entries into circles that were not watched."
    case .devices: "Devices that the session follows."
    case .processing: "Time from the arrival of input until its events are saved and queued."
    case .deliveries: "Deliveries, by sink and result: delivered, failed (tried again) or lost."
    case .waiting: "Deliveries that wait, by sink."
    case .ready: "1 if the session can do all its work, as /readyz says; else 0."
    case .storeSize: "Size of the file of stories."
    case .stateSize: "Size of the state file and its log."
    }
  }

  private var buckets: [Double] {
    switch self {
    case .fixAge: [1, 2, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400]
    case .processing: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
    default: []
    }
  }

  package static func describe(_ name: String) -> PrometheusRegistry.Description {
    let metric = LiveMetric(rawValue: name)
    return .init(help: metric?.help ?? "", buckets: metric?.buckets ?? [])
  }
}

/// Counts what a live session does, in metrics that a factory makes.
package struct LiveMetrics: Sendable {
  private let factory: any MetricsFactory
  private let accepted: Counter
  private let rejected: [Rejection.Reason: Counter]
  private let fixAge: Recorder
  private let events: [String: Counter]
  private let misses: Counter
  private let devices: Gauge
  private let processing: CoreMetrics.Timer

  private static let eventTypes = [
    "alert", "suppressed", "enter", "exit", "dwell", "reminder", "refresh",
  ]

  /// Makes all metrics, which begin at zero; by default nobody sees them.
  package init(_ factory: any MetricsFactory = NOOPMetricsHandler.instance) {
    func counter(_ metric: LiveMetric, _ dimensions: [(String, String)] = []) -> Counter {
      Counter(label: metric.rawValue, dimensions: dimensions, factory: factory)
    }
    self.factory = factory
    accepted = counter(.fixes, [("result", "accepted")])
    rejected = Dictionary(
      uniqueKeysWithValues: Rejection.Reason.allCases.map {
        ($0, counter(.fixes, [("result", $0.rawValue)]))
      })
    fixAge = Recorder(label: LiveMetric.fixAge.rawValue, aggregate: true, factory: factory)
    events = Dictionary(
      uniqueKeysWithValues: Self.eventTypes.map { ($0, counter(.events, [("type", $0)])) })
    misses = counter(.misses)
    devices = Gauge(label: LiveMetric.devices.rawValue, factory: factory)
    processing = CoreMetrics.Timer(label: LiveMetric.processing.rawValue, factory: factory)
  }

  // MARK: The session

  func accept(_ fix: Fix) {
    accepted.increment()
    guard let time = fix.timeMilliseconds else { return }
    fixAge.record(max(0, Double(SystemTime.epochMilliseconds - time) / 1000))
  }

  func reject(_ rejection: Rejection) { rejected[rejection.reason]?.increment() }

  func count(_ events: [Event]) {
    for event in events { self.events[event.typeName]?.increment() }
  }

  func count(missed count: Int) { if count > 0 { misses.increment(by: count) } }

  /// Notes that a piece of input took this long, after which there are so many devices.
  func note(_ duration: Duration, deviceCount: Int) {
    let (seconds, attoseconds) = duration.components
    processing.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    devices.record(deviceCount)
  }

  // MARK: Others

  func sink(_ kind: LiveSinkKind) -> SinkMetrics {
    func counter(_ result: String) -> Counter {
      Counter(
        label: LiveMetric.deliveries.rawValue,
        dimensions: [("result", result), ("sink", kind.rawValue)], factory: factory)
    }
    return SinkMetrics(
      delivered: counter("delivered"), failed: counter("failed"), lost: counter("lost"),
      waiting: Gauge(
        label: LiveMetric.waiting.rawValue, dimensions: [("sink", kind.rawValue)],
        factory: factory))
  }

  /// Sets what is known only when somebody asks; a size is nil without a file, and the number of
  /// waiting fixes for a source that is read directly.
  package func note(isReady: Bool, fixesWaiting: Int?, storeBytes: Int?, stateBytes: Int?) {
    let values: [(LiveMetric, Int?)] = [
      (.ready, isReady ? 1 : 0), (.fixesWaiting, fixesWaiting), (.storeSize, storeBytes),
      (.stateSize, stateBytes),
    ]
    for (metric, value) in values {
      if let value { Gauge(label: metric.rawValue, factory: factory).record(value) }
    }
  }
}

/// The metrics of one sink.
struct SinkMetrics: Sendable {
  let delivered: Counter
  let failed: Counter
  let lost: Counter
  let waiting: Gauge
}
