import FencepostFixes
import FencepostGeodesy
import Foundation
import TestSupport
import Testing

@Suite("A window that puts fixes in order")
struct ReorderWindowTests {
  private static let second: Int64 = 1000

  /// Fixes with these times in milliseconds, numbered by their lines from 1.
  private static func fixes(_ times: [Int64?]) -> [Fix] { FilteredFixes.path(times) }

  /// The lines in the order in which the fixes are handed on, one list for each fix that arrives and one for the end.
  private static func handedOn(
    _ times: [Int64?], window: Int64 = 30 * second, capacity: Int = 100
  ) -> [[Int32]] {
    var window = ReorderWindow(windowMilliseconds: window, capacity: capacity)
    var lists: [[Int32]] = []
    for fix in fixes(times) {
      var released: [Fix] = []
      window.take(fix, into: &released)
      lists.append(released.map(\.line))
    }
    var released: [Fix] = []
    window.finish(into: &released)
    #expect(window.heldCount == 0)
    return lists + [released.map(\.line)]
  }

  @Test("hands a fix on once one that is more than the window newer has come")
  func edge() {
    #expect(Self.handedOn([0, 30_000, 30_001]) == [[], [], [1], [2, 3]])
  }

  @Test("hands what was swapped on in order")
  func swapped() {
    #expect(
      Self.handedOn([10_000, 0, 45_000, 30_001, 80_000]) == [[], [], [2, 1], [], [4, 3], [5]])
  }

  @Test("keeps the order of arrival among fixes of one time")
  func ties() {
    #expect(Self.handedOn([5000, 5000, 0, 5000, 0]) == [[], [], [], [], [], [3, 5, 1, 2, 4]])
  }

  @Test("hands a fix on at once if a newer one has been handed on")
  func late() {
    #expect(
      Self.handedOn([0, 10_000, 41_000, 5000, 10_000]) == [[], [], [1, 2], [4], [], [5, 3]])
  }

  @Test("holds a queue that comes newest first until a fix follows it, and hands it on sorted")
  func newestFirst() {
    let day: Int64 = 86_400_000
    let queue = stride(from: day, through: 0, by: -60_000).map { Optional($0) }
    let lists = Self.handedOn(queue + [day + 60_000], capacity: 2000)
    #expect(lists.dropLast(2).joined().isEmpty)
    #expect(lists[queue.count] == (1...Int32(queue.count)).reversed())
    #expect(lists.last == [Int32(queue.count + 1)])
  }

  @Test("does not let a clock that runs ahead hold up the fixes behind it")
  func ahead() {
    let times: [Int64?] = [0, 10_000, 18_000_000, 20_000, 30_000, 51_000]
    #expect(Self.handedOn(times) == [[], [], [1, 2], [], [], [4], [5, 6, 3]])
  }

  @Test("hands on the oldest when it is full")
  func full() {
    #expect(Self.handedOn([3, 1, 2, 0, 5], capacity: 3) == [[], [], [], [4], [2], [3, 1, 5]])
  }

  @Test("keeps a fix without a time behind all that came before it")
  func untimed() {
    #expect(Self.handedOn([2000, 1000, nil, 500, 1500]) == [[], [], [2, 1, 3], [4], [5], []])
  }

  @Test("of no length hands everything on at once")
  func nothing() {
    #expect(Self.handedOn([0, 10, 5, 20], window: 0) == [[1], [2], [3], [4], []])
  }

  @Test("sorts each trk by itself")
  func tracks() {
    var window = ReorderWindow(windowMilliseconds: 30_000)
    var released: [Fix] = []
    for fix in FilteredFixes.path([10_000, 5000, 1000, 0], tracks: [0, 0, 1, 1]) {
      window.take(fix, into: &released)
    }
    #expect(released.map(\.line) == [2, 1])
    window.finish(into: &released)
    #expect(released.map(\.line) == [2, 1, 4, 3])
  }

  @Test("accepts the earliest and the latest time there is")
  func extremes() {
    #expect(Self.handedOn([.max, .min + 1, 0]) == [[], [], [2], [3, 1]])
  }

  @Test("continues unchanged after a round trip through JSON at every fix")
  func roundTrip() throws {
    var random = SplitMix64(seed: 3)
    let times = (0..<500).map { Int64($0) * 1000 + Int64.random(in: 0...40_000, using: &random) }
    var (whole, parts) = (
      ReorderWindow(windowMilliseconds: 30_000, capacity: 20),
      ReorderWindow(windowMilliseconds: 30_000, capacity: 20)
    )
    var (expected, found): ([Fix], [Fix]) = ([], [])
    for fix in Self.fixes(times) {
      whole.take(fix, into: &expected)
      parts.take(fix, into: &found)
      parts = try JSONDecoder().decode(ReorderWindow.self, from: JSONEncoder().encode(parts))
    }
    whole.finish(into: &expected)
    parts.finish(into: &found)
    #expect(found.map(\.line) == expected.map(\.line))
    #expect(found.map(\.accuracyMeters.bitPattern) == expected.map(\.accuracyMeters.bitPattern))
  }

  @Test("of a newer version is refused")
  func newer() throws {
    let saved = try JSONEncoder().encode(ReorderWindow(windowMilliseconds: 30_000))
    let newer = String(decoding: saved, as: UTF8.self).replacing(
      "\"version\":1", with: "\"version\":2")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ReorderWindow.self, from: Data(newer.utf8))
    }
  }
}

@Suite("A filter that puts fixes in order")
struct ReorderedFilterTests {
  private static let window: Int64 = 30_000
  private static var filter: FixFilter { FixFilter(reorderMilliseconds: window) }

  /// Shuffles so that no fix comes more than the window later than a newer one.
  private static func shuffled(_ fixes: [Fix], _ random: inout SplitMix64) -> [Fix] {
    fixes.map { ($0, $0.rawTimeMilliseconds + Int64.random(in: 0...window, using: &random)) }
      .shuffled(using: &random).sorted { $0.1 < $1.1 }.map(\.0)
  }

  @Test("accepts of any shuffle within the window the sorted track", arguments: 1...200)
  func anyShuffle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var time: Int64 = 1_772_649_000_000
    let times = (0..<200).map { _ -> Int64? in
      time += 1 + Int64.random(in: 0...20_000, using: &random)
      return time
    }
    let sorted = FilteredFixes.path(times)
    let shuffled = Self.shuffled(sorted, &random)
    let found = FilteredFixes(shuffled, filter: Self.filter)
    #expect(found.accepted == sorted.map { Int($0.line) })
    #expect(found.rejected.isEmpty)
    #expect(found == FilteredFixes(shuffled, batchCount: 1, filter: Self.filter))
  }

  @Test("drops what arrives twice")
  func twice() {
    let fixes = FilteredFixes.path([0, 10_000, 20_000])
    let doubled = [fixes[0], fixes[1], fixes[0], fixes[2], fixes[1], fixes[2]]
    var filter = Self.filter
    var batch = FixBatch()
    batch.fixes = doubled
    filter.filter(&batch)
    filter.finish(into: &batch)
    #expect(batch.fixes.map(\.line) == [1, 2, 3])
    #expect(batch.rejections.map(\.reason) == [.duplicate, .duplicate, .duplicate])
    #expect(filter.lateness.count == 0)
  }

  @Test("counts what is later than the window, and how late it is")
  func late() {
    let start = (0..<10).map { Int64($0) * 1000 }
    let times = start + [60_000, 4500, 5500, 100_000, 9500, 200_000]
    var filter = Self.filter
    var batch = FixBatch()
    batch.fixes = FilteredFixes.path(times)
    filter.filter(&batch)
    filter.finish(into: &batch)
    #expect(batch.fixes.map(\.line) == Array(1...11) + [14, 16])
    #expect(batch.rejections.map(\.reason) == [.late, .late, .late])
    #expect(filter.lateness.count == 3)
    // When the last of them came, the fix of 60 s had been handed on.
    #expect(filter.lateness.greatestMilliseconds == 50_500)
  }

  @Test("loses no right fix behind a dozen wrong ones", arguments: [0, 1, 25, 40])
  func wrongTimes(start: Int) {
    let right = (0..<600).map { Int64($0) * 1000 }
    let wrong = (0..<12).map { 18_000_000 + Int64($0) * 10_000 }
    let times = right[..<start] + wrong + right[start...]
    let found = FilteredFixes(FilteredFixes.path(Array(times)), filter: Self.filter)
    let isWrong = (start + 1)...(start + 12)
    #expect(found.rejected.keys.allSatisfy { isWrong.contains($0) })
    #expect(found.accepted.filter { !isWrong.contains($0) }.count == 600)
  }

  @Test("lets no fix off the earth move time")
  func invalid() {
    var fixes = FilteredFixes.path([0, 90_000, 10_000])
    fixes[1].coordinate = Coordinate(latitudeDegrees: 91, longitudeDegrees: 0)
    let found = FilteredFixes(fixes, filter: Self.filter)
    #expect(found.accepted == [1, 3])
    #expect(found.rejected == [2: .coordinate])
  }

  @Test("continues unchanged after a round trip through JSON at every fix")
  func roundTrip() throws {
    var random = SplitMix64(seed: 8)
    let times = (0..<400).map { Int64($0) * 1000 + Int64.random(in: 0...90_000, using: &random) }
    var (whole, parts) = (Self.filter, Self.filter)
    var (expected, found) = (FixBatch(), FixBatch())
    for fix in FilteredFixes.path(times) {
      Self.feed(fix, to: &whole, &expected)
      Self.feed(fix, to: &parts, &found)
      parts = try JSONDecoder().decode(FixFilter.self, from: JSONEncoder().encode(parts))
    }
    whole.finish(into: &expected)
    parts.finish(into: &found)
    #expect(found.fixes.map(\.line) == expected.fixes.map(\.line))
    #expect(found.rejections == expected.rejections)
    #expect(parts.lateness == whole.lateness)
    #expect(whole.lateness.count > 0)
  }

  private static func feed(_ fix: Fix, to filter: inout FixFilter, _ all: inout FixBatch) {
    all.fixes.append(fix)
    filter.filter(&all, from: all.fixes.count - 1)
  }

  @Test("takes fixes as they come again once the option is gone")
  func optionGone() {
    var filter = Self.filter
    var batch = FixBatch()
    batch.fixes = FilteredFixes.path([10_000, 0])
    filter.filter(&batch)
    #expect(batch.fixes.isEmpty && filter.waiting.count == 2)
    filter.reorder(withinMilliseconds: nil)
    filter.release(into: &batch)
    #expect(batch.fixes.map(\.line) == [2, 1])
    filter.reorder(withinMilliseconds: nil)
    batch.fixes = FilteredFixes.path([20_000])
    filter.filter(&batch)
    #expect(batch.fixes.count == 1)
  }
}
