#if Command
package import CoreMetrics
import FencepostSession
import FencepostFixes
import FencepostReporting
import Synchronization

/// The metrics of a live session, by their names.
///
/// The raw values are the names that a monitoring system sees, and must not change. Durations are
/// in seconds and sizes in bytes, as Prometheus recommends.
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

  /// The help and the buckets of the metric with a name; empty for any other name.
  package static func describe(_ name: String) -> PrometheusRegistry.Description {
    let metric = LiveMetric(rawValue: name)
    return .init(help: metric?.help ?? "", buckets: metric?.buckets ?? [])
  }
}

/// Counts what a live session does, in metrics that a factory makes.
///
/// The session counts on its own thread, and sinks on theirs. Fixes and events that are repeated
/// after a restart are not counted again.
package final class LiveMetrics: Sendable {
  private let factory: any MetricsFactory
  private let accepted: Counter
  private let rejected: [Rejection.Reason: Counter]
  private let fixAge: Recorder
  private let events: [String: Counter]
  private let misses: Counter
  private let devices: Gauge
  private let processing: CoreMetrics.Timer

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
    let types = ["alert", "suppressed", "enter", "exit", "dwell", "reminder", "refresh"]
    events = Dictionary(
      uniqueKeysWithValues: types.map { ($0, counter(.events, [("type", $0)])) })
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

/// The metrics of one sink, by its name.
struct SinkMetrics: Sendable {
  /// Deliveries that the sink has taken.
  let delivered: Counter
  /// Attempts that failed, which may be tried again.
  let failed: Counter
  /// Deliveries given up, dropped or refused.
  let lost: Counter
  /// Deliveries that wait now.
  let waiting: Gauge
}

/// Keeps metrics and writes them in Prometheus' text format, version 0.0.4.
///
/// Labels of metrics are Prometheus names, and dimensions are its labels. Timers become histograms
/// of seconds, and so do recorders that aggregate. A metric stays until the program ends. Thread-safe.
package final class PrometheusRegistry: MetricsFactory, Sendable {
  /// The help and the buckets of a metric, which CoreMetrics does not have.
  ///
  /// The registry asks for it when a metric is first made or written.
  package struct Description: Sendable {
    var help: String
    /// The upper bounds of a histogram's buckets, ascending.
    var buckets: [Double]

    /// Describes a metric; only histograms have buckets.
    package init(help: String, buckets: [Double]) {
      self.help = help
      self.buckets = buckets
    }
  }

  private let describe: @Sendable (_ name: String) -> Description
  private let metrics = Mutex<[String: [String: any Series]]>([:])

  /// Creates an empty registry; `describe` is asked by the name of a metric, from any thread.
  package init(describe: @escaping @Sendable (_ name: String) -> Description) {
    self.describe = describe
  }

  /// All metrics, sorted by name and labels.
  package func text() -> String {
    var text = ""
    for (name, series) in metrics.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      guard let kind = series.values.first?.kind else { continue }
      text += "# HELP \(name) \(describe(name).help)\n# TYPE \(name) \(kind)\n"
      for (labels, one) in series.sorted(by: { $0.key < $1.key }) {
        one.write(name, labels, to: &text)
      }
    }
    return text
  }

  private func series<One: Series>(
    _ name: String, _ dimensions: [(String, String)], _ make: () -> One
  ) -> One {
    let labels = dimensions.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    return metrics.withLock { metrics in
      // A metric of another kind with this name would be a mistake of the program, so it is not shown.
      if let known = metrics[name]?[labels] { return known as? One ?? make() }
      let made = make()
      metrics[name, default: [:]][labels] = made
      return made
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  // MARK: MetricsFactory

  /// The counter with these labels, made at the first call.
  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions) { CounterSeries() }
  }

  /// The histogram with these labels if it aggregates, or else the gauge; made at the first call.
  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else { return series(label, dimensions) { GaugeSeries() } }
    return series(label, dimensions) { HistogramSeries(bounds: describe(label).buckets) }
  }

  /// The histogram of seconds with these labels, made at the first call.
  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions) { HistogramSeries(bounds: describe(label).buckets) }
  }

  /// Does nothing, since a counter that disappears looks like a restart.
  package func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing; see ``destroyCounter(_:)``.
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing; see ``destroyCounter(_:)``.
  package func destroyTimer(_ handler: any TimerHandler) {}
}

/// One metric with one set of labels, which writes its lines in Prometheus' text format.
private protocol Series: AnyObject, Sendable {
  var kind: String { get }
  func write(_ name: String, _ labels: String, to text: inout String)
}

extension Series {
  fileprivate func line(_ name: String, _ labels: String, _ value: String) -> String {
    labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }
}

/// A number that only grows, until the program ends.
private final class CounterSeries: Series, CounterHandler {
  private let value = Atomic<Int64>(0)
  var kind: String { "counter" }

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { value.store(0, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text += line(name, labels, "\(value.load(ordering: .relaxed))")
  }
}

/// The last recorded number, kept as bits because atomics have no floating point.
private final class GaugeSeries: Series, RecorderHandler {
  private let bits = Atomic<UInt64>(0)
  var kind: String { "gauge" }

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text += line(name, labels, number(Double(bitPattern: bits.load(ordering: .relaxed))))
  }
}

/// How many values lie below each bound, and their sum; times are in seconds.
private final class HistogramSeries: Series, RecorderHandler, TimerHandler {
  private let bounds: [Double]
  /// The count of each bucket and of what exceeds them all, and the sum of the values.
  private let values: Mutex<(counts: [Int], sum: Double)>
  var kind: String { "histogram" }

  init(bounds: [Double]) {
    self.bounds = bounds
    values = Mutex(([Int](repeating: 0, count: bounds.count + 1), 0))
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    values.withLock {
      $0.counts[bucket] += 1
      $0.sum += value
    }
  }

  func write(_ name: String, _ labels: String, to text: inout String) {
    let (counts, sum) = values.withLock { $0 }
    let prefix = labels.isEmpty ? "" : labels + ","
    var total = 0
    for (bound, count) in zip(bounds.map(number) + ["+Inf"], counts) {
      total += count
      text += line(name + "_bucket", "\(prefix)le=\"\(bound)\"", "\(total)")
    }
    text += line(name + "_sum", labels, number(sum)) + line(name + "_count", labels, "\(total)")
  }
}

/// A number without a fraction that is zero.
private func number(_ value: Double) -> String {
  Int64(exactly: value).map(String.init) ?? "\(value)"
}
#endif
