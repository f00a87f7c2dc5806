import FencepostFixes
import FencepostStateDatabase
import FencepostStateFile

/// Saves a session in its state file, and survives the file's failures.
///
/// While the file cannot be written the session continues without it. The failure is reported once, and
/// once the file can be written again everything is rewritten.
final class LiveJournal {
  private let state: LiveState?
  private let say: (String) -> Void
  private let now: () -> Int64
  /// The offsets and lengths of the input chunks in the file.
  private var pieces: [(offset: Int, count: Int)] = []
  /// The offset behind the last byte of input.
  private(set) var end = 0
  /// The last byte of input, nil before the first.
  private(set) var lastByte: UInt8?
  /// The sessions' position at the last checkpoint.
  var checkpointPosition = 0
  /// Whether an ended stream's last epoch was emitted.
  var isEpochHandedOn = false
  /// Whether the file is incomplete and must be rewritten.
  private(set) var mustRewrite = false
  /// What the state belongs to.
  var identity: LiveDocument.Identity?
  private var retryMilliseconds: Int64 = 0
  /// How long input may wait in memory while nothing follows from it, in milliseconds.
  ///
  /// Zero where the source goes on with the next byte after a kill, or is answered when its input is saved.
  var delayMilliseconds: Int64 = 0
  /// The input that waits, where it begins, and since when.
  private var waiting: (offset: Int, bytes: [UInt8], since: Int64)?
  /// The last failure that was reported; nil while the file can be written.
  private var reportedFailure: String?

  /// - Parameters:
  ///   - state: The file, if any.
  ///   - now: A monotonic clock in milliseconds.
  ///   - say: Called with sentences for the user.
  init(state: LiveState?, now: @escaping () -> Int64, say: @escaping (String) -> Void) {
    self.state = state
    self.now = now
    self.say = say
  }

  /// Whether there is a file, writable at present or not.
  var hasFile: Bool { state != nil }

  /// Whether there is a file and it may be written now.
  var isKept: Bool { state != nil && (!mustRewrite || now() >= retryMilliseconds) }

  /// Saves input before it is processed.
  func append(_ bytes: [UInt8]) {
    let offset = end
    end += bytes.count
    lastByte = bytes.last
    guard state != nil, !mustRewrite else { return }
    if waiting == nil { waiting = (offset, [], now()) }
    waiting?.bytes += bytes
    if isFlushDue { flush() }
  }

  /// When to call ``flush()`` at the latest; nil if nothing waits.
  var flushDueMilliseconds: Int64? { waiting.map { $0.since + delayMilliseconds } }

  /// Whether what waits has done so for long enough, or is much.
  var isFlushDue: Bool {
    guard let waiting else { return false }
    return now() >= waiting.since + delayMilliseconds || waiting.bytes.count >= Self.mostWaiting
  }

  private static var mostWaiting: Int { 32 * 1024 }

  /// Saves the input that waits.
  func flush() {
    guard let state, let waiting else { return }
    self.waiting = nil
    guard !mustRewrite else { return }
    var change = LiveState.Change()
    change.input = [(waiting.offset, waiting.bytes)]
    if apply(change, to: state) { pieces.append((waiting.offset, waiting.bytes.count)) }
  }

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - change: The change; a rewrite adds input, identity and what is owed.
  ///   - contextStart: A checkpoint removes input before this offset.
  ///   - context: The input from there on, for a rewrite.
  ///   - outlet: Provides what the sinks are owed.
  /// - Returns: Whether the change is in the file.
  func commit(
    _ change: LiveState.Change, contextStart: Int, context: () -> [UInt8], outlet: LiveOutlet
  ) -> Bool {
    guard let state else { return false }
    var change = change
    let isRewrite = mustRewrite
    let waiting = waiting
    self.waiting = nil
    let newCount = change.owed.count
    if isRewrite {
      change.replacesAll = true
      change.identity = identity
      change.input = [(contextStart, context())]
      change.sinks = outlet.kinds
      change.owed = outlet.owed + change.owed
      change.nextSequence = outlet.nextSequence
    } else {
      // Saved with what follows from it, and left out if nothing needs it any more.
      if let waiting,
        change.checkpoint == nil || waiting.offset + waiting.bytes.count > contextStart
      {
        change.input = [(waiting.offset, waiting.bytes)]
      }
      if change.checkpoint != nil {
        change.obsoleteInput = pieces.filter { $0.offset + $0.count <= contextStart }.map(\.offset)
      }
    }
    guard apply(change, to: state) else { return false }
    if isRewrite {
      pieces = change.input.map { ($0.offset, $0.bytes.count) }
      mustRewrite = false
      reportedFailure = nil
      say("the state is being saved again")
      removeTaken(of: change.owed, outlet, newCount: newCount)
    } else {
      if change.checkpoint != nil { pieces.removeAll { $0.offset + $0.count <= contextStart } }
      pieces += change.input.map { ($0.offset, $0.bytes.count) }
    }
    if let checkpoint = change.checkpoint { checkpointPosition = checkpoint.position }
    return true
  }

  /// Saves the identity.
  func writeIdentity() {
    guard let state, !mustRewrite else { return }
    var change = LiveState.Change()
    change.identity = identity
    _ = apply(change, to: state)
  }

  /// Continues with a file that holds input.
  func resume(_ pieces: [(offset: Int, count: Int)], end: Int, last: UInt8?) {
    self.pieces = pieces
    self.end = end
    lastByte = last
  }

  /// Removes deliveries that a sink took while they were being saved as owed.
  private func removeTaken(of written: [OwedDelivery], _ outlet: LiveOutlet, newCount: Int) {
    let still = Set(outlet.owed.map(\.sequence))
    let taken = written.dropLast(newCount).filter { !still.contains($0.sequence) }
    for kind in outlet.kinds {
      let sequences = taken.filter { $0.sink == kind }.map(\.sequence)
      // A delivery that cannot be removed repeats after a restart.
      if !sequences.isEmpty { try? state?.remove(sequences, of: kind) }
    }
  }

  /// Makes a change, or reports why it failed and waits before the next attempt.
  private func apply(_ change: LiveState.Change, to state: LiveState) -> Bool {
    do {
      try state.apply(change)
      return true
    } catch {
      let sentence = "\(error)"
      if sentence != reportedFailure {
        reportedFailure = sentence
        say("\(sentence); going on, what happens until it can be written is not in it")
      }
      mustRewrite = true
      retryMilliseconds = now() + Self.retryIntervalMilliseconds
      return false
    }
  }

  private static var retryIntervalMilliseconds: Int64 { 1000 }
}
