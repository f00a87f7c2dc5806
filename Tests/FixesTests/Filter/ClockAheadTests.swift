import FencepostFixes
import TestSupport
import Testing

/// Episodes of a clock that runs ahead, and what they cost.
@Suite("A clock that runs ahead")
struct ClockAheadTests {
  private static let second: Int64 = 1000
  private static let hour: Int64 = 3600 * second
  private static let leads: [Int64] = [
    600 * second, hour, 24 * hour, 365 * 24 * hour, 1024 * 7 * 24 * hour,
  ]

  /// A recording: its times, and which are right.
  private struct Recording {
    var times: [Int64] = []
    var isRight: [Bool] = []
    private var now: Int64 = 1_772_649_000_000
    private var random: SplitMix64
    private let paceMilliseconds: ClosedRange<Int64>

    init(seed: UInt64, paceMilliseconds: ClosedRange<Int64>) {
      random = SplitMix64(seed: seed)
      self.paceMilliseconds = paceMilliseconds
    }

    mutating func append(_ count: Int, lead: Int64 = 0) {
      for _ in 0..<count {
        now += Int64.random(in: paceMilliseconds, using: &random)
        times.append(now + lead)
        isRight.append(lead == 0)
      }
    }

    var wrongCount: Int { isRight.count { !$0 } }

    /// How many right fixes are rejected.
    func cost(isWhole: Bool) -> Int {
      let fixes = FilteredFixes.path(times)
      let filtered = FilteredFixes(fixes, batchCount: 500, filter: FixFilter(isWhole: isWhole))
      return filtered.rejected.keys.count { isRight[$0 - 1] }
    }
  }

  /// 1 Hz, 0.1 Hz and irregular.
  private static let paces: [ClosedRange<Int64>] = [
    1000...1000, 10_000...10_000, 200...4000,
  ]

  @Test(
    "costs a stream no more right fixes than wrong ones, and a file none",
    arguments: [1, 12, 20, 21, 60, 61, 121, 1000, 10_000], 0..<3)
  func once(count: Int, pace: Int) {
    for lead in Self.leads {
      for start in count > 1000 ? [0, 300] : [0, 1, 30, 300] {
        var recording = Recording(seed: UInt64(count), paceMilliseconds: Self.paces[pace])
        recording.append(start)
        recording.append(count, lead: lead)
        recording.append(count + 30)
        #expect(recording.cost(isWhole: false) <= count, "\(start), lead \(lead)")
        #expect(recording.cost(isWhole: true) == 0, "\(start), lead \(lead)")
      }
    }
  }

  @Test("costs no more in several episodes", arguments: UInt64(0)..<30)
  func episodes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pace = Self.paces.randomElement(using: &random) ?? 1000...1000
    var recording = Recording(seed: seed, paceMilliseconds: pace)
    recording.append(Int.random(in: 0...400, using: &random))
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      let lead = Self.leads.dropFirst().randomElement(using: &random) ?? Self.hour
      recording.append(Int.random(in: 1...400, using: &random), lead: lead)
      recording.append(Int.random(in: 25...300, using: &random))
    }
    recording.append(recording.wrongCount + 1)
    #expect(recording.cost(isWhole: false) <= recording.wrongCount)
    #expect(recording.cost(isWhole: true) == 0)
  }

  @Test("may leap back for good, as at a week rollover", arguments: [30, 500, 5000])
  func rollover(count: Int) {
    var recording = Recording(seed: 1, paceMilliseconds: 1000...1000)
    recording.append(count, lead: 1024 * 7 * 24 * Self.hour)
    recording.append(2 * count)
    #expect(recording.cost(isWhole: false) <= count)
    #expect(recording.cost(isWhole: true) == 0)
  }

  @Test("is not what comes when a log is sent again, once or twice", arguments: [50, 1000, 5000])
  func sentAgain(count: Int) {
    var recording = Recording(seed: 2, paceMilliseconds: 1000...1000)
    recording.append(count / 2)
    var later = Recording(seed: 2, paceMilliseconds: 1000...1000)
    later.append(count)
    let times = recording.times + later.times.map { $0 + (count > 100 ? Self.hour : 0) }
    for isWhole in [false, true] {
      let log = FilteredFixes.path(times)
      var sent = log + log + log
      for index in sent.indices { sent[index].line = Int32(index + 1) }
      let once = FilteredFixes(log, filter: FixFilter(isWhole: isWhole))
      let again = FilteredFixes(sent, filter: FixFilter(isWhole: isWhole))
      #expect(again.accepted.count - once.accepted.count <= 2)
    }
  }

  @Test("is not what makes a long batch late, even in a file", arguments: [false, true])
  func lateBatch(isWhole: Bool) {
    var recording = Recording(seed: 3, paceMilliseconds: 1000...1000)
    recording.append(20_000)
    let batch = recording.times[5000..<5400].map { $0 + 1 }
    let times = recording.times + batch + recording.times.map { $0 + 20_000_000 }
    let filtered = FilteredFixes(
      FilteredFixes.path(times), filter: FixFilter(isWhole: isWhole))
    #expect(filtered.rejected.keys.sorted() == Array(20_001...20_400))
  }

  @Test("a late fix behind a pause is refused where a window sorts the fixes")
  func behindPause() {
    let before = (0..<31).map { Int64($0) * 10_000 }
    let after = (0..<7).map { 3_900_000 + Int64($0) * 10_000 }
    let times = before + after + [310_000, 3_970_000]
    let filtered = FilteredFixes(
      FilteredFixes.path(times), filter: FixFilter(reorderMilliseconds: 30_000))
    #expect(filtered.rejected == [39: .late])
  }
}
