import Synchronization

/// A door through which other parts of the program hand fixes to a live session.
///
/// What is put in are objects a line, each with its device. Bounded: what does not fit is refused,
/// and nobody waits. Safe from any thread.
public final class FixIntake: Sendable, Equatable {
  private struct Contents {
    var bytes: [UInt8] = []
    /// Those before it have been taken.
    var head = 0
    /// The number of bytes put in, and of those that the session has, since the beginning.
    var offeredCount = 0
    var settledCount = 0
    /// Who is to be told, and at which count of settled bytes.
    var waiting: [(end: Int, onSettled: @Sendable () -> Void)] = []
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
  ///   - onSettled: Called on the session's thread when it has the last of them: they are in the state,
  ///     where there is one. Never called where the session ends before.
  /// - Returns: False where there is no room for them, or the session is over.
  public func offer(_ lines: [UInt8], onSettled: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = contents.withLock { contents in
      guard !contents.isClosed,
        contents.bytes.count - contents.head + lines.count <= Self.mostBytes
      else { return false }
      contents.bytes += lines
      contents.offeredCount += lines.count
      contents.waiting.append((contents.offeredCount, onSettled))
      return true
    }
    if isTaken { waker.signal() }
    return isTaken
  }

  // MARK: For the session

  /// Readable while there is something to take.
  var descriptor: Int32 { waker.descriptor }

  /// Takes the next bytes; empty where there are none.
  func take() -> [UInt8] {
    waker.clear()
    let (piece, isMore) = contents.withLock { contents in
      let end = min(contents.bytes.count, contents.head + Self.pieceBytes)
      let piece = Array(contents.bytes[contents.head..<end])
      contents.head = end
      if end == contents.bytes.count {
        contents.bytes.removeAll(keepingCapacity: end <= Self.pieceBytes)
        contents.head = 0
      }
      return (piece, contents.head > 0)
    }
    if isMore { waker.signal() }
    return piece
  }

  /// The session has so many more of the bytes that it took.
  func settle(_ count: Int) {
    let told = contents.withLock { contents in
      contents.settledCount += count
      let settled = contents.settledCount
      let told = contents.waiting.prefix { $0.end <= settled }
      contents.waiting.removeFirst(told.count)
      return told.map(\.onSettled)
    }
    for onSettled in told { onSettled() }
  }

  /// The session is over: nothing more is taken.
  func close() {
    contents.withLock {
      $0.isClosed = true
      $0.waiting = []
    }
  }
}
