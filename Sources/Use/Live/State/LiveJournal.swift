#if Command
import FencepostFixes
import FencepostStateDatabase
import FencepostStateFile

/// Saves a session in its state file and survives the file's failures.
///
/// While the file cannot be written, the session continues without it and the failure is reported
/// once. When it becomes writable again, everything is rewritten.
final class LiveJournal {
  private let state: LiveState?
  private let say: (String) -> Void
  var identity: LiveState.Identity?
  /// The offset after the last byte of input.
  private(set) var end = 0
  private(set) var lastByte: UInt8?
  /// The sessions' position at the last checkpoint.
  private(set) var checkpointPosition = 0
  private(set) var mustRewrite = false
  private var retryMilliseconds: Int64 = 0
  /// The last failure reported; nil while the file can be written.
  private var reportedFailure: String?
  /// How long input may wait in memory if it had no effect, in milliseconds.
  private let delayMilliseconds: Int64
  private var waiting: (offset: Int, bytes: [UInt8], since: Int64)?

  init(state: LiveState?, delayMilliseconds: Int64, say: @escaping (String) -> Void) {
    self.state = state
    self.delayMilliseconds = delayMilliseconds
    self.say = say
  }

  /// Whether there is a file, writable or not.
  var hasFile: Bool { state != nil }

  /// Whether there is a file that may be written now.
  var isKept: Bool {
    state != nil && (!mustRewrite || SystemTime.monotonicMilliseconds >= retryMilliseconds)
  }

  func resume(end: Int, last: UInt8?, checkpointPosition: Int) {
    self.end = end
    self.checkpointPosition = checkpointPosition
    lastByte = last
  }

  /// Takes input, which ``commit(_:context:outlet:)`` or ``flushIfDue()`` saves.
  func append(_ bytes: [UInt8]) {
    let offset = end
    end += bytes.count
    lastByte = bytes.last ?? lastByte
    guard state != nil, !mustRewrite, !bytes.isEmpty else { return }
    if waiting == nil { waiting = (offset, [], SystemTime.monotonicMilliseconds) }
    waiting?.bytes += bytes
  }

  /// The latest time to call ``flushIfDue()``; nil if nothing waits.
  var flushDueMilliseconds: Int64? { waiting.map { $0.since + delayMilliseconds } }

  func flushIfDue() {
    guard let waiting,
      SystemTime.monotonicMilliseconds >= waiting.since + delayMilliseconds
        || waiting.bytes.count >= 32 * 1024
    else { return }
    apply(LiveState.Change())
  }

  func writeIdentity() { apply(LiveState.Change(identity: identity)) }

  /// Saves a change with the waiting input, or rewrites everything if the file is incomplete.
  ///
  /// When everything is rewritten, `context` is the input from the checkpoint on.
  func commit(
    _ change: LiveState.Change, context: () -> [UInt8], outlet: LiveOutlet
  ) -> Bool {
    guard mustRewrite, let start = change.checkpoint?.contextStart else { return apply(change) }
    var whole = change
    whole.identity = identity
    whole.input = (start, context())
    whole.replacedSinks = outlet.kinds
    whole.owed = outlet.owed + change.owed
    whole.nextSequence = outlet.nextSequence
    guard apply(whole) else { return false }
    mustRewrite = false
    reportedFailure = nil
    say("the state is being saved again")
    // A sink may have taken deliveries while they were saved as owed. If one cannot be removed, it
    // repeats after a restart.
    let still = Set((outlet.owed + change.owed).map(\.sequence))
    for kind in outlet.kinds {
      let taken = whole.owed.filter { $0.sink == kind && !still.contains($0.sequence) }
      if !taken.isEmpty { try? state?.remove(taken.map(\.sequence), of: kind) }
    }
    return true
  }

  /// Applies a change, or reports the failure and waits before the next attempt.
  @discardableResult
  private func apply(_ change: LiveState.Change) -> Bool {
    guard let state, !mustRewrite || change.replacedSinks != nil else { return false }
    var change = change
    if let waiting, change.replacedSinks == nil { change.input = (waiting.offset, waiting.bytes) }
    waiting = nil
    do {
      try state.apply(change)
      if let checkpoint = change.checkpoint { checkpointPosition = checkpoint.position }
      return true
    } catch {
      let sentence = "\(error)"
      if sentence != reportedFailure {
        reportedFailure = sentence
        say("\(sentence). The session continues, but is not saved until the file can be written.")
      }
      mustRewrite = true
      retryMilliseconds = SystemTime.monotonicMilliseconds + 1000
      return false
    }
  }
}
#endif
