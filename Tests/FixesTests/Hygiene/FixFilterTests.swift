import Fixes
import Geodesy
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
}
