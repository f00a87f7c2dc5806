import FencepostFixes
import TestSupport
import Testing

@Suite("Times that are wrong")
struct WrongTimesTests {
  private static let second: Int64 = 1000
  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 3_600_000
  private static let day: Int64 = 86_400_000

  /// Fixes a second apart.
  private func seconds(_ count: Int, from start: Int64 = 0) -> [Int64] {
    (0..<count).map { start + Int64($0) * Self.second }
  }

  private func lateLines(_ times: [Int64]) -> [Int] {
    let fixes = FilteredFixes.path(times)
    let filtered = FilteredFixes(fixes)
    #expect(filtered.accepted.count + filtered.rejected.count == fixes.count)
    #expect(filtered == FilteredFixes(fixes, batchCount: 1))
    return filtered.rejected.keys.sorted()
  }

  // MARK: Recordings that lost nearly everything

  @Test("a first fix 5 h ahead costs none of 3,600")
  func firstAhead() {
    #expect(lateLines([5 * Self.hour] + seconds(3600)) == [])
  }

  @Test("three fixes 5 h ahead after ten cost none of the others")
  func threeAhead() {
    let wrong = seconds(3, from: 5 * Self.hour + 10 * Self.second)
    let times = seconds(10) + wrong + seconds(3587, from: 13 * Self.second)
    #expect(lateLines(times) == [])
  }

  @Test("one fix 54 min ahead costs none of the others")
  func oneAhead() {
    var times = seconds(3600)
    times[1000] += 54 * Self.minute
    #expect(lateLines(times) == [])
  }

  @Test("twelve fixes two days ahead at the start cost none of 3,600")
  func twelveAhead() {
    #expect(lateLines(seconds(12, from: 2 * Self.day) + seconds(3600)) == [])
  }

  // MARK: The rule

  @Test("a fix that comes a little too late is late, one of the same time is not")
  func smallDisorder() {
    #expect(FilteredFixes.verdicts([10, 20, 15, 30]) == [nil, nil, .late, nil])
    #expect(
      FilteredFixes.verdicts([10, 20, 15, 20, 19, 21]) == [nil, nil, .late, nil, .late, nil])
    let swapped: [Int64] = seconds(100).map { $0 % 2000 == 0 ? $0 + 1000 : $0 - 1000 }
    #expect(lateLines(swapped) == Array(stride(from: 2, through: 100, by: 2)))
  }

  @Test("fixes that are repeated after others are late or duplicates")
  func repeated() {
    let times = seconds(100) + seconds(5, from: 95 * Self.second) + seconds(5, from: 100_000)
    #expect(lateLines(times) == [101, 102, 103, 104])
  }

  @Test("late fixes after a long but usual step stay late")
  func sparse() {
    #expect(
      FilteredFixes.verdicts([0, Self.day, 3 * Self.day, 2 * Self.day]) == [nil, nil, nil, .late])
    let minutes = [0, 10, 20, 30, 50, 40, 60].map { $0 * Self.minute }
    #expect(lateLines(minutes) == [6])
  }

  @Test(
    "a fix that continues from before a leap is accepted at once",
    arguments: [2 * minute, 2 * hour, 30 * day, 40_000 * day])
  func takesUp(lead: Int64) {
    let times = seconds(4) + [lead] + seconds(2, from: 5 * Self.second)
    var filter = FixFilter()
    var batch = FixBatch()
    batch.fixes = FilteredFixes.path(times)
    filter.filter(&batch)
    #expect(batch.fixes.map(\.line) == [1, 2, 3, 4, 5, 6, 7])
    #expect(filter.heldCount == 0)
  }

  @Test("up to twenty fixes after a leap are doubted, one more is not")
  func doubts() {
    for (count, held) in [(20, 0), (21, 1)] {
      let ahead = seconds(count, from: Self.hour)
      var filter = FixFilter()
      var batch = FixBatch()
      batch.fixes = FilteredFixes.path(
        seconds(10) + ahead + [Int64(10 + count) * Self.second])
      filter.filter(&batch)
      #expect(filter.heldCount == held)
    }
  }

  @Test("a receiver that slept is believed at once, and so are late fixes from before")
  func sleeps() {
    let times = seconds(100) + seconds(5, from: 8 * Self.hour)
    #expect(lateLines(times) == [])
    let late = times + [101 * Self.second] + seconds(30, from: 8 * Self.hour + 5 * Self.second)
    #expect(lateLines(late) == [])
  }

  @Test("a wrong start is overruled by a greater number of right fixes, which all come at once")
  func wrongStart() {
    var filter = FixFilter()
    for (index, time) in (seconds(20, from: 2 * Self.day) + seconds(21)).enumerated() {
      var batch = FixBatch()
      batch.fixes = [FilteredFixes.path([time])[0]]
      batch.fixes[0].line = Int32(index + 1)
      filter.filter(&batch)
      switch index {
      case ..<20: #expect(batch.fixes.count == 1)
      case 40: #expect(batch.fixes.map(\.line) == Array(21...41))
      default: #expect(batch.fixes.isEmpty && filter.heldCount == index - 19)
      }
      #expect(batch.rejections.isEmpty)
    }
    #expect(lateLines(seconds(20, from: 2 * Self.day) + seconds(20)) == Array(21...40))
  }

  @Test("sixty wrong fixes at the start cost as many right ones, and fewer cost none")
  func established() {
    let first = seconds(60, from: 30 * Self.day)
    #expect(lateLines(first + seconds(500)) == Array(61...120))
    #expect(lateLines(first.dropLast() + seconds(500)) == [])
  }

  @Test("a delayed batch shorter than what it contradicts is late")
  func lateBatch() {
    let times = seconds(1000) + seconds(40, from: 900_500) + seconds(1000, from: 1_000_000)
    #expect(lateLines(times) == Array(1001...1040))
  }

  @Test("the held fixes of a trk are late when the next begins")
  func endsWithTrack() {
    let times: [Int64] = [100, 50, 60, 70].map { $0 * Self.second }
    #expect(
      FilteredFixes.verdicts(times, tracks: [0, 0, 1, 1]) == [nil, .late, nil, nil])
  }

  @Test("random fixes are all accounted for, in bounded memory")
  func random() {
    var random = SplitMix64(seed: 3)
    let times = (0..<5000).map { _ in Int64.random(in: 0...Self.day, using: &random) }
    let fixes = FilteredFixes.path(times)
    var filter = FixFilter()
    var batch = FixBatch()
    for fix in fixes {
      let start = batch.fixes.count
      batch.fixes.append(fix)
      filter.filter(&batch, from: start)
      #expect(filter.heldCount <= 120)
    }
    filter.finish(into: &batch)
    #expect(Set(batch.fixes.map(\.line)).count == batch.fixes.count)
    #expect(batch.fixes.count + batch.rejections.count == fixes.count)
  }

  // MARK: Bursts

  @Test("bursts of wrong times anywhere cost no right fix", arguments: UInt64(0)..<60)
  func bursts(seed: UInt64) {
    for inner in 0..<40 {
      let recording = BurstRecording(seed: seed * 1000 + UInt64(inner))
      guard recording.isDecidable else { continue }
      let filtered = FilteredFixes(FilteredFixes.path(recording.times))
      let lost = filtered.rejected.keys.filter { !recording.isWrong[$0 - 1] }
      #expect(lost.isEmpty, "\(recording.description): lost \(lost.sorted())")
      #expect(filtered.accepted.count + filtered.rejected.count == recording.times.count)
    }
  }
}
