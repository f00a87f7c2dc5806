import FencepostFixes
import FencepostFormats
import FencepostTracks
import Testing

/// Counts what is looked at again, since a quadratic reader is fast on small inputs.
///
/// Only debug builds count.
@Suite("Sources in tiny pieces")
struct TinyPieceTests {
  private static let most = 24

  @Test(
    "are recognized without judging all bytes at each line", arguments: ["#x\n", "\n", "a>", "x"])
  func recognition(piece: String) {
    var decoder = TrackDecoder()
    var batch = FixBatch()
    let bytes = Array(repeatElement(Array(piece.utf8), count: 60_000 / piece.utf8.count).joined())
    // Only the end decides.
    for byte in bytes { try? decoder.decode([byte].span, into: &batch) }
    #expect(decoder.format == nil)
    guard let judged = decoder.work.bytes else { return }
    #expect(judged > bytes.count / 2)
    #expect(judged < Self.most * bytes.count)
  }

  @Test("are recognized at the line that decides, while there is little before it")
  func recognizesAtOnce() throws {
    var decoder = TrackDecoder()
    var batch = FixBatch()
    for byte in "# a comment\n# another one, of a logger\ntime,lat,lon\n".utf8 {
      try decoder.decode([byte].span, into: &batch)
    }
    #expect(decoder.format == .csv)
  }

  @Test("of a table without a header are searched as little")
  func tableHeads() throws {
    var reader = CSVReader()
    var head: CSVHead? = CSVHead()
    let count = 200_000
    for _ in 0..<count {
      _ = reader.push([0x0A].span, after: &head, namesColumns: { _ in false })
    }
    guard let searched = try #require(head).work.bytes else { return }
    #expect(searched < Self.most * count)
  }

  @Test(
    "of one row are scanned once",
    arguments: ["a", "a,", "\"\n", "\"\"", "\n\"", "\"a\"\"\r\n"])
  func rows(piece: String) throws {
    var reader = CSVReader()
    reader.push(Array("\"x\",\"".utf8).span)
    let bytes = Array(repeatElement(Array(piece.utf8), count: 200_000 / piece.utf8.count).joined())
    for byte in bytes {
      reader.push([byte].span)
      // Errors and rows are those of the whole, which other tests compare.
      while (try? reader.next()) ?? true {}
    }
    guard let scanned = reader.work.bytes else { return }
    #expect(scanned < 4 * bytes.count)
  }
}
