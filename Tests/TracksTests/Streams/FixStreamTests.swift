import FencepostTracks
import FencepostFiles
import FencepostTime
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import Glibc
import Testing

@Suite("A stream turns bytes into accepted fixes")
struct FixStreamTests {
  private static let nmea = sentences(
    "GPRMC,235958.00,A,4807.0380,N,01131.0000,E,022.4,084.4,230394,003.1,W",
    "GPRMC,235958.00,V,4807.0380,N,01131.0000,E,022.4,084.4,230394,003.1,W",
    "GPRMC,235959.00,A,0000.0000,N,00000.0000,E,022.4,084.4,230394,003.1,W",
    "GPRMC,235957.00,A,4807.0382,N,01131.0000,E,022.4,084.4,230394,003.1,W",
    "GPRMC,000000.00,A,4807.0390,N,01131.0010,E,022.4,084.4,240394,003.1,W",
    "GPRMC,000001.00,V,,,,,,,240394,,")

  @Test("and counts every rejection by its reason")
  func countsRejections() throws {
    var stream = FixStream()
    var batch = FixBatch()
    let bytes = Self.nmea + Array("$GPRMC,000002.00,A,4807.04,N,01131.00,E,1,2,240394,,*00\n".utf8)
    try stream.feed(bytes.span, into: &batch)
    try stream.finish(into: &batch)
    #expect(stream.format == .nmea)
    #expect(stream.acceptedCount == 2)
    #expect(batch.fixes.count == 2)
    #expect(
      Dictionary(uniqueKeysWithValues: stream.rejectionCounts.nonZero.map { ($0.reason, $0.count) })
        == [.nullIsland: 1, .late: 1, .void: 1, .checksum: 1])
    #expect(stream.rejectionCounts.total == batch.rejections.count)
  }

  @Test("in the same way wherever the bytes are cut, compressed or not")
  func doesNotDependOnCuts() {
    let plain = DecoderVerifier.verify(Self.nmea, sortsRejections: true) { StreamDecoder() }
    #expect(plain.fixes.count == 2)
    let members =
      Gzip.member(Array(Self.nmea.prefix(100))) + Gzip.member(Array(Self.nmea.dropFirst(100)))
    #expect(DecoderVerifier.verify(members, sortsRejections: true) { StreamDecoder() } == plain)
  }

  @Test("and ends at damaged compression, after everything before it")
  func survivesDamagedGzip() {
    let whole = Gzip.member(Self.nmea)
    let outcome = DecoderVerifier.verify(Array(whole.dropLast(12)), sortsRejections: true) {
      StreamDecoder()
    }
    #expect(outcome.fixes.count == 2)
    #expect(outcome.error?.sentence.contains("gzip") == true)
    var wrong = whole
    wrong[wrong.count - 8] ^= 1
    let damaged = DecoderVerifier.verify(wrong, sortsRejections: true) { StreamDecoder() }
    #expect(damaged.fixes.count == 2)
    #expect(damaged.error?.sentence.contains("damaged") == true)
  }

  @Test("and accepts 0,0 on request")
  func keepsNullIsland() {
    let options = FixStreamOptions(keepsNullIsland: true)
    let outcome = DecoderVerifier.verify(Self.nmea, sortsRejections: true) {
      StreamDecoder(options: options)
    }
    #expect(outcome.count(.nullIsland) == 0)
    #expect(outcome.fixes.contains { $0.coordinate.latitudeDegrees == 0 })
  }

  @Test("and holds nothing back for a date if the first one is given")
  func takesStartDate() throws {
    let options = FixStreamOptions(startDate: CivilDate(year: 2026, month: 12, day: 31))
    var stream = FixStream(options: options)
    var batch = FixBatch()
    let gga = ["235958", "235959", "000000"].map {
      "GPGGA,\($0),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    }
    try stream.feed(sentences(gga[0], gga[1], gga[2]).span, into: &batch)
    #expect(batch.fixes.count == 2)
    try stream.finish(into: &batch)
    let outcome = Outcome(fixes: batch.fixes)
    #expect(
      outcome.times == ["2026-12-31T23:59:58Z", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"])
  }

  @Test(
    "and returns everything before an error", .enabled(if: Corpus.isThere, Corpus.comment))
  func deliversBeforeErrors() throws {
    let bytes = try Corpus.bytes("gpx/malformed/truncated_half.gpx")
    let outcome = DecoderVerifier.verify(bytes, splits: 3, sortsRejections: true) {
      StreamDecoder()
    }
    #expect(outcome.fixes.count > 500)
    #expect(outcome.error?.line != nil)
  }

  @Test("and never fills the memory with an endless item")
  func boundsMemory() async {
    // In a process of its own, because the memory of other tests would count too.
    await #expect(processExitsWith: .success) {
      let before = Self.residentBytes
      #expect(before > 0)
      for start in [
        "$GPRMC,", "$GPRMC,1,$", "{\"class\":\"TPV\",\"x\":\"",
        "{\"_type\":\"location\"}\n{\"a\":[", "time,lat,lon\n\"", "time,lat,lon\n1,2,",
        "<gpx><trk><name>", "<gpx><!-- ", "<gpx a=\"", " ", "x",
      ] {
        Self.expectBoundedMemory(start, from: before)
      }
    }
  }

  /// Feeds a stream 96 MiB behind the beginning of an item that does not end.
  private static func expectBoundedMemory(_ start: String, from before: Int) {
    var stream = FixStream()
    var batch = FixBatch()
    let filler = [UInt8](repeating: UInt8(ascii: start == " " ? " " : "a"), count: 1 << 20)
    var error: DecodeError?
    do throws(DecodeError) {
      try stream.feed(Array(start.utf8).span, into: &batch)
      for _ in 0..<96 { try stream.feed(filler.span, into: &batch) }
      try stream.finish(into: &batch)
    } catch let failure {
      error = failure
    }
    #expect(residentBytes - before < 48 << 20, "\(start): \(error.debugDescription)")
    #expect(batch.fixes.isEmpty, "\(start)")
  }

  private static var residentBytes: Int {
    guard var source = try? ByteSource(path: "/proc/self/statm") else { return 0 }  // Linux only.
    var bytes: [UInt8] = []
    _ = try? source.read(into: &bytes)
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return (Int(fields.dropFirst().first ?? "") ?? 0) * 4096
  }
}
