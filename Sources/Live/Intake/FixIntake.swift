package import FencepostFixes
import Dispatch
import Synchronization

/// Passes fixes from other parts of the program to a live session.
///
/// Bounded: it refuses what does not fit and never blocks. The caller learns the session's verdict
/// on each fix. Thread-safe.
package final class FixIntake: Sendable, Equatable {
  /// Fixes that were offered together, waiting to be settled.
  private struct Post {
    /// Its fixes' numbers among all that were ever offered.
    var numbers: Range<Int>
    var verdicts: [FixVerdict]
    var onSettled: @Sendable (IntakeAccount) -> Void
  }

  private struct Contents {
    /// The fixes that the session has not taken; a slice is cheap to shorten at its start.
    var fixes: ArraySlice<DeviceFix> = []
    var offeredCount = 0
    var posts: [Post] = []
    var isClosed = false
    /// Why nothing more will come, as a sentence for the user.
    var failure: String?
  }

  /// The limit of waiting fixes: those of one message, and some.
  private static var mostFixes: Int { PostedFixes.mostFixes * 3 / 2 }
  /// How many fixes the session takes at a time; it can be stopped in between.
  private static var pieceCount: Int { 500 }

  private let contents = Mutex(Contents())
  private let waker = Waker()

  /// Makes an empty intake.
  package init() {}

  /// Compares identities.
  package static func == (one: FixIntake, other: FixIntake) -> Bool { one === other }

  /// Offers fixes to the session.
  ///
  /// - Parameters:
  ///   - fixes: The fixes; their lines are not used.
  ///   - onSettled: Called on the session's thread once it has processed and saved all fixes; never
  ///     called if the session ends before.
  /// - Returns: False if there is no room or the session is over.
  package func offer(
    _ fixes: [DeviceFix], onSettled: @escaping @Sendable (IntakeAccount) -> Void
  ) -> Bool {
    let isTaken = contents.withLock { contents in
      guard !contents.isClosed, contents.fixes.count + fixes.count <= Self.mostFixes
      else { return false }
      let start = contents.offeredCount
      contents.offeredCount += fixes.count
      for (number, one) in zip(start..., fixes) {
        var one = one
        one.fix.line = Self.line(number)
        contents.fixes.append(one)
      }
      contents.posts.append(
        Post(
          numbers: start..<contents.offeredCount,
          verdicts: [FixVerdict](repeating: .held, count: fixes.count), onSettled: onSettled))
      return true
    }
    if isTaken { waker.signal() }
    return isTaken
  }

  /// Ends the session, since nothing can come.
  ///
  /// - Parameter sentence: Why, as a sentence for the user.
  package func fail(_ sentence: String) {
    contents.withLock { $0.failure = sentence }
    waker.signal()
  }

  // MARK: For the session

  /// Why nothing more will come; nil if more may.
  var failure: String? { contents.withLock { $0.failure } }

  /// Readable while there are fixes to take.
  var descriptor: Int32 { waker.descriptor }

  /// A fix's number as its line, from 1; the same for numbers far apart.
  private static func line(_ number: Int) -> Int32 { Int32(number % Int(Int32.max)) + 1 }

  func take() -> [DeviceFix] {
    waker.clear()
    let (piece, isMore) = contents.withLock { contents in
      let piece = Array(contents.fixes.prefix(Self.pieceCount))
      contents.fixes.removeFirst(piece.count)
      if contents.fixes.isEmpty { contents.fixes = [] }
      return (piece, !contents.fixes.isEmpty)
    }
    if isMore { waker.signal() }
    return piece
  }

  /// Notes the session's verdict on the fix with a line.
  func judge(_ verdict: FixVerdict, line: Int32) {
    contents.withLock { contents in
      guard let first = contents.posts.first?.numbers.lowerBound else { return }
      let distance = Int(line) - Int(Self.line(first))
      let number = first + (distance < 0 ? distance + Int(Int32.max) : distance)
      // Posts already settled are gone.
      guard let index = contents.posts.firstIndex(where: { $0.numbers.contains(number) }) else {
        return
      }
      contents.posts[index].verdicts[number - contents.posts[index].numbers.lowerBound] = verdict
    }
  }

  /// Settles all posts that the session has taken and judged as far as it can.
  func settle(isSaved: Bool) {
    let settled = contents.withLock { contents in
      let takenCount = contents.offeredCount - contents.fixes.count
      let settled = contents.posts.prefix { $0.numbers.upperBound <= takenCount }
      contents.posts.removeFirst(settled.count)
      return Array(settled)
    }
    for post in settled { post.onSettled(IntakeAccount(post.verdicts, isSaved: isSaved)) }
  }

  func close() {
    contents.withLock {
      $0.isClosed = true
      $0.posts = []
    }
  }
}

enum FixVerdict {
  case accepted
  case refused(Rejection.Reason)
  /// Not judged yet; another verdict may follow.
  case held
}

/// A session's verdicts on the fixes that were offered to a ``FixIntake`` together.
package struct IntakeAccount: Sendable {
  /// A refused fix.
  package struct Refusal: Sendable, Equatable {
    /// The index of the fix among those offered with it.
    package var index: Int
    /// Why it was refused.
    package var reason: Rejection.Reason
  }

  /// The number of accepted fixes.
  package private(set) var acceptedCount = 0
  /// The number of refused fixes by reason.
  package private(set) var refusedCounts = RejectionCounts()
  /// The first thousand refusals, in order.
  package private(set) var refusals: [Refusal] = []
  /// The number of fixes that the session has not judged yet.
  package private(set) var heldCount = 0
  /// Whether the session's state file is up to date; true without one.
  package private(set) var isSaved = true

  static var mostRefusals: Int { 1000 }

  init() {}

  init(_ verdicts: [FixVerdict], isSaved: Bool) {
    self.isSaved = isSaved
    for (index, verdict) in verdicts.enumerated() {
      switch verdict {
      case .accepted: acceptedCount += 1
      case .held: heldCount += 1
      case .refused(let reason):
        refusedCounts.add(reason)
        guard refusals.count < Self.mostRefusals else { continue }
        refusals.append(Refusal(index: index, reason: reason))
      }
    }
  }

  /// Adds the account of the fixes that follow, which begin at an index.
  mutating func add(_ next: IntakeAccount, from first: Int) {
    acceptedCount += next.acceptedCount
    refusedCounts.add(next.refusedCounts)
    refusals += next.refusals.prefix(Self.mostRefusals - refusals.count).map {
      Refusal(index: first + $0.index, reason: $0.reason)
    }
    heldCount += next.heldCount
    isSaved = isSaved && next.isSaved
  }
}

/// The session's account of fixes that were offered together, for which a thread waits.
final class Settlement: Sendable {
  private let account = Mutex<IntakeAccount?>(nil)
  private let signal = DispatchSemaphore(value: 0)

  func settle(_ account: IntakeAccount) {
    self.account.withLock { $0 = account }
    signal.signal()
  }

  /// The account; nil once `isOver` is true, which is polled.
  func wait(unless isOver: () -> Bool) -> IntakeAccount? {
    while signal.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if isOver() { return nil }
    }
    return account.withLock { $0 }
  }
}
