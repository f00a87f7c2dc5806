import Glibc

/// The clocks that benchmarks read.
enum Clock {
  /// CPU time of this thread.
  static var cpuNanoseconds: Int { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

  /// Time that has gone by, from some start.
  static var wallSeconds: Double { Double(nanoseconds(CLOCK_MONOTONIC)) / 1e9 }

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    // `time` is ours and of the size the system expects.
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

extension [Double] {
  /// The value below which a share of the sorted values lies, 0.5 being the median.
  func quantile(_ share: Double) -> Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[Swift.min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}
