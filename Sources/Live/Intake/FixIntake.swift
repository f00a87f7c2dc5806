public import FencepostFixes
import Synchronization

/// Passes fixes from other parts of the program to a live session.
///
/// Takes JSON lines that name their device. Bounded: it refuses what does not fit and never blocks. The
/// caller learns the session's verdict on each line. Thread-safe.
public final class FixIntake: Sendable, Equatable {
  /// Lines that were offered together, waiting to be settled.
  private struct Post {
    /// Its bytes among all bytes ever offered.
    var bytes: Range<Int>
    var lineCount: Int
    var account = IntakeAccount()
    /// How many of its lines were judged or held, and the ends of those held.
    var judgedCount = 0
    var held: [(end: Int, index: Int)] = []
    var onSettled: @Sendable (IntakeAccount) -> Void

    mutating func take(_ verdict: LineVerdict, endingAt end: Int) {
      var index = judgedCount
      if let place = held.firstIndex(where: { $0.end == end }) {
        index = held.remove(at: place).index
        account.heldCount -= 1
      } else {
        judgedCount += 1
      }
      if case .held = verdict { held.append((end, index)) }
      account.add(verdict, index: index)
    }
  }

  private struct Contents {
    var bytes: [UInt8] = []
    /// Bytes before this index have been taken.
    var head = 0
    /// The bytes ever offered, and ever taken by the session.
    var offeredCount = 0
    var takenCount = 0
    /// The offset of the first offered byte in the session's input.
    var inputOffset = 0
    /// The posts not settled yet, in order.
    var posts: [Post] = []
    var isClosed = false
    /// Why nothing more will come, as a sentence for the user.
    var failure: String?
  }

  /// The limit of waiting bytes.
  private static var mostBytes: Int { 32 << 20 }
  /// How many bytes the session takes at a time; it can be stopped in between.
  private static var pieceBytes: Int { 64 * 1024 }

  private let contents = Mutex(Contents())
  private let waker = Waker()

  /// Makes an empty intake.
  public init() {}

  /// Compares identities.
  public static func == (one: FixIntake, other: FixIntake) -> Bool { one === other }

  /// Offers lines to the session.
  ///
  /// - Parameters:
  ///   - lines: Complete lines.
  ///   - lineCount: How many there are.
  ///   - onSettled: Called on the session's thread once it has processed and saved all lines; never
  ///     called if the session ends before.
  /// - Returns: False if there is no room or the session is over.
  public func offer(
    _ lines: [UInt8], lineCount: Int, onSettled: @escaping @Sendable (IntakeAccount) -> Void
  ) -> Bool {
    let isTaken = contents.withLock { contents in
      guard !contents.isClosed,
        contents.bytes.count - contents.head + lines.count <= Self.mostBytes
      else { return false }
      contents.bytes += lines
      let start = contents.offeredCount
      contents.offeredCount += lines.count
      contents.posts.append(
        Post(
          bytes: start..<contents.offeredCount, lineCount: lineCount, onSettled: onSettled))
      return true
    }
    if isTaken { waker.signal() }
    return isTaken
  }

  /// Ends the session, since nothing can come.
  ///
  /// - Parameter sentence: Why, as a sentence for the user.
  public func fail(_ sentence: String) {
    contents.withLock { $0.failure = sentence }
    waker.signal()
  }

  // MARK: For the session

  /// Why nothing more will come; nil if more may.
  var failure: String? { contents.withLock { $0.failure } }

  /// Readable while there are bytes to take.
  var descriptor: Int32 { waker.descriptor }

  /// Sets the offset in the session's input of the first byte taken from here.
  func begin(at offset: Int) {
    contents.withLock { $0.inputOffset = offset }
  }

  /// Takes the next bytes, if any.
  func take() -> [UInt8] {
    waker.clear()
    let (piece, isMore) = contents.withLock { contents in
      let end = min(contents.bytes.count, contents.head + Self.pieceBytes)
      let piece = Array(contents.bytes[contents.head..<end])
      contents.head = end
      contents.takenCount += piece.count
      if end == contents.bytes.count {
        contents.bytes.removeAll(keepingCapacity: end <= Self.pieceBytes)
        contents.head = 0
      }
      return (piece, contents.head > 0)
    }
    if isMore { waker.signal() }
    return piece
  }

  /// Notes the session's verdict on the line that ends before an offset of its input.
  ///
  /// First verdicts come in the order of the lines.
  func judge(_ verdict: LineVerdict, endingAt end: Int) {
    contents.withLock { contents in
      let end = end - contents.inputOffset
      // Posts already settled, or from an earlier session, are gone.
      guard let index = contents.posts.firstIndex(where: { $0.bytes.upperBound >= end }),
        contents.posts[index].bytes.lowerBound < end
      else { return }
      contents.posts[index].take(verdict, endingAt: end)
    }
  }

  /// Settles all posts that the session has taken and judged as far as it can.
  ///
  /// - Parameter isSaved: Whether the state file is up to date; true without one.
  func settle(isSaved: Bool) {
    let settled = contents.withLock { contents in
      let settled = contents.posts.prefix { $0.bytes.upperBound <= contents.takenCount }
      contents.posts.removeFirst(settled.count)
      return Array(settled)
    }
    for post in settled {
      var account = post.account
      // Lines that wait for the store count as held.
      account.heldCount += max(0, post.lineCount - post.judgedCount)
      account.isSaved = isSaved
      account.refusals.sort { $0.index < $1.index }
      post.onSettled(account)
    }
  }

  /// Ends the intake with the session.
  func close() {
    contents.withLock {
      $0.isClosed = true
      $0.posts = []
    }
  }
}

/// A session's verdicts on the lines that were offered to a ``FixIntake`` together.
public struct IntakeAccount: Sendable {
  /// A refused line.
  public struct Refusal: Sendable, Equatable {
    /// The index of the line among those offered with it.
    public var index: Int
    /// Why it was refused.
    public var reason: Rejection.Reason
  }

  /// The number of accepted fixes.
  public internal(set) var acceptedCount = 0
  /// The number of refused lines by reason.
  public internal(set) var refusedCounts = RejectionCounts()
  /// The first thousand refusals, in line order.
  public internal(set) var refusals: [Refusal] = []
  /// The number of fixes that the session has not judged yet.
  public internal(set) var heldCount = 0
  /// Whether the session's state file is up to date; true without one.
  public internal(set) var isSaved = true

  static var mostRefusals: Int { 1000 }

  /// Adds the account of the lines that follow, which begin at an index.
  mutating func add(_ next: IntakeAccount, from first: Int) {
    acceptedCount += next.acceptedCount
    refusedCounts.add(next.refusedCounts)
    let room = Self.mostRefusals - refusals.count
    refusals += next.refusals.prefix(room).map {
      Refusal(index: first + $0.index, reason: $0.reason)
    }
    heldCount += next.heldCount
    isSaved = isSaved && next.isSaved
  }

  mutating func add(_ verdict: LineVerdict, index: Int) {
    switch verdict {
    case .accepted: acceptedCount += 1
    case .held: heldCount += 1
    case .refused(let reason):
      refusedCounts.add(reason)
      guard refusals.count < Self.mostRefusals else { return }
      refusals.append(Refusal(index: index, reason: reason))
    }
  }
}

/// A session's verdict on one line.
enum LineVerdict {
  /// It holds a fix that counts.
  case accepted
  /// It is refused.
  case refused(Rejection.Reason)
  /// It is not judged yet; another verdict for the same line may follow.
  case held
}
