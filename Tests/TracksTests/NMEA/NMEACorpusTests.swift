import FencepostTracks
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import Testing

@Suite("NMEA recordings", .enabled(if: Corpus.isThere, Corpus.comment))
struct NMEACorpusTests {
  /// Two encodings and one other format: read where formats are told apart.
  static let files = Corpus.files("nmea/").filter {
    !$0.contains("utf16") && !$0.contains("gpx_named")
  }

  @Test(
    "epochs, first and last time and position agree with the reference readers", arguments: files)
  func agreesWithReference(file: String) throws {
    let reference = try #require(Corpus.reference[file]?["pynmeagps"])
    let bytes = try Corpus.bytes(file)
    let outcome = DecoderVerifier.verify(bytes) { NMEADecoder() }
    #expect(outcome.error == nil)
    // Where checksums are missing throughout, the reference has no count of its own.
    let hasChecksums = reference["sentences_ok"]?.integer != 0
    let key = hasChecksums ? "fixes_epoch" : "fixes_epoch_if_no_checksum_allowed"
    let expected = reference[key]?.integer ?? 0
    #expect(outcome.fixes.count == expected)
    guard hasChecksums, expected > 0 else { return }
    for (fix, key) in [(outcome.fixes.first, "first_fix"), (outcome.fixes.last, "last_fix")] {
      let position = try #require(reference[key]?.array).compactMap(\.double)
      let coordinate = try #require(fix).coordinate
      #expect(abs(coordinate.latitudeDegrees - position[0]) < 2e-7, "\(key)")
      #expect(abs(coordinate.longitudeDegrees - position[1]) < 2e-7, "\(key)")
    }
    if reference["dated"]?.boolean == true {
      let timed = outcome.fixes.compactMap(\.timeMilliseconds)
      let times = Outcome(fixes: outcome.fixes.filter { $0.timeMilliseconds != nil }).times
      #expect(timed.count >= expected - 1)
      #expect(try normalized(times.first) == normalized(reference["first_time"]?.string))
      #expect(try normalized(times.last) == normalized(reference["last_time"]?.string))
    }
  }

  private func normalized(_ time: String?) throws -> String {
    try #require(time).replacing(".000Z", with: "Z")
  }
}
