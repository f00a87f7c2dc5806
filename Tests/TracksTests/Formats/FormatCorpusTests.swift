import FencepostFixes
import FencepostFormats
import FencepostTracks
import Testing

@Suite("The track files of the corpus", .enabled(if: FormatCorpus.isThere, Corpus.comment))
struct FormatCorpusTests {
  static let files = FormatCorpus.files(
    "google_timeline", "google_takeout", "geojson", "mfjson", "overland", "owntracks_rec", "tcx",
    "kml")

  /// Files that break a rule of their format, by what is said of them.
  static let damaged: [String: String] = [
    "mfjson/ogc_prism_example.json": "unexpected"
  ]

  @Test("are there")
  func areThere() { #expect(Self.files.count >= 50) }

  @Test("give the fixes that an independent reader finds", arguments: files)
  func agrees(file: String) throws {
    let facts = try #require(FormatCorpus.reference[file])
    let outcome = DecoderVerifier.verify(
      try FormatCorpus.bytes(file), splits: 2, mostSingleBytes: 20_000
    ) { Undoubted() }
    guard facts["broken"] == nil else {
      let most = try #require(facts["at_most"]?.integer)
      #expect(outcome.fixes.count <= most)
      return
    }
    #expect(
      FormatCorpus.agrees(outcome, facts),
      "\(outcome.fixes.count) fixes, \(outcome.times.first ?? "") … \(outcome.times.last ?? "")")
    if let word = Self.damaged[file] {
      #expect(outcome.error?.sentence.contains(word) == true)
    } else {
      #expect(outcome.error == nil)
    }
  }

  @Test(
    "that are damaged say so",
    arguments: files.filter { FormatCorpus.reference[$0]?["broken"] != nil })
  func damage(file: String) throws {
    // One bit that makes another text of a text cannot be noticed.
    guard !file.contains("broken_flip_android") else { return }
    let outcome = DecoderVerifier.outcome(of: try FormatCorpus.bytes(file), cutAt: [], Undoubted())
    #expect(outcome.error != nil || !outcome.rejections.isEmpty)
  }
}

/// A decoder, fed in pieces as a file is, whose fixes are not filtered.
struct Undoubted: FixDecoder, ~Copyable {
  private var decoder: TrackDecoder

  init(format: TrackFormat? = nil) {
    decoder = TrackDecoder(options: FixStreamOptions(format: format))
  }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    var start = 0
    while start < bytes.count {
      let rest = bytes.extracting(start..<bytes.count)
      let count = decoder.pieceCount(of: rest)
      try decoder.decode(rest.extracting(first: count), into: &batch)
      start += count
    }
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try decoder.finish(into: &batch)
  }
}
