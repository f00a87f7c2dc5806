import FencepostTracks
import FencepostTime
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import Testing

/// Compares real files with the results of independent readers.
@Suite("GPX recordings", .enabled(if: Corpus.isThere, Corpus.comment))
struct GPXCorpusTests {
  /// Files whose expected outcome is not what the reference readers report; tested by name below.
  private static func isOrdinary(_ file: String) -> Bool {
    !file.hasPrefix("gpx/malformed/") && Corpus.reference[file]?["gpxpy"]?["trkpt"] != nil
  }

  @Test(
    "give the fixes, segments and times that gpxpy found",
    arguments: Corpus.files("gpx/").filter(isOrdinary))
  func facts(file: String) throws {
    let outcome = GPXReading.outcome(of: try Corpus.bytes(file))
    let facts = try #require(Corpus.reference[file]?["gpxpy"])
    let lxml = Corpus.reference[file]?["lxml"]
    func count(_ key: String) -> Int { facts[key]?.integer ?? 0 }
    // gpxpy does not see prefixed elements; lxml does.
    let trackPoints = max(count("trkpt"), lxml?["trkpt"]?.integer ?? 0)
    let points =
      trackPoints > 0 ? trackPoints : count("rtept") > 0 ? count("rtept") : count("wpt")
    #expect(outcome.error == nil)
    #expect(outcome.fixes.count == points - outcome.count(.coordinate))
    #expect(outcome.count(.coordinate) == count("trkpt_out_of_range"))
    guard count("trkpt") > 0 else { return }
    let times = outcome.fixes.compactMap(\.timeMilliseconds)
    #expect(times.count == count("trkpt_with_time") - (outcome.count(.coordinate) > 0 ? 1 : 0))
    if outcome.count(.coordinate) == 0 {
      #expect(
        times.first.map { ISO8601.string(milliseconds: $0) }
          == facts["first_time"]?.string.map(trimmed))
      #expect(
        times.last.map { ISO8601.string(milliseconds: $0) }
          == facts["last_time"]?.string.map(trimmed))
      #expect(same(outcome.fixes.first, facts["first_fix"]))
      #expect(same(outcome.fixes.last, facts["last_fix"]))
    }
  }

  /// The reference always writes milliseconds, this project only if there are any.
  private func trimmed(_ time: String) -> String {
    time.hasSuffix(".000Z") ? String(time.dropLast(5)) + "Z" : time
  }

  private func same(_ fix: Fix?, _ pair: JSONValue?) -> Bool {
    guard let fix, let latitude = pair?.array?.first?.double,
      let longitude = pair?.array?.last?.double
    else { return fix == nil && pair == nil }
    return fix.coordinate.latitudeDegrees == latitude
      && fix.coordinate.longitudeDegrees == longitude
  }

  @Test(
    "re-encoded in UTF-16, with CR LF, prefixes or on one line give the same fixes",
    arguments: ["utf16le_bom", "utf16be_bom", "crlf", "prefixed_namespace", "one_line"])
  func encodings(name: String) throws {
    let original = GPXReading.outcome(of: try Corpus.bytes("gpx/paderborn_ride_4seg.gpx"))
    let encoded = GPXReading.outcome(of: try Corpus.bytes("gpx/edge/\(name).gpx"))
    #expect(encoded.error == nil)
    #expect(encoded.fixes.count == 1101)
    for (a, b) in zip(original.fixes, encoded.fixes) {
      var a = a
      a.line = b.line
      #expect(Outcome.isSame(a, b))
    }
  }

  @Test(
    "that are malformed end in an error with a line, after the fixes before",
    arguments: [
      ("error_text", 0), ("gzip_named", 0), ("empty_file", 0), ("html_error_page", 0),
      ("nmea_named", 0), ("truncated_half", nil), ("truncated_endtag", 1101),
      ("trailing_garbage", 1101), ("mismatched_tag", nil), ("unescaped_ampersand", 0),
      ("invalid_utf8", nil), ("nul_bytes", nil), ("xxe_file", 0), ("billion_laughs", 0),
    ] as [(String, Int?)])
  func malformed(name: String, count: Int?) throws {
    let outcome = GPXReading.outcome(of: try Corpus.bytes("gpx/malformed/\(name).gpx"))
    let error = try #require(outcome.error)
    #expect(error.line != nil)
    if let count {
      #expect(outcome.fixes.count == count)
    } else {
      #expect(outcome.fixes.count < 1101)
    }
  }

  @Test(
    "with one bad point lose that point only",
    arguments: [
      ("lat_missing", 1), ("lat_text", 1), ("lat_nan_inf", 2), ("lat_comma", 1),
      ("lat_out_of_range", 1),
    ])
  func badPoints(name: String, refused: Int) throws {
    let outcome = GPXReading.outcome(of: try Corpus.bytes("gpx/malformed/\(name).gpx"))
    #expect(outcome.error == nil)
    #expect(outcome.fixes.count == 1101 - refused)
    #expect(outcome.rejections.map(\.reason) == Array(repeating: .coordinate, count: refused))
    #expect(outcome.rejections.allSatisfy { ($0.line ?? 0) > 1 })
  }

  @Test("with a bad time keep the fix without it", arguments: ["time_garbage", "time_impossible"])
  func badTimes(name: String) throws {
    let outcome = GPXReading.outcome(of: try Corpus.bytes("gpx/malformed/\(name).gpx"))
    #expect(outcome.error == nil)
    #expect(outcome.fixes.count == 1101)
    #expect(outcome.fixes.count { $0.timeMilliseconds == nil } == outcome.count(.time))
    #expect(outcome.count(.time) >= 1)
  }
}
