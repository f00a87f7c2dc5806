/// How often each second is taken by the requests that were staggered so far.
struct TakenSeconds {
  private let limit: Int
  private var weekly: [WeeklySecond: Int] = [:]
  private var single: [Int64: Int] = [:]
  /// Seconds of every minute and of every hour.
  private var minutely: [Int: Int] = [:]
  private var hourly: [Int: Int] = [:]
  /// Where the search from a second ended; the seconds before are full.
  private var ends: [Int64: Int64] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes a second of every minute or hour: the first free one from its own on, else the last before it.
  ///
  /// - Parameters:
  ///   - period: 60 or 3600.
  ///   - seconds: Its seconds on the phone's clock, one for each shift of the clocks.
  ///   - delays: By how many seconds it may move.
  /// - Returns: How many seconds later it is.
  mutating func takeShort(_ period: Int, seconds: [Int], delays: ClosedRange<Int>) -> Int {
    let candidates = [Array(0...max(0, delays.upperBound)), (delays.lowerBound..<0).reversed()]
    let delay =
      candidates.joined().first { delay in
        seconds.allSatisfy { shortCount($0 + delay) < limit }
      } ?? 0
    for second in Set(seconds.map { Self.remainder($0 + delay, period) }) {
      if period == 60 {
        minutely[second, default: 0] += 1
      } else {
        hourly[second, default: 0] += 1
      }
    }
    return delay
  }

  private func shortCount(_ second: Int) -> Int {
    minutely[Self.remainder(second, 60), default: 0]
      + hourly[Self.remainder(second, 3600), default: 0]
  }

  private static func remainder(_ second: Int, _ period: Int) -> Int {
    (second % period + period) % period
  }

  /// Whether all of some seconds of the week are free.
  func hasRoom(for seconds: Set<WeeklySecond>) -> Bool {
    seconds.allSatisfy { weekly[$0, default: 0] + shortCount($0.second) < limit }
  }

  /// Takes seconds of the week, free or not.
  mutating func take(_ seconds: Set<WeeklySecond>) {
    for second in seconds { weekly[second, default: 0] += 1 }
  }

  /// Takes the first free second from one on, in seconds since 1970.
  mutating func takeSingle(
    _ second: Int64, local: (Int64) -> (weekday: Weekday, secondOfDay: Int)
  ) -> Int64 {
    var free = ends[second] ?? second
    while true {
      let taken = single[free, default: 0]
      if taken < limit {
        let (weekday, secondOfDay) = local(free)
        let repeating = weekly[WeeklySecond(weekday, secondOfDay), default: 0]
        if taken + repeating + shortCount(secondOfDay) < limit { break }
      }
      free += 1
    }
    ends[second] = free
    single[free, default: 0] += 1
    return free
  }
}
