/// Shows the progress of a long task in one line of text.
///
/// A pure value: the caller provides the clock and the terminal's width. Commands write it to a
/// terminal several times a second, over the line before.
package struct ProgressLine: Sendable {
  /// What is counted.
  package enum Unit: Sendable {
    /// Bytes, shown as kB, MB or GB of 1,000.
    case bytes
    /// Things with a plural name, such as `tracks`.
    case things(String)
  }

  /// What is being worked on, such as the name of a file.
  package var title: String
  /// What ``done`` and ``total`` count.
  package var unit: Unit
  /// How many units are done, 0 or more.
  package var done: Int
  /// How many units there are, or nil if unknown, as with a pipe.
  package var total: Int?
  /// The time since the task began, in seconds.
  package var elapsedSeconds: Double

  /// Creates the line for one moment of the task.
  package init(title: String, unit: Unit, done: Int, total: Int?, elapsedSeconds: Double) {
    (self.title, self.unit, self.done) = (title, unit, done)
    (self.total, self.elapsedSeconds) = (total, elapsedSeconds)
  }

  /// The text, cut to fit.
  ///
  /// - Parameter columns: The terminal's width. The last column stays free, because some terminals
  ///   wrap after writing it.
  /// - Returns: `walk.gpx  [=====     ]  50 %  12.3 MB/s  0:12 left` or, without a total,
  ///   `walk.gpx  61.0 MB  12.3 MB/s  0:05`.
  package func text(columns: Int) -> String {
    let width = max(20, columns - 1)
    var parts = [fraction.map { "\(Int($0 * 100)) %" } ?? Self.amount(Double(done), unit)]
    // At first, the rate is only noise.
    let perSecond = elapsedSeconds >= 0.2 && done > 0 ? Double(done) / elapsedSeconds : nil
    if let perSecond { parts.append("\(Self.amount(perSecond, unit))/s") }
    if let fraction, let total, let perSecond {
      if fraction < 1 {
        parts.append("\(Self.clock(seconds: Double(total - done) / perSecond)) left")
      }
    } else if total == nil {
      parts.append(Self.clock(seconds: elapsedSeconds))
    }
    let tail = parts.joined(separator: "  ")
    let titleColumns = max(8, min(40, width - tail.displayWidth - 2))
    let head = title.forTerminal.cut(toColumns: titleColumns)
    let free = width - head.displayWidth - tail.displayWidth - 4
    let bar = fraction == nil || free < 12 ? "" : bar(columns: min(40, free)) + "  "
    return "\(head)  \(bar)\(tail)".cut(toColumns: width)
  }

  /// The part that is done, 0 to 1; nil if the total is unknown or 0.
  private var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, Double(done) / Double(total))
  }

  /// A bar in brackets that is as full as the task is done.
  private func bar(columns: Int) -> String {
    let inner = columns - 2
    let filled = Int((fraction ?? 0) * Double(inner))
    return "[" + String(repeating: "=", count: filled)
      + String(repeating: " ", count: inner - filled) + "]"
  }

  /// A number of units with their name; bytes in B, kB, MB or GB.
  private static func amount(_ value: Double, _ unit: Unit) -> String {
    switch unit {
    case .things(let name):
      return value < 10 && value != value.rounded()
        ? "\(ReportNumber.fixed(value, decimals: 1)) \(name)" : "\(Int(value)) \(name)"
    case .bytes:
      if value < 1000 { return "\(Int(value)) B" }
      if value < 1e6 { return "\(ReportNumber.fixed(value / 1e3, decimals: 1)) kB" }
      if value < 1e9 { return "\(ReportNumber.fixed(value / 1e6, decimals: 1)) MB" }
      return "\(ReportNumber.fixed(value / 1e9, decimals: 1)) GB"
    }
  }

  /// A duration such as `0:05`, `12:00` or `3:04:05`, with days as hours.
  private static func clock(seconds: Double) -> String {
    guard seconds.isFinite, seconds < 3_600_000 else { return "long" }
    let whole = Int(seconds.rounded(.up))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let padded = rest < 10 ? "0\(rest)" : "\(rest)"
    guard hours > 0 else { return "\(minutes):\(padded)" }
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(padded)"
  }
}
