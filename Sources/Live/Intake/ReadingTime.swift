/// How long a thread may work on one message.
public struct ReadingTime: Sendable {
  private let endMilliseconds: Int64

  /// Begins now, on this thread.
  ///
  /// - Parameter milliseconds: For how long the thread may use a processor.
  public init(milliseconds: Int64 = 5000) {
    endMilliseconds = SystemTime.threadMilliseconds + milliseconds
  }

  /// Whether the time is up.
  var isUp: Bool { SystemTime.threadMilliseconds >= endMilliseconds }

  static let sentence = "reading it took too long; send it in smaller pieces"
}
