import FencepostFixes
import Foundation
import FencepostGeodesy
import TestSupport
import Testing

@Suite("The filter of fixes")
struct FixFilterTests {
  private static let second: Int64 = 1000
  private static let hour: Int64 = 3_600_000

  private func verdict(
    _ coordinate: Coordinate, keepsNullIsland: Bool = false
  ) -> Rejection.Reason? {
    var batch = FixBatch()
    batch.append(Fix(coordinate: coordinate), line: 1)
    var filter = FixFilter(keepsNullIsland: keepsNullIsland)
    filter.filter(&batch)
    #expect(batch.fixes.count + batch.rejections.count == 1)
    return batch.rejections.first?.reason
  }

  @Test(
    "coordinates out of range or not finite are rejected",
    arguments: [
      (90.000001, 0.5), (-90.000001, 0.5), (1, 180.000001), (1, -180.000001), (.nan, 1), (1, .nan),
      (.infinity, 1), (1, -.infinity),
    ])
  func rejectsCoordinates(latitude: Double, longitude: Double) {
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    #expect(verdict(coordinate) == .coordinate)
  }

  @Test(
    "coordinates at the edges of the range are accepted",
    arguments: [(90.0, 180.0), (-90, -180), (0, 1), (1, 0)])
  func acceptsEdges(latitude: Double, longitude: Double) {
    let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    #expect(verdict(coordinate) == nil)
  }

  @Test("0,0 is rejected unless it is kept, in either sign of zero", arguments: [0.0, -0.0])
  func rejectsNullIsland(zero: Double) {
    let coordinate = Coordinate(latitudeDegrees: zero, longitudeDegrees: 0)
    #expect(verdict(coordinate) == .nullIsland)
    #expect(verdict(coordinate, keepsNullIsland: true) == nil)
  }

  @Test("a worse accuracy than the user accepts is rejected in every trk, until the rule changes")
  func rejectsInaccurate() {
    var fixes = FilteredFixes.path([10, 20, 30, 40, 50])
    for (index, accuracy) in [Float(80), 80.5, .nan, 17_000, 5].enumerated() {
      fixes[index].accuracyMeters = accuracy
      fixes[index].trackIndex = index < 3 ? 0 : 1
      fixes[index].line = Int32(index + 1)
    }
    var filter = FixFilter(maxAccuracyMeters: 80)
    let filtered = FilteredFixes(fixes, filter: filter)
    #expect(filtered.rejected == [2: .inaccurate, 4: .inaccurate])
    #expect(filtered == FilteredFixes(fixes, batchCount: 1, filter: filter))
    #expect(FilteredFixes(fixes).rejected.isEmpty)
    var batch = FixBatch()
    batch.fixes = fixes
    filter.maxAccuracyMeters = nil
    filter.filter(&batch)
    #expect(batch.fixes.count == 5)
  }

  @Test("each trk has its own times")
  func judgesTracksApart() {
    #expect(
      FilteredFixes.verdicts([10, 20, 5, 6, 4], tracks: [0, 0, 1, 1, 1])
        == [nil, nil, nil, nil, .late])
  }

  @Test("fixes without a time are accepted between others and change nothing")
  func acceptsUntimed() {
    #expect(FilteredFixes.verdicts([10, nil, 9, nil, 11]) == [nil, nil, .late, nil, nil])
    #expect(FilteredFixes.verdicts([nil, nil, nil]) == [nil, nil, nil])
  }

  @Test("the same time at the same position is a duplicate, at another it is not")
  func rejectsDuplicates() {
    let steps: [(time: Int64?, step: Int)] = [
      (10, 0), (10, 0), (10, 1), (11, 1), (nil, 2), (nil, 2),
    ]
    let path = FilteredFixes.path([Int64?](repeating: nil, count: 3))
    let fixes = steps.enumerated().map { index, step in
      var fix = path[step.step]
      fix.timeMilliseconds = step.time
      fix.line = Int32(index + 1)
      return fix
    }
    let filtered = FilteredFixes(fixes)
    #expect(filtered.rejected == [2: .duplicate])
    #expect(filtered == FilteredFixes(fixes, batchCount: 1))
  }

  @Test("a batch keeps its order and reports the lines of rejected fixes")
  func filtersBatch() {
    var batch = FixBatch()
    batch.fixes = FilteredFixes.path([5, 3, 6, 1, 7])
    var filter = FixFilter()
    filter.filter(&batch)
    #expect(batch.fixes.map(\.line) == [1, 3, 5])
    #expect(filter.heldCount == 2)
    #expect(filter.heldRejections.map(\.line) == [2, 4])
    filter.finish(into: &batch)
    #expect(filter.heldCount == 0)
    #expect(batch.rejections.map(\.line) == [2, 4])
    #expect(batch.rejections.map(\.reason) == [.late, .late])
  }

  @Test("fixes that are already judged stay in place")
  func filtersFrom() {
    var batch = FixBatch()
    batch.fixes = FilteredFixes.path([9, 3, 20, 21])
    var filter = FixFilter()
    filter.filter(&batch, from: 2)
    #expect(batch.fixes.map(\.line) == [1, 2, 3, 4])
  }

  /// Fixes that are never, seldom or often wrong.
  private static func troubled(seed: UInt64) -> [Fix] {
    var random = SplitMix64(seed: seed)
    let trouble = [0.0, 0.02, 0.3][Int(seed % 3)]
    var (time, track) = (Int64(1_000_000_000_000), Int32(0))
    return FilteredFixes.path([Int64?](repeating: nil, count: 600)).map { fix in
      var fix = fix
      time += second
      fix.timeMilliseconds = time
      if Double.random(in: 0..<1, using: &random) < trouble {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: fix.timeMilliseconds = nil
        case 1: fix.timeMilliseconds = time - second
        case 2: fix.coordinate.latitudeDegrees = 0
        case 3: fix.coordinate = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
        case 4: fix.coordinate.longitudeDegrees = .nan
        case 5: time += hour * Int64.random(in: 1...50, using: &random)
        case 6: time -= hour * Int64.random(in: 1...50, using: &random)
        case 7: fix.timeMilliseconds = time + hour * Int64.random(in: -50...50, using: &random)
        default: track += 1
        }
      }
      fix.trackIndex = track
      return fix
    }
  }

  @Test("the result does not depend on how fixes are batched", arguments: UInt64(0)..<40)
  func batches(seed: UInt64) {
    let fixes = Self.troubled(seed: seed)
    let whole = FilteredFixes(fixes)
    #expect(whole.accepted.count + whole.rejected.count == fixes.count)
    for count in [1, 2, 7, 61, 300] {
      #expect(FilteredFixes(fixes, batchCount: count) == whole, "\(count) at a time")
    }
  }

  @Test("saving a filter as JSON and restoring it at every fix changes nothing")
  func survivesSaving() throws {
    for seed in [1, 2, 5, 8] as [UInt64] {
      var fixes = Self.troubled(seed: seed)
      for index in fixes.indices where index % 3 == 0 { fixes[index].accuracyMeters = 4.25 }
      var (whole, parts) = (FixFilter(), FixFilter())
      var (expected, found) = (FixBatch(), FixBatch())
      var mostHeld = 0
      for fix in fixes {
        let start = (expected.fixes.count, found.fixes.count)
        expected.fixes.append(fix)
        whole.filter(&expected, from: start.0)
        found.fixes.append(fix)
        parts.filter(&found, from: start.1)
        mostHeld = max(mostHeld, parts.heldCount)
        parts = try JSONDecoder().decode(FixFilter.self, from: JSONEncoder().encode(parts))
      }
      // As text, members that are not a number are equal too.
      #expect(found.fixes.map { "\($0)" } == expected.fixes.map { "\($0)" })
      #expect(found.rejections == expected.rejections)
      #expect(mostHeld > 0)
    }
  }

  /// A filter that holds a fix back, in JSON.
  private static func saved(held latitude: String, _ longitude: String, last: String) -> String {
    """
    {"keepsNullIsland":false,"trackIndex":0,\(last),"lastMilliseconds":2000,"arrivedCount":3,\
    "believed":{"times":[1000,2000],"arrivals":[1,2],"older":[]},"refused":[],\
    "held":[{"arrival":3,"\(latitude)":39.5,"\(longitude)":-75.25,"time":900,"track":0,\
    "segment":0,"accuracy":2143289344,"speed":2143289344,"course":2143289344,"line":7}]}
    """
  }

  @Test("a filter and the fixes that it holds are read with the former names of positions")
  func formerNames() throws {
    let former = Self.saved(
      held: "latitude", "longitude", last: #""lastLatitudeDegrees":40,"lastLongitudeDegrees":-75"#)
    let today = Self.saved(held: "lat", "lon", last: #""last":{"lat":40,"lon":-75}"#)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let written = try [former, today].map { json in
      let filter = try JSONDecoder().decode(FixFilter.self, from: Data(json.utf8))
      #expect(filter.heldCount == 1)
      return String(decoding: try encoder.encode(filter), as: UTF8.self)
    }
    #expect(written[0] == written[1])
    #expect(written[0].contains(#""last":{"lat":40,"lon":-75}"#))
    #expect(written[0].contains(#""lat":39.5"#) && !written[0].contains("atitude"))
  }

  @Test("a filter saved by an older version is restored")
  func readsOlder() throws {
    func saved(count: Int) throws -> FixFilter {
      let first = 1_000_000_000_000
      let last = first + (count - 1) * 1000
      let text = """
        {"keepsNullIsland":true,"trackIndex":0,"lastLatitudeDegrees":1,"lastLongitudeDegrees":2,\
        "lastMilliseconds":\(last),"newestMilliseconds":\(last),\
        "run":{"count":\(count),"firstMilliseconds":\(first),"lastMilliseconds":\(last)},\
        "lateRun":{"count":0,"firstMilliseconds":\(Int64.min),"lastMilliseconds":\(Int64.min)},\
        "beforeLeapMilliseconds":\(Int64.min)}
        """
      return try JSONDecoder().decode(FixFilter.self, from: Data(text.utf8))
    }
    // An hour earlier: an established clock stays, another is overruled.
    let times = (0..<100).map { 999_996_000_000 + Int64($0) * Self.second }
    let established = FilteredFixes(FilteredFixes.path(times), filter: try saved(count: 500))
    #expect(established.count(.late) == 100)
    let young = FilteredFixes(FilteredFixes.path(times), filter: try saved(count: 3))
    #expect(young.accepted.count == 100)
  }
}
