import FencepostFixes

/// Chooses which of the receivers in one source to follow.
///
/// The first that has a position is followed. Another takes over when more of its fixes than
/// ``patience`` have come without one of the receiver that is followed; until then they wait. What
/// is left out is counted.
struct ReceiverChoice: Sendable {
  /// How many fixes of another receiver may wait.
  private static var patience: Int { 5 }
  /// Beyond this many, the others count as one.
  static var mostReceivers: Int { 16 }

  /// A receiver, and what became of its fixes.
  private struct Receiver {
    var name: String
    var wasFollowed = false
    var leftOutCount = 0
    /// Fixes since the last one of the receiver that is followed.
    var waiting: [Fix] = []
  }

  private var receivers: [Receiver] = []
  private var followedIndex: Int?

  /// Creates a choice; `followed` is the name of a receiver that was followed before.
  init(followed: String?) {
    guard let followed else { return }
    receivers.append(Receiver(name: followed, wasFollowed: true))
    followedIndex = 0
  }

  /// The name of the receiver that is followed.
  var followed: String? { followedIndex.map { receivers[$0].name } }

  /// Keeps the fixes of a batch from `start` on if their receiver is followed, or else takes them out.
  mutating func judge(_ batch: inout FixBatch, from start: Int, of name: String) {
    guard start < batch.fixes.count else { return }
    let index = index(of: name)
    if followedIndex == nil { follow(index) }
    guard index != followedIndex else { return leaveOutWaiting() }
    receivers[index].waiting += batch.fixes[start...]
    batch.fixes.removeSubrange(start...)
    guard receivers[index].waiting.count > Self.patience else { return }
    follow(index)
    batch.fixes += receivers[index].waiting
    receivers[index].waiting.removeAll()
    leaveOutWaiting()
  }

  /// Leaves out what waits at the end of the source.
  mutating func finish() { leaveOutWaiting() }

  /// The index of a receiver, which is added if it is new.
  private mutating func index(of name: String) -> Int {
    if let index = receivers.firstIndex(where: { $0.name == name }) { return index }
    guard receivers.count < Self.mostReceivers else { return receivers.count - 1 }
    receivers.append(Receiver(name: name))
    return receivers.count - 1
  }

  private mutating func follow(_ index: Int) {
    followedIndex = index
    receivers[index].wasFollowed = true
  }

  /// Drops the fixes that wait, and counts them.
  private mutating func leaveOutWaiting() {
    for index in receivers.indices where !receivers[index].waiting.isEmpty {
      receivers[index].leftOutCount += receivers[index].waiting.count
      receivers[index].waiting.removeAll()
    }
  }

  // MARK: Sentences

  /// Which receivers there are and which is followed; nil for a single one.
  var sentence: String? {
    guard receivers.count > 1, let followed else { return nil }
    let others = receivers.map(\.name).filter { $0 != followed }.joined(separator: " and ")
    return "several receivers or forms send positions; following \(followed), not \(others)"
  }

  /// What was followed and how much was left out, for the end; nil for a single receiver.
  var account: String? {
    guard receivers.count > 1 else { return nil }
    let followed = receivers.filter(\.wasFollowed).map(\.name).joined(separator: ", then ")
    let leftOut = receivers.filter { $0.leftOutCount > 0 }.map {
      "\($0.leftOutCount == 1 ? "1 fix" : "\($0.leftOutCount) fixes") of \($0.name)"
    }
    return "several receivers or forms sent positions; followed \(followed)"
      + (leftOut.isEmpty ? "" : ", left out \(leftOut.joined(separator: " and "))")
  }
}
