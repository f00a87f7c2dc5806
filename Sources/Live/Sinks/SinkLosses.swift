/// Deliveries that never reached a sink, and why.
struct SinkLosses {
  private let sink: LiveSinkKind
  private let deadlineMilliseconds: Int64?
  private var dropped = DoublingCount()
  private var abandoned = DoublingCount()
  private var refusedCount = 0
  private var lastReason = ""

  /// A count that is reported at first and whenever it has doubled.
  private struct DoublingCount {
    var count = 0
    var reportedCount = 0

    mutating func add(_ more: Int) -> Bool {
      count += more
      guard more > 0, count >= 2 * reportedCount else { return false }
      reportedCount = count
      return true
    }
  }

  /// Makes an empty account.
  ///
  /// - Parameters:
  ///   - sink: The sink.
  ///   - deadlineMilliseconds: How long deliveries are retried; nil for no limit.
  init(sink: LiveSinkKind, deadlineMilliseconds: Int64?) {
    self.sink = sink
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  /// Counts deliveries dropped from a full queue.
  ///
  /// - Returns: A sentence for the user, if due.
  mutating func noteDropped(_ count: Int) -> String? {
    guard dropped.add(count) else { return nil }
    return "\(sink.rawValue): its queue is full; \(dropped.count) dropped so far"
  }

  /// Counts deliveries given up after their deadline.
  ///
  /// - Returns: A sentence for the user, if due.
  mutating func noteAbandoned(_ deliveries: [OwedDelivery], _ reason: String) -> String? {
    if !deliveries.isEmpty { lastReason = reason }
    guard abandoned.add(deliveries.count), let last = deliveries.last else { return nil }
    let title = last.fields["TITLE"].map { ", last ‘\($0)’ of \(last.fields["TIME"] ?? "")" } ?? ""
    return "\(sink.rawValue): \(abandoned.count) given up after \(deadlineWords)\(title): \(reason)"
  }

  /// Counts a delivery that the sink refused for good.
  mutating func noteRefused(_ reason: String) {
    refusedCount += 1
    lastReason = reason
  }

  /// The account as a sentence.
  ///
  /// - Parameter undeliveredCount: Deliveries lost because the program ended.
  /// - Returns: The sentence, nil if nothing was lost.
  func sentence(undeliveredCount: Int) -> String? {
    var parts: [String] = []
    if undeliveredCount > 0 { parts.append("\(undeliveredCount) not delivered") }
    if abandoned.count > 0 { parts.append("\(abandoned.count) given up after \(deadlineWords)") }
    if dropped.count > 0 { parts.append("\(dropped.count) dropped because its queue was full") }
    if refusedCount > 0 { parts.append("\(refusedCount) failed") }
    guard !parts.isEmpty else { return nil }
    let reason = lastReason.isEmpty ? "" : " (\(lastReason))"
    return "\(sink.rawValue): \(parts.joined(separator: ", "))\(reason)"
  }

  private var deadlineWords: String {
    let seconds = Double(deadlineMilliseconds ?? 0) / 1000
    for (unit, size) in [("h", 3600.0), ("min", 60.0)] where seconds >= size {
      let count = seconds / size
      if count == count.rounded() { return "\(Int(count)) \(unit)" }
    }
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
