import Glibc
import Synchronization

/// Wakes a thread that waits, from any other: what was signalled stays signalled until it is cleared.
final class Waker: Sendable {
  /// The descriptor to poll for reading.
  let descriptor: Int32
  private let writingEnd: Int32

  init() {
    let pipe = PipeEnds.make()
    // Without descriptors waits end by their time alone.
    descriptor = pipe?.reading ?? -1
    writingEnd = pipe?.writing ?? -1
    for end in [descriptor, writingEnd] where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Wakes whoever waits, and whoever waits next.
  func signal() {
    var byte: UInt8 = 1
    // A pipe that is full wakes as well.
    _ = unsafe write(writingEnd, &byte, 1)
  }

  /// Takes note of the signals there were.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    // The system writes at most as many bytes as there are.
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  /// Waits for a signal, no longer than told; −1 is for ever.
  ///
  /// - Returns: Whether there is one.
  @discardableResult
  func wait(milliseconds: Int) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // There is one request, as the call is told.
    return unsafe poll(&request, 1, Int32(clamping: milliseconds)) > 0
  }
}

/// Two ends of a pipe that no other program gets.
struct PipeEnds {
  var reading: Int32
  var writing: Int32

  /// Held while a pipe is made and while a program is started, so that none starts between the making
  /// and the marking.
  static let starting = Mutex(())

  static func make() -> PipeEnds? {
    starting.withLock { _ in
      var ends: [Int32] = [-1, -1]
      // The system writes two descriptors into the two of ours.
      guard unsafe pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return PipeEnds(reading: ends[0], writing: ends[1])
    }
  }
}
