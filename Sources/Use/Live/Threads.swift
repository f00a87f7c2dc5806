#if Command
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Runs work that blocks on a thread of its own.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  // A serial queue of its own waits for no other until 255 of them block, and each sink, broker and
  // receiver needs one.
  DispatchQueue(label: "fencepost").async(execute: body)
}

/// The clocks of the system, in milliseconds.
///
/// The session and the sinks take their times from here and pass them on, so that everything below
/// them works without a clock.
package enum SystemTime {
  /// Milliseconds since an arbitrary moment; never goes back.
  package static var monotonicMilliseconds: Int64 { read(CLOCK_MONOTONIC) }
  /// Milliseconds since 1970-01-01T00:00:00Z; the clock may be set back.
  package static var epochMilliseconds: Int64 { read(CLOCK_REALTIME) }
  /// The processor time that this thread has used, in milliseconds.
  static var threadMilliseconds: Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    // `time` is a local variable of the size that the system expects.
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// A signal between threads that can be polled and stays set until cleared.
///
/// It is a pipe, so that a thread can wait for it together with sockets and devices.
final class Waker: Sendable {
  // Every `unsafe` of this type passes local variables with their sizes.

  /// The end to poll; −1 if the system has no descriptors left.
  let descriptor: Int32
  private let writingEnd: Int32

  init() {
    let pipe = PipeEnds.make()
    // Without a pipe, waits end only by their timeout.
    descriptor = pipe?.reading ?? -1
    writingEnd = pipe?.writing ?? -1
    for end in [descriptor, writingEnd] where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Sets the signal, from any thread.
  func signal() {
    var byte: UInt8 = 1
    // A full pipe is also readable.
    _ = unsafe write(writingEnd, &byte, 1)
  }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  /// Waits for the signal, −1 for no timeout, and returns whether it is set.
  @discardableResult
  func wait(milliseconds: Int) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, Int32(clamping: milliseconds)) > 0
  }
}

/// The ends of a pipe that child processes do not inherit.
///
/// A child that kept one would keep the other end from noticing that this program has closed it.
struct PipeEnds {
  // Every `unsafe` of this type passes a buffer with its size, which lives until the call returns.

  let reading: Int32
  /// −1 after it is closed.
  private(set) var writing: Int32

  /// Held while creating a pipe or starting a program, so that no child inherits an unmarked pipe.
  static let starting = Mutex(())

  static func make() -> PipeEnds? {
    starting.withLock { _ in
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return PipeEnds(reading: ends[0], writing: ends[1])
    }
  }

  /// The value of F_SETPIPE_SZ on Linux.
  private static var setSize: Int32 { 1031 }

  /// Creates a pipe that holds up to 1 MiB.
  static func makeLarge() -> PipeEnds? {
    guard let pipe = make() else { return nil }
    // If the system refuses, the pipe holds 64 KiB.
    _ = fcntl(pipe.writing, setSize, Int32(1 << 20))
    return pipe
  }

  /// Writes as many bytes as the pipe holds and closes its writing end.
  mutating func fill(_ bytes: Data) {
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(writing, $0.baseAddress, $0.count) }
    Glibc.close(writing)
    writing = -1
  }

  func contents() -> Data {
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    var contents = Data()
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(reading, &chunk, chunk.count)
      guard count > 0 else { return contents }
      contents.append(contentsOf: chunk[..<count])
    }
  }

  func close() {
    for end in [reading, writing] where end >= 0 { Glibc.close(end) }
  }
}
#endif
