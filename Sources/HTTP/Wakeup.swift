import Glibc

/// Wakes a thread that polls, from any other.
final class Wakeup: Sendable {
  /// The descriptor to poll for reading.
  let descriptor: Int32
  private let writingEnd: Int32

  /// Nil where the system has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    let type =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    // The system writes two descriptors, which there is room for.
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    descriptor = ends[0]
    writingEnd = ends[1]
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Wakes whoever polls, and whoever polls next.
  func signal() {
    var byte: UInt8 = 1
    // A socket that is full wakes as well. There is one byte, as the call is told.
    _ = unsafe write(writingEnd, &byte, 1)
  }

  /// Takes note of the signals there were.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    // The system writes at most as many bytes as there are.
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}

/// A clock that never goes back.
enum MonotonicClock {
  /// Milliseconds since some moment before the program began.
  static var milliseconds: Int64 {
    var time = timespec()
    // `time` is ours and of the size the system expects.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
