import Fixes
import StateFile

/// The session's way to its state file: what is in it, and what to do when it fails.
///
/// When the file cannot be written the session goes on without; it is said once, and as soon as it can
/// be written again everything is written anew.
final class LiveJournal {
  private let state: LiveState?
  private let say: (String) -> Void
  private let now: () -> Int64
  /// The offsets and lengths of the input in the file.
  private var pieces: [(offset: Int, count: Int)] = []
  /// The offset behind the last byte of input.
  private(set) var end = 0
  /// The last byte of input, nil before the first.
  private(set) var lastByte: UInt8?
  /// Where the sessions were when the last checkpoint was written.
  var checkpointPosition = 0
  /// Whether an ended stream's last epoch was handed on.
  var isEpochHandedOn = false
  /// Whether the file misses something, so that it must be written anew.
  private(set) var mustRewrite = false
  /// Whose state it is.
  var identity: LiveDocument.Identity?
  private var retryMilliseconds: Int64 = 0
  /// The last failure that was reported; nil while the file can be written.
  private var toldFailure: String?

  /// - Parameters:
  ///   - state: The file, nil for a session that keeps none.
  ///   - now: A clock in milliseconds that never goes back.
  ///   - say: Told sentences for the user.
  init(state: LiveState?, now: @escaping () -> Int64, say: @escaping (String) -> Void) {
    self.state = state
    self.now = now
    self.say = say
  }

  /// Whether there is a file, now or when it can be written again.
  var hasFile: Bool { state != nil }

  /// Whether there is a file, and it may be tried now.
  var isKept: Bool { state != nil && (!mustRewrite || now() >= retryMilliseconds) }

  /// Takes note of input before anything comes of it.
  func append(_ bytes: [UInt8]) {
    let offset = end
    end += bytes.count
    lastByte = bytes.last
    guard let state, !mustRewrite else { return }
    var change = LiveState.Change()
    change.input = [(offset, bytes)]
    do {
      try state.apply(change)
      pieces.append((offset, bytes.count))
    } catch {
      fail(error)
    }
  }

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - change: What changes; input, identity and what is owed are added where the file is written anew.
  ///   - contextStart: Input before it is given up where there is a checkpoint.
  ///   - context: The input from there on, for a file that must be written anew.
  ///   - outlet: Knows what the sinks are owed.
  /// - Returns: Whether it was made.
  func commit(
    _ change: LiveState.Change, contextStart: Int, context: () -> [UInt8], outlet: LiveOutlet
  ) -> Bool {
    guard let state else { return false }
    var change = change
    let isRewrite = mustRewrite
    let newCount = change.owed.count
    if isRewrite {
      change.replacesAll = true
      change.identity = identity
      change.input = [(contextStart, context())]
      change.sinks = outlet.kinds
      change.owed = outlet.owed + change.owed
      change.nextSequence = outlet.nextSequence
    } else if change.checkpoint != nil {
      change.obsoleteInput = pieces.filter { $0.offset + $0.count <= contextStart }.map(\.offset)
    }
    do {
      try state.apply(change)
    } catch {
      fail(error)
      return false
    }
    if isRewrite {
      pieces = change.input.map { ($0.offset, $0.bytes.count) }
      mustRewrite = false
      toldFailure = nil
      say("the state is being saved again")
      strikeOut(of: change.owed, outlet, newCount: newCount)
    } else if change.checkpoint != nil {
      pieces.removeAll { $0.offset + $0.count <= contextStart }
    }
    if let checkpoint = change.checkpoint { checkpointPosition = checkpoint.position }
    return true
  }

  /// Writes whose state it is.
  func writeIdentity() {
    guard let state, !mustRewrite else { return }
    var change = LiveState.Change()
    change.identity = identity
    do {
      try state.apply(change)
    } catch {
      fail(error)
    }
  }

  /// Goes on with a file that holds input.
  func resume(_ pieces: [(offset: Int, count: Int)], end: Int, last: UInt8?) {
    self.pieces = pieces
    self.end = end
    lastByte = last
  }

  /// Strikes out what a sink has taken while it was being written as owed.
  private func strikeOut(of written: [OwedDelivery], _ outlet: LiveOutlet, newCount: Int) {
    let still = Set(outlet.owed.map(\.sequence))
    let taken = written.dropLast(newCount).filter { !still.contains($0.sequence) }
    for kind in outlet.kinds {
      let sequences = taken.filter { $0.sink == kind }.map(\.sequence)
      // What cannot be struck out comes again after a restart.
      if !sequences.isEmpty { try? state?.strikeOut(sequences, of: kind) }
    }
  }

  private func fail(_ error: any Error) {
    let sentence = "\(error)"
    if sentence != toldFailure {
      toldFailure = sentence
      say("\(sentence); going on, what happens until it can be written is not in it")
    }
    mustRewrite = true
    retryMilliseconds = now() + Self.retryIntervalMilliseconds
  }

  private static var retryIntervalMilliseconds: Int64 { 1000 }
}
