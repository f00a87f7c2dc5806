import Glibc
import Synchronization

/// A signal between threads that can be polled; it stays set until cleared.
final class Waker: Sendable {
  /// The descriptor to poll for reading.
  let descriptor: Int32
  private let writingEnd: Int32

  init() {
    let pipe = PipeEnds.make()
    // Without a pipe, waits end by their timeout alone.
    descriptor = pipe?.reading ?? -1
    writingEnd = pipe?.writing ?? -1
    for end in [descriptor, writingEnd] where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Sets the signal.
  func signal() {
    var byte: UInt8 = 1
    // A full pipe is readable as well.
    _ = unsafe write(writingEnd, &byte, 1)
  }

  /// Clears the signal.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    // The system writes at most as many bytes as there are.
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  /// Waits for the signal; −1 waits without a limit.
  ///
  /// - Returns: Whether it is set.
  @discardableResult
  func wait(milliseconds: Int) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // The count matches.
    return unsafe poll(&request, 1, Int32(clamping: milliseconds)) > 0
  }
}

/// The ends of a pipe that child processes do not inherit.
struct PipeEnds {
  var reading: Int32
  var writing: Int32

  /// Held while a pipe is made and while a program starts, so that none starts before the pipe is marked
  /// close-on-exec.
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
