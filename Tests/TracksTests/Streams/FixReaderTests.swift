import FencepostTracks
import FencepostFiles
import FencepostFixes
import FencepostFormats
import Glibc
import Testing

@Suite("Files are read into fixes")
struct FixReaderTests {
  private func read(_ path: String) throws -> (
    outcome: Outcome, format: TrackFormat?, counts: RejectionCounts, error: FixSourceError?
  ) {
    var reader = try FixReader(path: path)
    var outcome = Outcome()
    var batch = FixBatch()
    var failure: FixSourceError?
    do throws(FixSourceError) {
      while try reader.read(into: &batch) { outcome.take(batch) }
    } catch {
      failure = error
      // The error is thrown again.
      #expect(throws: error) { try reader.read(into: &batch) }
    }
    #expect(reader.acceptedCount == outcome.fixes.count)
    #expect(reader.rejectionCounts.total == outcome.rejections.count)
    return (outcome, reader.format, reader.rejectionCounts, failure)
  }

  @Test("a missing file and a directory are reported by name")
  func reportsMissing() {
    for (path, word) in [("/no/such/walk.gpx", "no such file"), ("/", "is a directory")] {
      let error = #expect(throws: FixSourceError.self) { _ = try FixReader(path: path) }
      #expect(error?.description.contains(path) == true)
      #expect(error?.description.contains(word) == true)
    }
  }

  @Test(
    "every GPX recording gives as many fixes as it has points, less those rejected",
    .enabled(if: Corpus.isThere, Corpus.comment), arguments: Corpus.files("gpx/"))
  func countsGPX(file: String) throws {
    let (outcome, format, counts, error) = try read(Corpus.path(file))
    guard !file.contains("malformed") else { return }
    #expect(error == nil)
    #expect(format == .gpx)
    let reference = try #require(Corpus.reference[file])
    let points = reference["lxml"]
    let expected = ["trkpt", "rtept", "wpt"].lazy.compactMap { points?[$0]?.integer }.first {
      $0 > 0
    }
    #expect(outcome.fixes.count + counts.total == expected ?? 0)
    #expect(
      Set(counts.nonZero.map(\.reason)).isSubset(of: [.late, .duplicate, .nullIsland, .coordinate]))
    if reference["gpxpy"]?["times_backwards"]?.integer == 0 { #expect(counts[.late] == 0) }
    // A duplicate has the time of the fix before it.
    let repeated = reference["gpxpy"]?["times_repeated"]?.integer ?? Int.max
    #expect(counts[.duplicate] <= repeated)
  }

  @Test(
    "every NMEA recording gives as many fixes as the references found, less those rejected",
    .enabled(if: Corpus.isThere, Corpus.comment),
    arguments: Corpus.files("nmea/").filter { !$0.contains("malformed") })
  func countsNMEA(file: String) throws {
    let (outcome, format, counts, error) = try read(Corpus.path(file))
    #expect(error == nil)
    #expect(format == .nmea)
    let reference = try #require(Corpus.reference[file]?["pynmeagps"])
    let judged = counts[.late] + counts[.duplicate] + counts[.nullIsland]
    #expect(outcome.fixes.count + judged == reference["fixes_epoch"]?.integer)
    #expect(
      judged == 0 || reference["times_backwards"]?.integer != 0 || file.contains("210")
        || file.contains("315"))
  }

  /// The outcome of a malformed file: format, fixes, and a word of the error.
  static let malformed: [(String, TrackFormat?, Int, String?)] = [
    ("nmea/malformed/all_checksums_wrong.nmea", .nmea, 0, nil),
    ("nmea/malformed/no_checksums.nmea", .nmea, 154, nil),
    ("nmea/malformed/bit_flips.nmea", .nmea, 154, nil),
    ("nmea/malformed/cut_mid_sentence.nmea", .nmea, 66, nil),
    ("nmea/malformed/cr_only.nmea", .nmea, 154, nil),
    ("nmea/malformed/joined_lines.nmea", .nmea, 154, nil),
    ("nmea/malformed/long_line.nmea", .nmea, 154, nil),
    ("nmea/malformed/gpx_named.nmea", .gpx, 1101, nil),
    ("nmea/malformed/random_bytes.nmea", nil, 0, "unknown format"),
    ("gpx/malformed/error_text.gpx", nil, 0, "unknown format"),
    ("gpx/malformed/nmea_named.gpx", .nmea, 154, nil),
    ("gpx/malformed/gzip_named.gpx", .nmea, 0, nil),
    ("gpx/malformed/empty_file.gpx", nil, 0, "empty"),
    ("gpx/malformed/html_error_page.gpx", nil, 0, "HTML"),
    ("gpx/malformed/truncated_half.gpx", .gpx, 549, "line 2757"),
    ("gpx/malformed/truncated_endtag.gpx", .gpx, 1101, "line"),
    ("gpx/malformed/trailing_garbage.gpx", .gpx, 1101, "line 5520"),
    ("gpx/malformed/mismatched_tag.gpx", .gpx, 315, "line 1581"),
    ("gpx/malformed/unescaped_ampersand.gpx", .gpx, 0, "line 6"),
    ("gpx/malformed/invalid_utf8.gpx", .gpx, 0, "UTF-8"),
    ("gpx/malformed/nul_bytes.gpx", .gpx, 22, "line 117"),
    ("gpx/malformed/xxe_file.gpx", .gpx, 0, "entity"),
    ("gpx/malformed/billion_laughs.gpx", .gpx, 0, "entity"),
    ("gpx/malformed/lat_missing.gpx", .gpx, 1100, nil),
    ("gpx/malformed/lat_text.gpx", .gpx, 1100, nil),
    ("gpx/malformed/lat_nan_inf.gpx", .gpx, 1099, nil),
    ("gpx/malformed/lat_comma.gpx", .gpx, 1100, nil),
    ("gpx/malformed/lat_out_of_range.gpx", .gpx, 1100, nil),
    ("gpx/malformed/time_garbage.gpx", .gpx, 1101, nil),
    ("gpx/malformed/time_impossible.gpx", .gpx, 1101, nil),
  ]

  @Test(
    "a malformed file gives its good fixes and an error",
    .enabled(if: Corpus.isThere, Corpus.comment), arguments: malformed)
  func endsMalformed(file: String, format: TrackFormat?, fixes: Int, word: String?) throws {
    let path = try Corpus.path(file)
    let result = try read(path)
    #expect(result.format == format)
    #expect(result.outcome.fixes.count == fixes)
    if let word {
      let description = try #require(result.error).description
      #expect(description.hasPrefix(path + ": "))
      #expect(description.contains(word))
    } else {
      #expect(result.error == nil)
    }
  }

  @Test("the table of malformed files is complete", .enabled(if: Corpus.isThere, Corpus.comment))
  func knowsAllMalformed() {
    let files = Corpus.files("nmea/malformed") + Corpus.files("gpx/malformed")
    #expect(Set(files) == Set(Self.malformed.map(\.0)))
  }

  @Test("all other faults are counted", .enabled(if: Corpus.isThere, Corpus.comment))
  func countsWrong() throws {
    #expect(
      try read(Corpus.path("nmea/malformed/all_checksums_wrong.nmea")).counts[.checksum] == 894)
    #expect(try read(Corpus.path("nmea/malformed/long_line.nmea")).counts[.tooLong] == 1)
    #expect(try read(Corpus.path("gpx/edge/null_island.gpx")).counts[.nullIsland] == 637)
    #expect(try read(Corpus.path("gpx/edge/lon_180_877.gpx")).counts[.coordinate] == 1)
    #expect(try read(Corpus.path("nmea/gpsd/eXplorist110.log")).counts[.void] > 0)
  }

  private func read(
    table text: String, maxAccuracyMeters: Double? = nil
  ) throws -> (batch: FixBatch, notices: [String]) {
    var reader = FixReader(
      ByteSource(bytes: Array(text.utf8), name: "walk.csv"),
      options: FixStreamOptions(maxAccuracyMeters: maxAccuracyMeters))
    var (batch, all) = (FixBatch(), FixBatch())
    while try reader.read(into: &batch) {
      all.fixes += batch.fixes
      all.rejections += batch.rejections
    }
    return (all, reader.notices)
  }

  @Test("fixes that are too inaccurate are named, and left out by an option")
  func inaccurate() throws {
    let text = "time,lat,lon,accuracy\n0,1,2,5\n9,1,3,17000\n18,1,2,\n27,1,2,80.5\n"
    let whole = try read(table: text)
    #expect(whole.batch.fixes.count == 4)
    #expect(whole.notices.contains { $0.contains("up to 17 km") && $0.contains("--max-accuracy") })
    let part = try read(table: text, maxAccuracyMeters: 80)
    #expect(part.batch.fixes.map(\.line) == [2, 4])
    #expect(part.batch.rejections.map(\.reason) == [.inaccurate, .inaccurate])
    #expect(part.batch.rejections.map(\.line) == [3, 5])
    #expect(part.notices.allSatisfy { !$0.contains("--max-accuracy") })
  }

  @Test("a file without any position says so")
  func nothingRead() throws {
    let notices = try read(table: "time,lat,lon\n").notices
    #expect(notices == ["the CSV has no position that Fencepost reads"])
  }

  @Test("tables in Windows-1252 are read, and said to be")
  func windows1252() throws {
    let text = "Datum;Uhrzeit;Breite;L\u{E4}nge\n4.3.2026;17:00:00;52,1;11,6\n"
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    let outcome = DecoderVerifier.verify(bytes) { StreamDecoder() }
    #expect(outcome.times == ["2026-03-04T17:00:00Z"])
    var reader = FixReader(ByteSource(bytes: bytes, name: "walk.csv"))
    var batch = FixBatch()
    while try reader.read(into: &batch) {}
    #expect(reader.notices == ["it is not in UTF-8, so Fencepost read it as Windows-1252"])
  }

  @Test("a compressed file that expands a great deal comes in ordinary batches")
  func batchesOfCompressed() throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    var source = try ByteSource(path: folder + "/Tools/fuzz/seeds/stream/repeated.csv.gz")
    var member: [UInt8] = []
    _ = try source.read(into: &member)
    // Concatenated members are one file: 20 MB of text in about 70 kB.
    let path = "/tmp/fencepost-\(getpid())-repeated.csv.gz"
    // The file stays open until it is closed here, and the bytes live as long.
    guard let file = unsafe fopen(path, "w") else {
      throw FixSourceError(name: path, cause: .contents(DecodeError("not made")))
    }
    for _ in 0..<200 {
      let written = unsafe fwrite(member, 1, member.count, file)
      #expect(written == member.count)
    }
    unsafe _ = fclose(file)
    defer { unsafe _ = unlink(path) }
    var reader = try FixReader(path: path)
    var batch = FixBatch()
    var (most, total) = (0, 0)
    while try reader.read(into: &batch) {
      most = max(most, batch.fixes.count + batch.rejections.count)
      total += batch.fixes.count + batch.rejections.count
    }
    #expect(total == 200 * 4001 - 1)
    #expect(most < 50_000)
  }
}
