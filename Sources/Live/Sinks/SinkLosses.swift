/// What never reached a sink, and why.
struct SinkLosses {
  private let sink: LiveSinkKind
  private let deadlineMilliseconds: Int64?
  private var dropped = Told()
  private var abandoned = Told()
  private var refusedCount = 0
  private var lastReason = ""

  /// A count that is told at once, and then whenever it has doubled.
  private struct Told {
    var count = 0
    var toldCount = 0

    mutating func add(_ more: Int) -> Bool {
      count += more
      guard more > 0, count >= 2 * toldCount else { return false }
      toldCount = count
      return true
    }
  }

  /// Makes an account of nothing.
  ///
  /// - Parameters:
  ///   - sink: Whose it is.
  ///   - deadlineMilliseconds: How long deliveries are owed; nil for ever.
  init(sink: LiveSinkKind, deadlineMilliseconds: Int64?) {
    self.sink = sink
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  /// How many deliveries were lost.
  var count: Int { dropped.count + abandoned.count + refusedCount }

  /// So many had no room.
  ///
  /// - Returns: What to tell the user, nil for nothing.
  mutating func noteDropped(_ count: Int) -> String? {
    guard dropped.add(count) else { return nil }
    return "\(sink.rawValue): its queue is full; \(dropped.count) dropped so far"
  }

  /// These were not taken before their deadline.
  ///
  /// - Returns: What to tell the user, nil for nothing.
  mutating func noteAbandoned(_ deliveries: [OwedDelivery], _ reason: String) -> String? {
    if !deliveries.isEmpty { lastReason = reason }
    guard abandoned.add(deliveries.count), let last = deliveries.last else { return nil }
    let title = last.fields["TITLE"].map { ", last ‘\($0)’ of \(last.fields["TIME"] ?? "")" } ?? ""
    return "\(sink.rawValue): \(abandoned.count) given up after \(deadlineWords)\(title): \(reason)"
  }

  /// The sink has refused one for good.
  mutating func noteRefused(_ reason: String) {
    refusedCount += 1
    lastReason = reason
  }

  /// All of it as a sentence.
  ///
  /// - Parameter undeliveredCount: How many were left when the program ended, and are not kept.
  /// - Returns: The sentence, nil where nothing was lost.
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
