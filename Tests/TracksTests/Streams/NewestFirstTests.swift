import FencepostTracks
import FencepostTime
import FencepostFixes
import FencepostFormats
import Glibc
import Testing

@Suite("A source whose times run backwards")
struct NewestFirstTests {
  /// A table whose rows have the given seconds; the latitude encodes the second too.
  private static func table(_ seconds: [Int]) -> String {
    "time,lat,lon\n"
      + seconds.map { second in
        let time = ISO8601.string(milliseconds: 1_772_643_600_000 + Int64(second) * 1000)
        return "\(time),\(10 + Double(second) / 10_000),20\n"
      }.joined()
  }

  private func read(_ bytes: [UInt8]) throws -> (outcome: Outcome, isNewestFirst: Bool) {
    let path = "/tmp/fencepost-\(getpid())-\(UInt32.random(in: 0 ... .max)).track"
    // The file stays open until it is closed here, and the bytes live as long.
    guard let file = unsafe fopen(path, "w") else {
      throw FixSourceError(name: path, cause: .contents(DecodeError("not made")))
    }
    defer { unsafe _ = unlink(path) }
    #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
    unsafe _ = fclose(file)
    var reader = try FixReader(path: path)
    var outcome = Outcome()
    var batch = FixBatch()
    do throws(FixSourceError) {
      while try reader.read(into: &batch) { outcome.take(batch) }
    } catch {
      guard case .contents(let fault) = error.cause else { throw error }
      outcome.error = fault
    }
    #expect(reader.acceptedCount == outcome.fixes.count)
    #expect(reader.rejectionCounts.total == outcome.rejections.count)
    #expect(reader.notices.isEmpty == !reader.isNewestFirst)
    return (outcome, reader.isNewestFirst)
  }

  @Test("is read from its end, all 3,600 fixes, compressed or not")
  func table() throws {
    let text = Array(Self.table((0..<3600).reversed()).utf8)
    for bytes in [text, Gzip.member(text)] {
      let (outcome, isNewestFirst) = try read(bytes)
      #expect(isNewestFirst)
      #expect(outcome.rejections.isEmpty)
      #expect(outcome.fixes.map(\.line) == (2...3601).reversed())
      let times = outcome.fixes.map(\.rawTimeMilliseconds)
      #expect(times == times.sorted())
    }
  }

  @Test("may be short or have a wrong first time")
  func short() throws {
    #expect(try read(Array(Self.table([3, 2, 1]).utf8)).outcome.fixes.map(\.line) == [4, 3, 2])
    for odd in [-20_000, 20_000] {
      for count in [8, 400] {
        let seconds = [odd] + (0..<count).reversed()
        let (outcome, isNewestFirst) = try read(Array(Self.table(seconds).utf8))
        #expect(isNewestFirst)
        #expect(outcome.fixes.map(\.line).prefix(count) == (3...Int32(count + 2)).reversed()[...])
        #expect(outcome.count(.late) <= 1)
      }
    }
  }

  @Test("runs backwards to its end; any other is read as it comes, even if it begins backwards")
  func notThroughout() throws {
    let plain: [[Int]] = [
      [1, 2, 3], [3, 2], [5, 4, 6, 3, 7], (0..<3000).map { $0 }, [900, 899, 898] + (0..<800),
    ]
    for seconds in plain {
      let (outcome, isNewestFirst) = try read(Array(Self.table(seconds).utf8))
      #expect(!isNewestFirst)
      #expect(outcome.fixes.map(\.line) == outcome.fixes.map(\.line).sorted())
    }
    let beginning = (0..<100).reversed() + (0..<5000)
    let (outcome, isNewestFirst) = try read(Array(Self.table(Array(beginning)).utf8))
    #expect(!isNewestFirst)
    #expect(outcome.fixes.map(\.line).suffix(4990) == (112...5101).map { Int32($0) }[...])
  }

  @Test("has its segments and tracks numbered in the order in which they are traveled")
  func segments() throws {
    var gpx = #"<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">"#
    for (track, segments) in [[[29, 20], [19, 10]], [[9, 0]]].enumerated() {
      gpx += "<trk>"
      for segment in segments {
        gpx += "<trkseg>"
        for second in stride(from: segment[0], through: segment[1], by: -1) {
          let time = ISO8601.string(milliseconds: 1_772_643_600_000 + Int64(second) * 1000)
          gpx += "<trkpt lat=\"\(10 + track)\" lon=\"20.\(second)\"><time>\(time)</time></trkpt>"
        }
        gpx += "</trkseg>"
      }
      gpx += "</trk>"
    }
    let (outcome, isNewestFirst) = try read(Array((gpx + "</gpx>").utf8))
    #expect(isNewestFirst)
    #expect(
      outcome.fixes.map { $0.rawTimeMilliseconds / 1000 % 100 } == Array(0..<30).map(Int64.init))
    #expect(outcome.fixes.map(\.segmentIndex) == (0..<30).map { Int32($0 / 10) })
    #expect(outcome.fixes.map(\.trackIndex) == (0..<30).map { $0 < 10 ? 0 : 1 })
  }

  @Test("reports its faults, including an early end")
  func faulty() throws {
    var rows = Self.table((0..<2000).reversed()).split(
      separator: "\n", omittingEmptySubsequences: false)
    rows[700] = "no,row,at all"
    let member = Gzip.member(Array(rows.joined(separator: "\n").utf8))
    let (outcome, isNewestFirst) = try read(Array(member.dropLast(30)))
    #expect(isNewestFirst)
    #expect(outcome.error?.sentence.contains("too early") == true)
    #expect(outcome.fixes.count >= 1997 && outcome.rejections.contains { $0.line == 701 })
  }

  @Test("does not include one whose first fix is 5 h ahead")
  func recording() throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    var reader = try FixReader(path: folder + "/FixesTests/Filter/Recordings/first-ahead.csv")
    var batch = FixBatch()
    var lines: [Int32] = []
    while try reader.read(into: &batch) { lines += batch.fixes.map(\.line) }
    #expect(lines == Array(2...218))
    #expect(reader.rejectionCounts.total == 0 && !reader.isNewestFirst)
  }
}
