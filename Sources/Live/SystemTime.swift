import Glibc

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
