import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("Streams of a receiver")
struct ReceiverDecoderTests {
  private static let greeting = #"{"class":"VERSION","release":"3.25","proto_major":3}"# + "\n"

  /// Sentences of one receiver, ten seconds apart.
  private static func sentences(_ seconds: Range<Int>, minutes: String = "06.000") -> [UInt8] {
    seconds.flatMap {
      sentence("GPRMC,0930\($0 + 10).00,A,52\(minutes),N,01136.000,E,6.9,82.0,140526,,,A")
    }
  }

  private static func report(_ second: Int, device: String? = nil, latitude: Double = 52.1)
    -> String
  {
    let device = device.map { #""device":"\#($0)","# } ?? ""
    return #"{"class":"TPV",\#(device)"mode":3,"time":"2026-05-14T09:30:\#(second + 10).000Z","#
      + #""lat":\#(latitude),"lon":11.6}"# + "\n"
  }

  private func decode(_ text: [UInt8]) -> (outcome: Outcome, notices: [String]) {
    let outcome = DecoderVerifier.verify(text) { StreamDecoder() }
    var stream = FixStream()
    var batch = FixBatch()
    // The verifier has what goes wrong.
    try? stream.feed(text.span, into: &batch)
    try? stream.finish(into: &batch)
    return (outcome, stream.notices)
  }

  @Test("gpsd may greet before sentences, and again when a connection begins anew")
  func greets() {
    let parts = [
      Array(Self.greeting.utf8), Self.sentences(0..<3),
      Array(#"{"class":"VERSION","rel"#.utf8), Self.sentences(3..<5), Array(Self.greeting.utf8),
      Array("2026-05-14T09:30:15Z gpspipe: ".utf8), Array(Self.greeting.utf8),
      Self.sentences(5..<8),
    ]
    let (outcome, notices) = decode(parts.flatMap { $0 })
    #expect(outcome.fixes.count == 8)
    #expect(outcome.times.first == "2026-05-14T09:30:10Z")
    // The greeting that was cut off.
    #expect(outcome.rejections.map(\.reason) == [.malformed])
    #expect(outcome.rejections.first?.line == 5)
    #expect(notices.isEmpty)
  }

  @Test("sentences may come first, and gpsd's reports after them, which costs one fix at most")
  func changes() {
    let reports = (3..<20).map { Self.report($0) }.joined()
    let (outcome, notices) = decode(Self.sentences(0..<3) + Array(reports.utf8))
    #expect(outcome.fixes.count == 19)
    #expect(
      notices == [
        "several receivers or forms sent positions; followed the NMEA sentences, then gpsd's "
          + "reports, left out 1 fix of the NMEA sentences"
      ])
  }

  @Test("of positions in both forms one is followed, and the other is named and counted")
  func followsOne() {
    let text = (0..<13).flatMap { Self.sentences($0..<($0 + 1)) + Array(Self.report($0).utf8) }
    let (outcome, notices) = decode(text)
    #expect(outcome.fixes.count == 13)
    #expect(
      notices == [
        "several receivers or forms sent positions; followed the NMEA sentences, left out 13 fixes "
          + "of gpsd's reports"
      ])
  }

  @Test("of two receivers one is followed, with its own epochs")
  func tellsDevicesApart() {
    let text = (0..<13).map {
      Self.report($0, device: "/dev/ttyUSB0")
        + Self.report($0, device: "/dev/ttyUSB1", latitude: 53)
    }
    let (outcome, notices) = decode(Array(text.joined().utf8))
    #expect(outcome.fixes.count == 13)
    #expect(outcome.fixes.allSatisfy { $0.coordinate.latitudeDegrees == 52.1 })
    #expect(
      notices == [
        "several receivers or forms sent positions; followed /dev/ttyUSB0, left out 13 fixes of "
          + "/dev/ttyUSB1"
      ])
  }

  @Test("another receiver takes over from one that is gone")
  func takesOver() {
    let first = (0..<3).map { Self.report($0, device: "/dev/ttyUSB0") }
    let second = (3..<13).map { Self.report($0, device: "/dev/ttyUSB1") }
    let (outcome, notices) = decode(Array((first + second).joined().utf8))
    #expect(outcome.fixes.count == 12)
    #expect(Set(outcome.times).count == 12)
    #expect(notices.first?.contains("followed /dev/ttyUSB0, then /dev/ttyUSB1") == true)
  }

  @Test("a restart follows the same receiver")
  func continues() throws {
    var decoder = ReceiverDecoder(receiver: "/dev/ttyUSB1")
    var batch = FixBatch()
    let text = (0..<4).map {
      Self.report($0, device: "/dev/ttyUSB0")
        + Self.report($0, device: "/dev/ttyUSB1", latitude: 53)
    }
    try decoder.decode(Array(text.joined().utf8).span, into: &batch)
    try decoder.finish(into: &batch)
    #expect(decoder.receiver == "/dev/ttyUSB1")
    #expect(batch.fixes.map(\.coordinate.latitudeDegrees) == [53, 53, 53, 53])
  }

  @Test("gpsd's time dates sentences without a date")
  func dates() {
    let void = Self.report(0).replacing("\"mode\":3", with: "\"mode\":1")
    let gga = sentence("GPGGA,093010.00,5206.000,N,01136.000,E,1,09,0.9,81.5,M,45.2,M,,")
    let (outcome, _) = decode(Array(void.utf8) + gga)
    #expect(outcome.times == ["2026-05-14T09:30:10Z"])
  }

  @Test(
    "what there is instead of positions is named",
    arguments: [
      (
        "GPGSV,1,1,01,05,44,120,36", "$",
        "13 sentences, none with a position that Fencepost reads: GPGSV"
      ),
      (
        "AIVDM,1,1,,A,13aDobgP00PBrsfMaj6@0?v`20SP,0", "!",
        "13 sentences, none with a position that Fencepost reads: AIVDM"
      ),
      (
        "GPWPL,5206.00000,N,01136.00000,E,P00", "$",
        "13 sentences, none with a position that Fencepost reads: GPWPL"
      ),
    ])
  func namesOthers(text: String, mark: String, notice: String) {
    var bytes = sentence(text)
    bytes[0] = mark.utf8.first ?? 0
    let (outcome, notices) = decode(Array(repeatElement(bytes, count: 13).joined()))
    #expect(outcome.fixes.isEmpty && outcome.rejections.isEmpty)
    #expect(notices == [notice])
  }

  @Test("gpsd's reports without a position are counted")
  func countsReports() {
    #expect(
      decode(Array((Self.greeting + Self.greeting).utf8)).notices == [
        "2 reports of gpsd, none with a position"
      ])
  }

  @Test(
    "sentences are read behind whatever a logger writes before them",
    arguments: [
      "[12345] ", "[2026-05-14 09:30:00.123] ", "[09:30:00] ", "<09:30:00> ", "{09:30:00} ",
      "<13>May 14 09:30:00 host gps: ", "<13>1 2026-05-14T09:30:00.003Z host gps - - - ",
      "[INFO] ", "2026-05-14T09:30:00Z,", "05-14 09:30:00.000 D/GpsNmea( 812): ",
      "(1778751000.123) ",
    ])
  func passesPrefixes(prefix: String) {
    let lines = (0..<13).map { Array(prefix.utf8) + Self.sentences($0..<($0 + 1)) }
    let (outcome, _) = decode(Array(lines.joined()))
    #expect(outcome.fixes.count == 13)
    #expect(outcome.rejections.isEmpty)
    #expect(outcome.error == nil)
    // A log may begin with other lines.
    let (later, _) = decode(Array("\(prefix)started\n".utf8) + Array(lines.joined()))
    #expect(later.fixes.count == 13)
  }

  // MARK: The clock of the log

  private static func gga(_ second: Int = 10) -> String {
    String(
      decoding: sentence(
        "GPGGA,0930\(second).00,5206.000,N,01136.000,E,1,09,0.9,81.5,M,45.2,M,,"),
      as: UTF8.self)
  }

  @Test(
    "a date before a sentence without one is that of its fix",
    arguments: [
      #"\s:cabin,c:1778751000*51\"#, #"\c:1778751000000*63\"#, #"\g:1-2-1234,c:1778751000\"#,
      "[2026-05-14 09:30:00.123] ", "2026-05-14T11:30:00+02:00 host: ", "20260514 093000 ",
      "14.05.2026 09:30:00 ", "05/14/2026 09:30:00 AM;", "[1778751000.123] ", "1778751000123,",
      "<13>1 2026-05-14T09:30:00.003Z host gps - - - ", "2026-05-14 ", "2026-05-14 09:30:00,123: ",
      // Clocks in New Zealand and Hawaii.
      "2026-05-14 21:30:00 ", "2026-05-13 23:30:00 ",
    ])
  func readsStamps(prefix: String) {
    #expect(decode(Array((prefix + Self.gga()).utf8)).outcome.times == ["2026-05-14T09:30:10Z"])
  }

  @Test(
    "what is no date, or not one date, dates nothing",
    arguments: [
      #"\s:cabin,c:1778751000*52\"#, #"\c:12345*00\"#, "[09:30:00] ", "[12345] ", "05-14 09:30:00 ",
      "May 14 09:30:00 ", "05/06/2026 09:30 ", "1970-01-01 00:00:12 ", "version 3.22 ",
    ])
  func refusesStamps(prefix: String) {
    let (outcome, notices) = decode(Array((prefix + Self.gga()).utf8))
    #expect(outcome.times == ["-"])
    #expect(
      notices == [
        "its sentences give no date, so the fixes have no times; set the date with --date"
      ])
  }

  @Test("the log's dates may change their form and their place")
  func changesForm() {
    let stamps = [
      "[2026-05-10 09:30:00] ", "[2026-05-12 09:30:00] ", "2026-05-14T09:30:00Z host: ",
      "7: 2026-05-16 09:30:00 ", "[2026-05-18 09:30:00] ", "[2026-05-20 09:30:00] ",
    ]
    let text = stamps.enumerated().map { $1 + Self.gga(10 + $0) }.joined()
    #expect(
      decode(Array(text.utf8)).outcome.times
        == stamps.indices.map { "2026-05-\(10 + 2 * $0)T09:30:\(10 + $0)Z" })
  }

  @Test("the log's dates go on over days without sentences, until the receiver states one")
  func prefersReceiver() {
    let rmc = String(decoding: Self.sentences(1..<2), as: UTF8.self)
    let text =
      "[2026-05-10 09:30:00] \(Self.gga(10))[2026-05-13 09:30:00] \(Self.gga(12))"
      + "[2026-05-20 09:30:00] \(rmc)[2026-05-20 09:30:00] \(Self.gga(13))"
    #expect(
      decode(Array(text.utf8)).outcome.times == [
        "2026-05-10T09:30:10Z", "2026-05-13T09:30:12Z", "2026-05-14T09:30:11Z",
        "2026-05-14T09:30:13Z",
      ])
  }
}
