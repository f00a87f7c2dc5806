#if Command
import Dispatch
package import FencepostFixes
import FencepostFormats
import FencepostHTTP
import FencepostReporting
import Synchronization

/// Passes fixes from other parts of the program to a live session.
///
/// It has a size limit, refuses what does not fit and never blocks. The caller learns the session's
/// verdict on each fix. Thread-safe.
package final class FixIntake: Sendable, Equatable {
  /// Fixes that were offered together, and what became of them so far.
  private struct Post {
    /// The numbers of its fixes among all fixes ever offered.
    var numbers: Range<Int>
    var verdicts: [FixVerdict]
    var onSettled: @Sendable (IntakeAccount) -> Void
  }

  /// What the lock protects.
  private struct Contents {
    /// The fixes that the session has not taken; a slice is cheap to shorten at its start.
    var fixes: ArraySlice<DeviceFix> = []
    /// The number of fixes ever offered, which numbers the next one.
    var offeredCount = 0
    var posts: [Post] = []
    var isClosed = false
    var failure: String?
  }

  /// The limit of waiting fixes: those of one message, and half as many again.
  private static var mostFixes: Int { PostedFixes.mostFixes * 3 / 2 }
  /// The most fixes that the session takes at once.
  private static var pieceCount: Int { 500 }

  private let contents = Mutex(Contents())
  private let waker = Waker()

  /// Creates an intake that waits for a session to take its fixes.
  package init() {}

  /// Whether two are the same intake.
  package static func == (one: FixIntake, other: FixIntake) -> Bool { one === other }

  /// Offers fixes, whose lines are ignored; false if there is no room or the session is over.
  ///
  /// `onSettled` is called on the session's thread after all of them are processed and saved, unless
  /// the session ends first.
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

  /// Ends the session because nothing more can come, with a sentence for the user.
  package func fail(_ sentence: String) {
    contents.withLock { $0.failure = sentence }
    waker.signal()
  }

  /// The number of fixes that the session has not taken yet.
  package var waitingCount: Int { contents.withLock { $0.fixes.count } }

  // MARK: For the session

  var failure: String? { contents.withLock { $0.failure } }

  /// Readable while there are fixes to take.
  var descriptor: Int32 { waker.descriptor }

  /// A fix's number as a line, from 1; numbers far apart share a line.
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

  func judge(_ verdict: FixVerdict, line: Int32) {
    contents.withLock { contents in
      guard let first = contents.posts.first?.numbers.lowerBound else { return }
      let distance = Int(line) - Int(Self.line(first))
      let number = first + (distance < 0 ? distance + Int(Int32.max) : distance)
      // A post that is already settled is gone.
      guard let index = contents.posts.firstIndex(where: { $0.numbers.contains(number) }) else {
        return
      }
      contents.posts[index].verdicts[number - contents.posts[index].numbers.lowerBound] = verdict
    }
  }

  /// Settles each post whose fixes the session has taken and judged as far as it can.
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

/// What a session says to one fix.
enum FixVerdict {
  /// The session follows it.
  case accepted
  /// The filter left it out, for this reason.
  case refused(Rejection.Reason)
  /// Not judged yet; another verdict may follow.
  case held
}

/// A session's verdicts on fixes that were offered to a ``FixIntake`` together.
///
/// The server turns it into its answer. A held fix is neither accepted nor refused yet: the filter
/// waits for the next fixes before it decides.
package struct IntakeAccount: Sendable {
  /// A refused fix, by its place among those offered.
  ///
  /// The place leads back to the line of the message.
  package struct Refusal: Sendable, Equatable {
    /// The fix's index among those offered together, from 0.
    package var index: Int
    /// Why the session refused it.
    package var reason: Rejection.Reason
  }

  /// The number of fixes that the session follows.
  package private(set) var acceptedCount = 0
  /// The refused fixes by reason.
  package private(set) var refusedCounts = RejectionCounts()
  /// The first thousand refusals, in order.
  package private(set) var refusals: [Refusal] = []
  /// The number of fixes that the filter has not decided on.
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

  /// Adds the verdicts on the next fixes, which begin at the index `first`.
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

/// The verdicts on fixes that were offered together, for which a thread waits.
///
/// The thread reads a post and needs them for its answer.
final class Settlement: Sendable {
  private let account = Mutex<IntakeAccount?>(nil)
  private let signal = DispatchSemaphore(value: 0)

  /// Hands over the verdicts; called once, from the session's thread.
  func settle(_ account: IntakeAccount) {
    self.account.withLock { $0 = account }
    signal.signal()
  }

  /// Waits for the verdicts; nil if `isOver`, which is polled, becomes true.
  func wait(unless isOver: () -> Bool) -> IntakeAccount? {
    while signal.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if isOver() { return nil }
    }
    return account.withLock { $0 }
  }
}

/// The response to posted fixes: how many were accepted, and where and why others were rejected.
///
/// Faults in the message are known at once. Late and duplicate fixes are known after the session
/// has judged them. A success means that the session, and its state file if any, has all fixes
/// counted as accepted or held.
struct PostAnswer: Sendable {
  /// Reasons that are the sender's fault, not the receiver's.
  private static let faults: Set<Rejection.Reason> = [.malformed, .coordinate, .time, .tooLong]

  private let client: PostingClient
  private let status: HTTPStatus
  private let failure: String?
  /// The line in the message for each fix passed to the session; 0 without one.
  private let lines: [Int32]
  private var acceptedCount: Int
  private var heldCount = 0
  private var rejections: [Rejection]
  private var rejectedCounts: RejectionCounts

  init(_ posted: PostedFixes, client: PostingClient) {
    self.client = client
    failure = posted.failure
    lines = posted.fixes.map(\.fix.line)
    acceptedCount = posted.acceptedCount
    rejections = posted.rejections
    rejectedCounts = posted.rejectedCounts
    let isBad =
      posted.failure != nil
      || posted.rejectedCounts.nonZero.contains { Self.faults.contains($0.reason) }
    status =
      if client != .program, !posted.isUnnamed, !posted.isCut {
        // A retry would change nothing and would block later messages.
        .ok
      } else if posted.isTooLarge {
        .contentTooLarge
      } else if posted.isUnrecognized && posted.acceptedCount == 0 {
        .unsupportedMediaType
      } else {
        // Late and duplicate fixes are not errors, and a retry would change nothing.
        isBad ? .badRequest : .ok
      }
  }

  var response: HTTPResponse {
    if status == .ok, let taken = client.taken { return taken }
    return HTTPResponse(status, type: "application/json", body: Array((json + "\n").utf8))
  }

  func response(after account: IntakeAccount) -> HTTPResponse {
    guard account.isSaved else {
      return HTTPResponse(
        .unavailable,
        sentence: "the state cannot be saved right now; please send the fixes again",
        fields: [("Retry-After", "5")])
    }
    var answer = self
    answer.acceptedCount = account.acceptedCount
    answer.heldCount = account.heldCount
    answer.rejectedCounts.add(account.refusedCounts)
    let refusals = account.refusals.map { refusal in
      let line = lines[refusal.index]
      return Rejection(reason: refusal.reason, line: line > 0 ? Int(line) : nil)
    }
    let all = (rejections + refusals).sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    answer.rejections = Array(all.prefix(PostedFixes.mostRejections))
    return answer.response
  }

  private var json: String {
    var output = OutputBuffer()
    output.appendObject {
      $0.member("accepted", acceptedCount)
      $0.member("rejected", rejectedCounts.total)
      if heldCount > 0 { $0.member("held", heldCount) }
      $0.object("reasons") {
        for (reason, count) in rejectedCounts.nonZero { $0.member(named: reason.rawValue, count) }
      }
      $0.array("rejections", rejections) { output, rejection in
        output.appendObject {
          $0.member("line", rejection.line)
          $0.member("reason", rejection.reason.rawValue)
          if let detail = rejection.detail { $0.member("detail", detail) }
        }
      }
      $0.member("error", failure)
    }
    return output.text
  }
}
#endif
