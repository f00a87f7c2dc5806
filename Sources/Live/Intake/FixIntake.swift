import Fixes
import Synchronization

/// A door through which other parts of the program hand fixes to a live session.
///
/// What is put in are objects a line, each with its device. Bounded: what does not fit is refused,
/// and nobody waits. The caller learns what the session made of each line. Safe from any thread.
public final class FixIntake: Sendable, Equatable {
  /// Lines that were offered together.
  private struct Post {
    /// Where its bytes begin and end among all that were ever put in.
    var bytes: Range<Int>
    var lineCount: Int
    var account = IntakeAccount()
    /// How many of its lines have been judged or held, and where those end that are held.
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
    /// Those before it have been taken.
    var head = 0
    /// The number of bytes put in, and of those that the session has taken, since the beginning.
    var offeredCount = 0
    var takenCount = 0
    /// Where the first byte that was put in stands in the session's input.
    var inputOffset = 0
    /// What the session does not have yet, in order.
    var posts: [Post] = []
    var isClosed = false
  }

  /// How many bytes wait at most.
  private static var mostBytes: Int { 32 << 20 }
  /// How many bytes the session takes at a time, so that it can be stopped in between.
  private static var pieceBytes: Int { 64 * 1024 }

  private let contents = Mutex(Contents())
  private let waker = Waker()

  /// Makes an intake with nothing in it.
  public init() {}

  /// An intake equals itself only.
  public static func == (one: FixIntake, other: FixIntake) -> Bool { one === other }

  /// Puts lines in.
  ///
  /// - Parameters:
  ///   - lines: Whole lines.
  ///   - lineCount: How many there are.
  ///   - onSettled: Called on the session's thread when it has the last of them: they are in the state,
  ///     where there is one and it can be written. Never called where the session ends before.
  /// - Returns: False where there is no room for them, or the session is over.
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

  // MARK: For the session

  /// Readable while there is something to take.
  var descriptor: Int32 { waker.descriptor }

  /// The session's input has so many bytes from before the first that it takes here.
  func begin(at offset: Int) {
    contents.withLock { $0.inputOffset = offset }
  }

  /// Takes the next bytes; empty where there are none.
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

  /// The session has judged a line, which ends before an offset of its input.
  ///
  /// Lines are judged, or held, in their order.
  func judge(_ verdict: LineVerdict, endingAt end: Int) {
    contents.withLock { contents in
      let end = end - contents.inputOffset
      // A post that was answered already, or made to an earlier session, is gone.
      guard let index = contents.posts.firstIndex(where: { $0.bytes.upperBound >= end }),
        contents.posts[index].bytes.lowerBound < end
      else { return }
      contents.posts[index].take(verdict, endingAt: end)
    }
  }

  /// The session has all that it took, and has judged what it can for now.
  ///
  /// - Parameter isSaved: Whether it is in the state file, where there is one.
  func settle(isSaved: Bool) {
    let settled = contents.withLock { contents in
      let settled = contents.posts.prefix { $0.bytes.upperBound <= contents.takenCount }
      contents.posts.removeFirst(settled.count)
      return Array(settled)
    }
    for post in settled {
      var account = post.account
      // What waits for the store is held as well.
      account.heldCount += max(0, post.lineCount - post.judgedCount)
      account.isSaved = isSaved
      account.refusals.sort { $0.index < $1.index }
      post.onSettled(account)
    }
  }

  /// The session is over: nothing more is taken.
  func close() {
    contents.withLock {
      $0.isClosed = true
      $0.posts = []
    }
  }
}
