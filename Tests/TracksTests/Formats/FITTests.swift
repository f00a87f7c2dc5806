import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("FIT")
struct FITTests {
  /// 2026-03-04T17:00:00Z in Garmin's seconds.
  private static let start = 1_772_643_600 - 631_065_600
  private static let timestamp: [UInt8] = [253, 4, 0x86]
  private static let latitude: [UInt8] = [0, 4, 0x85]
  private static let longitude: [UInt8] = [1, 4, 0x85]

  private func read(_ bytes: [UInt8]) -> Outcome {
    DecoderVerifier.verify(bytes) { Undoubted() }
  }

  private func record(_ second: Int, _ latitude: Double, _ longitude: Double = 5) -> [UInt8] {
    FITBytes.number(Self.start + second, 4) + FITBytes.position(latitude, longitude)
  }

  private var plain: FITBytes {
    var fit = FITBytes()
    fit.define(0, message: 20, [Self.timestamp, Self.latitude, Self.longitude])
    return fit
  }

  @Test("records are fixes, in either byte order and with a header of either length")
  func records() {
    for isBigEndian in [false, true] {
      for headerBytes in [12, 14] {
        var fit = FITBytes()
        fit.define(
          0, message: 20,
          [Self.timestamp, Self.latitude, Self.longitude, [6, 2, 0x84], [31, 1, 2], [3, 1, 2]],
          isBigEndian: isBigEndian)
        fit.add(
          0,
          FITBytes.number(Self.start, 4, isBigEndian: isBigEndian)
            + FITBytes.position(45, -90, isBigEndian: isBigEndian)
            + FITBytes.number(2500, 2, isBigEndian: isBigEndian) + [7, 99])
        let outcome = read(fit.file(headerBytes: headerBytes))
        #expect(outcome.error == nil && outcome.rejections.isEmpty)
        #expect(outcome.times == ["2026-03-04T17:00:00Z"])
        #expect(outcome.fixes.first?.coordinate.latitudeDegrees == 45)
        #expect(outcome.fixes.first?.coordinate.longitudeDegrees == -90)
        #expect(outcome.fixes.first?.speedMetersPerSecond == 2.5)
        #expect(outcome.fixes.first?.accuracyMeters == 7)
      }
    }
  }

  @Test("a compressed header counts on from the last timestamp, also over its 32 seconds")
  func compressedTimestamps() {
    var fit = plain
    fit.define(1, message: 20, [Self.latitude, Self.longitude])
    fit.add(0, record(0, 45))
    let offset = UInt8(Self.start & 0x1F)
    fit.add(0x80 | 1 << 5 | (offset + 5) & 0x1F, FITBytes.position(46, 5))
    fit.add(0x80 | 1 << 5 | (offset + 4) & 0x1F, FITBytes.position(47, 5))
    let outcome = read(fit.file())
    #expect(
      outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:00:05Z", "2026-03-04T17:00:36Z"])
  }

  @Test("developer fields and odd field sizes are skipped")
  func developerFields() {
    var fit = FITBytes()
    fit.define(
      3, message: 20, [Self.timestamp, [9, 3, 0x84], Self.latitude, Self.longitude],
      developer: [[0, 2, 0], [1, 5, 0]])
    fit.add(
      3,
      FITBytes.number(Self.start, 4) + [1, 2, 3] + FITBytes.position(45, 5) + [1, 2, 3, 4, 5, 6, 7])
    let outcome = read(fit.file())
    #expect(outcome.fixes.map(\.coordinate.latitudeDegrees) == [45])
  }

  @Test("a pause and the end of a session begin a segment, another file a track")
  func segments() {
    var fit = plain
    fit.define(1, message: 21, [[0, 1, 0], [1, 1, 0]])
    fit.define(2, message: 18, [Self.timestamp])
    fit.add(1, [0, 0])
    fit.add(0, record(0, 45))
    fit.add(1, [0, 4])
    fit.add(1, [0, 0])
    fit.add(0, record(60, 46))
    // An event of another kind is no pause.
    fit.add(1, [9, 0])
    fit.add(0, record(70, 47))
    fit.add(2, FITBytes.number(Self.start + 80, 4))
    fit.add(0, record(90, 48))
    let outcome = read(fit.file() + fit.file())
    #expect(outcome.error == nil)
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 1, 1, 2, 3, 4, 4, 5])
    #expect(outcome.fixes.map(\.trackIndex) == [0, 0, 0, 0, 1, 1, 1, 1])
  }

  @Test("a record without a position is void, with its byte")
  func voids() {
    var fit = plain
    fit.add(
      0, FITBytes.number(Self.start, 4) + FITBytes.number(0x7FFF_FFFF, 4) + FITBytes.number(0, 4))
    let outcome = read(fit.file())
    #expect(outcome.fixes.isEmpty)
    #expect(outcome.rejections.map(\.reason) == [.void])
    #expect(outcome.rejections.first?.byteOffset == 14 + 15)
  }

  @Test("a wrong checksum is an error after all fixes; the next file is read all the same")
  func checksum() {
    var fit = plain
    fit.add(0, record(0, 45))
    let outcome = read(fit.file(checksumFault: 0x10) + fit.file())
    #expect(outcome.fixes.count == 2)
    #expect(outcome.error?.sentence.contains("checksum") == true)
    #expect(outcome.error?.byteOffset == 14 + fit.body.count)
  }

  @Test("a message without a definition ends the reading at its byte")
  func noDefinition() {
    var fit = plain
    fit.add(0, record(0, 45))
    let offset = 14 + fit.body.count
    fit.add(7, [1, 2, 3])
    let outcome = read(fit.file())
    #expect(outcome.fixes.count == 1)
    #expect(outcome.error?.byteOffset == offset)
    #expect(outcome.error?.sentence.contains("local type 7") == true)
  }

  @Test("a file that ends early keeps its fixes, and one without a length is read to its end")
  func truncated() throws {
    var fit = plain
    fit.add(0, record(0, 45))
    fit.add(0, record(1, 46))
    let cut = read(Array(fit.file().dropLast(5)))
    #expect(cut.fixes.count == 1)
    #expect(cut.error?.sentence == "the FIT file ends too early")
    let open = read(fit.file(statesLength: false))
    #expect(open.fixes.count == 2 && open.error == nil)
    // A device that lost its power wrote neither the length nor the checksum.
    let lost = read(Array(fit.file(statesLength: false).dropLast(2)))
    #expect(lost.fixes.count == 2 && lost.error == nil)
    let cutOpen = read(Array(fit.file(statesLength: false).dropLast(5)))
    #expect(cutOpen.fixes.count == 1)
    #expect(cutOpen.error?.sentence == "the FIT file ends too early")
    #expect(read(Array(fit.file().dropLast(2))).error != nil)
  }
}
