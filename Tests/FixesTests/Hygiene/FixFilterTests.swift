import Fixes
import Geodesy
import TestSupport
import Testing

@Suite("Fix hygiene")
struct FixFilterTests {
  private static let second: Int64 = 1000
  private static let hour: Int64 = 3_600_000
  private static let day: Int64 = 86_400_000

  /// A fix of a track of fixes that move on.
  private func fix(_ milliseconds: Int64?, step: Int, track: Int32 = 0) -> Fix {
    Fix(
      coordinate: Coordinate(latitudeDegrees: 1 + Double(step) * 1e-4, longitudeDegrees: 2),
      timeMilliseconds: milliseconds, trackIndex: track, line: Int32(step + 1))
  }

  private func verdicts(_ times: [Int64?], tracks: [Int32] = []) -> [Rejection.Reason?] {
    var filter = FixFilter()
    return times.enumerated().map { step, time in
      filter.reject(fix(time, step: step, track: tracks.isEmpty ? 0 : tracks[step]))
    }
  }

  @Test(
    "coordinates out of range or not finite are rejected",
    arguments: [
      (90.000001, 0.5), (-90.000001, 0.5), (1, 180.000001), (1, -180.000001), (.nan, 1), (1, .nan),
      (.infinity, 1), (1, -.infinity),
    ])
  func rejectsCoordinates(latitude: Double, longitude: Double) {
    var filter = FixFilter()
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    #expect(filter.reject(Fix(coordinate: coordinate)) == .coordinate)
  }

  @Test("the edges of the range count", arguments: [(90.0, 180.0), (-90, -180), (0, 1), (1, 0)])
  func acceptsEdges(latitude: Double, longitude: Double) {
    var filter = FixFilter()
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    #expect(filter.reject(Fix(coordinate: coordinate)) == nil)
  }

  @Test("0,0 is rejected unless it is kept, in either sign of zero")
  func rejectsNullIsland() {
    for zero in [0.0, -0.0] {
      let fix = Fix(coordinate: Coordinate(latitudeDegrees: zero, longitudeDegrees: 0))
      var filter = FixFilter()
      #expect(filter.reject(fix) == .nullIsland)
      var keeping = FixFilter(keepsNullIsland: true)
      #expect(keeping.reject(fix) == nil)
    }
  }

  @Test("a fix older than the newest of its trk is late, one of the same time is not")
  func rejectsLate() {
    #expect(verdicts([10, 20, 15, 20, 19, 21]) == [nil, nil, .late, nil, .late, nil])
  }

  @Test("each trk has its own newest time")
  func judgesTracksApart() {
    #expect(verdicts([10, 20, 5, 6, 4], tracks: [0, 0, 1, 1, 1]) == [nil, nil, nil, nil, .late])
  }

  @Test("fixes without time count between timed ones and change nothing")
  func acceptsUntimed() {
    #expect(verdicts([10, nil, 9, nil, 11]) == [nil, nil, .late, nil, nil])
    #expect(verdicts([nil, nil, nil]) == [nil, nil, nil])
  }

  @Test("the same time at the same position is a duplicate, at another it is not")
  func rejectsDuplicates() {
    var filter = FixFilter()
    #expect(filter.reject(fix(10, step: 0)) == nil)
    #expect(filter.reject(fix(10, step: 0)) == .duplicate)
    #expect(filter.reject(fix(10, step: 1)) == nil)
    #expect(filter.reject(fix(11, step: 1)) == nil)
    #expect(filter.reject(fix(nil, step: 2)) == nil)
    #expect(filter.reject(fix(nil, step: 2)) == nil)
  }

  @Test(
    "a fix far ahead does not make late what takes up where the others had ended",
    arguments: [2 * hour, 30 * day, 40_000 * day])
  func survivesLeap(lead: Int64) {
    let times: [Int64] = [0, 1, 2, 3].map { $0 * Self.second }
    let all = times + [lead, 4 * Self.second, 5 * Self.second, 4 * Self.second]
    #expect(verdicts(all) == [nil, nil, nil, nil, nil, nil, nil, .late])
  }

  @Test("a wrong date at the start gives way to those that outnumber it")
  func survivesWrongStart() {
    let wrong = 20_000 * Self.day
    let times = [wrong] + (0..<5).map { $0 * Self.second }
    #expect(verdicts(times) == [nil, .late, .late, nil, nil, nil])
  }

  @Test("several fixes of a wrong date give way to more of another")
  func survivesWrongRun() {
    let wrong = (0..<4).map { 20_000 * Self.day + $0 * Self.second }
    let right = (0..<10).map { $0 * Self.second }
    let expected =
      [Rejection.Reason?](repeating: nil, count: 4)
      + [Rejection.Reason?](repeating: .late, count: 5)
      + [Rejection.Reason?](repeating: nil, count: 5)
    #expect(verdicts(wrong + right) == expected)
  }

  @Test("an established clock is never taken back")
  func keepsEstablishedClock() {
    let first = (0..<20).map { 30 * Self.day + $0 * Self.second }
    let late = (0..<50).map { $0 * Self.second }
    #expect(verdicts(first + late).count { $0 == .late } == 50)
  }

  @Test("late fixes after a long but usual step stay late")
  func keepsSparseLateFixes() {
    #expect(verdicts([0, Self.day, 3 * Self.day, 2 * Self.day]) == [nil, nil, nil, .late])
    #expect(verdicts([0, Self.second, 700 * Self.second, 2 * Self.second]).last == .late)
  }

  @Test("a batch keeps its order and tells the lines of what it lost")
  func filtersBatch() {
    var batch = FixBatch()
    for (step, time) in [5, 3, 6, 1, 7].enumerated() {
      batch.append(fix(Int64(time), step: step), line: step + 1)
    }
    var filter = FixFilter()
    filter.filter(&batch)
    #expect(batch.fixes.map(\.line) == [1, 3, 5])
    #expect(batch.rejections.map(\.line) == [2, 4])
    #expect(batch.rejections.map(\.reason) == [.late, .late])
  }

  @Test("a batch is judged as its fixes one by one", arguments: UInt64(0)..<40)
  func batches(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Now and then something is amiss: never, seldom, often.
    let trouble = [0.0, 0.02, 0.3][Int(seed % 3)]
    var (whole, single) = (FixFilter(), FixFilter())
    var (time, step, track) = (Int64(1_000_000_000_000), 0, Int32(0))
    for _ in 0..<30 {
      var batch = FixBatch()
      var expected: [Int32] = []
      var reasons: [Rejection.Reason] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        step += 1
        time += Self.second
        var fix = fix(time, step: step, track: track)
        if Double.random(in: 0..<1, using: &random) < trouble {
          switch Int.random(in: 0..<8, using: &random) {
          case 0: fix.timeMilliseconds = nil
          case 1: fix.timeMilliseconds = time - Self.second
          case 2: fix.coordinate.latitudeDegrees = 0
          case 3: fix.coordinate = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
          case 4: fix.coordinate.longitudeDegrees = .nan
          case 5: time += Self.hour * Int64.random(in: 1...50, using: &random)
          case 6: time -= Self.hour * Int64.random(in: 1...50, using: &random)
          default: track += 1
          }
        }
        batch.append(fix, line: step)
        if let reason = single.reject(fix) {
          reasons.append(reason)
        } else {
          expected.append(Int32(step))
        }
      }
      whole.filter(&batch)
      #expect(batch.fixes.map(\.line) == expected)
      #expect(batch.rejections.map(\.reason) == reasons)
    }
  }
}
