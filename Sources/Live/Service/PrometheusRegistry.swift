package import CoreMetrics
import Synchronization

/// Keeps metrics and writes them in Prometheus' text format, version 0.0.4.
///
/// Labels of metrics are Prometheus names, and dimensions are its labels. Timers become histograms
/// of seconds, and so do recorders that aggregate. A metric stays until the program ends. Thread-safe.
package final class PrometheusRegistry: MetricsFactory, Sendable {
  /// What the text says about a metric besides its values.
  package struct Description: Sendable {
    package var help: String
    /// The upper bounds of a histogram's buckets, ascending.
    package var buckets: [Double]

    package init(help: String, buckets: [Double]) {
      self.help = help
      self.buckets = buckets
    }
  }

  private let describe: @Sendable (_ name: String) -> Description
  /// The series of each metric, by their labels as text.
  private let metrics = Mutex<[String: [String: any Series]]>([:])

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

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions) { CounterSeries() }
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else { return series(label, dimensions) { GaugeSeries() } }
    return series(label, dimensions) { HistogramSeries(bounds: describe(label).buckets) }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions) { HistogramSeries(bounds: describe(label).buckets) }
  }

  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}
}

/// The values of one metric with certain labels.
private protocol Series: AnyObject, Sendable {
  var kind: String { get }
  func write(_ name: String, _ labels: String, to text: inout String)
}

extension Series {
  fileprivate func line(_ name: String, _ labels: String, _ value: String) -> String {
    labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }
}

private final class CounterSeries: Series, CounterHandler {
  private let value = Atomic<Int64>(0)
  var kind: String { "counter" }

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { value.store(0, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text += line(name, labels, "\(value.load(ordering: .relaxed))")
  }
}

private final class GaugeSeries: Series, RecorderHandler {
  private let bits = Atomic<UInt64>(0)
  var kind: String { "gauge" }

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text += line(name, labels, number(Double(bitPattern: bits.load(ordering: .relaxed))))
  }
}

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
