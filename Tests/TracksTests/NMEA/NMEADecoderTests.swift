import FencepostTracks
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import TestSupport
import Testing

@Suite("NMEA 0183")
struct NMEADecoderTests {
  private func decode(_ bytes: [UInt8]) -> Outcome {
    DecoderVerifier.verify(bytes) { NMEADecoder() }
  }

  private func decode(_ text: String) -> Outcome { decode(Array(text.utf8)) }

  private static let rmc = "GPRMC,123519.00,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W"
  private static let gga = "GPGGA,123519.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"

  // MARK: Sentences

  @Test("positions are read from proprietary sentences of u-blox and Trimble")
  func readsProprietary() {
    let ublox = decode(
      sentences(
        "PUBX,00,093000.00,5206.00000,N,01136.00000,E,81.0,G3,2.1,2.0,12.4,82.0,0.0,,0.9,1.1,0.8,9,0,0",
        "PUBX,00,093001.00,5206.00000,N,01136.00000,E,0.0,NF,99,99,0.0,0.0,0.0,,0.9,1.1,0.8,0,0,0",
        "GPZDA,093002.00,14,05,2026,00,00"))
    #expect(ublox.times == ["2026-05-14T09:30:00Z"])
    #expect(ublox.fixes.first?.accuracyMeters == 2.1)
    #expect(ublox.rejections.map(\.reason) == [.void])
    let trimble = decode(
      sentences(
        "PTNL,GGK,093000.00,051426,5206.00000,N,01136.00000,E,3,09,1.9,EHT81.0,M",
        "PTNL,GGK,093001.00,051426,,,,,0,00,99,EHT0.0,M"))
    #expect(trimble.times == ["2026-05-14T09:30:00Z"])
    #expect(trimble.rejections.map(\.reason) == [.void])
  }

  @Test(
    "a position is read from each kind of sentence, of any talker",
    arguments: [
      rmc, gga, "GNRMC,123519,A,4807.038,N,01131.000,E,,,230394,,,A",
      "QZRMC,123519,A,4807.038,N,01131.000,E,,,,",
      "ZQGGA,123519,4807.038,N,01131.000,E,8,,,,M,,M,,", "GPGLL,4807.038,N,01131.000,E,123519,A,A",
      "GPGLL,4807.038,N,01131.000,E,123519,A", "GPGLL,4807.038,N,01131.000,E,123519",
      "GPGLL,4807.038,N,01131.000,E",
      "GAGNS,123519,4807.038,N,01131.000,E,NA,08,0.9,545.4,46.9,,,V",
      "GPRMC,123519.00,A,4807.03800,N,1131.00,E,0.1,,230394,,",
    ])
  func readsPosition(text: String) throws {
    let outcome = decode(sentence(text))
    let fix = try #require(outcome.fixes.first)
    #expect(abs(fix.coordinate.latitudeDegrees - (48 + 7.038 / 60)) < 1e-13)
    #expect(abs(fix.coordinate.longitudeDegrees - (11 + 31.0 / 60)) < 1e-13)
    #expect(outcome.rejections.isEmpty)
  }

  @Test("degrees are the doubles nearest to what is written", arguments: 0..<50 as Range<UInt64>)
  func roundsOnce(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for decimals in 0...9 {
      let degrees = Int.random(in: 0..<90, using: &generator)
      let minutes = Int.random(in: 0..<60, using: &generator)
      let digits = (0..<decimals).map { _ in String(Int.random(in: 0...9, using: &generator)) }
        .joined()
      let whole = "\(degrees < 10 ? "0" : "")\(degrees)\(minutes < 10 ? "0" : "")\(minutes)"
      let field = decimals == 0 ? whole : "\(whole).\(digits)"
      let outcome = decode(sentence("GPGLL,\(field),S,0\(field),W,123519,A"))
      let fix = try #require(outcome.fixes.first)
      // 80 bits are enough to round the quotient of these numbers once more without harm.
      let scale = (0..<decimals).reduce(1) { value, _ in value * 10 }
      let numerator = (degrees * 60 + minutes) * scale + (Int(digits) ?? 0)
      let expected = -(Float80(numerator) / Float80(60 * scale))
      #expect(
        abs(Float80(fix.coordinate.latitudeDegrees) - expected) <= Float80(expected.ulp) * 1024)
      #expect(fix.coordinate.latitudeDegrees == fix.coordinate.longitudeDegrees)
    }
  }

  @Test("speed comes in meters a second, course in degrees below 360")
  func readsMotion() throws {
    let fix = try #require(decode(sentence(Self.rmc)).fixes.first)
    #expect(abs(fix.speedMetersPerSecond - 22.4 * 1852 / 3600) < 1e-5)
    #expect(fix.courseDegrees == 84.4)
    let north = decode(sentence(Self.rmc.replacing("084.4", with: "360.0")))
    #expect(north.fixes.first?.courseDegrees == 0)
    let silent = decode(sentence(Self.rmc.replacing("022.4,084.4", with: ",")))
    #expect(silent.fixes.first?.speedMetersPerSecond.isNaN == true)
    #expect(silent.fixes.first?.courseDegrees.isNaN == true)
  }

  @Test("speed and course of VTG belong to its epoch, before or behind the position")
  func readsVTG() {
    let vtg = ["GPVTG,10.0,T,,M,1.0,N,1.9,K", "GPVTG,20.0,T,,M,2.0,N,3.7,K"]
    let gga = [Self.gga, Self.gga.replacing("123519", with: "123520")]
    let behind = decode(sentences(gga[0], vtg[0], gga[1], vtg[1]))
    #expect(behind.fixes.map(\.courseDegrees) == [10, 20])
    let before = decode(sentences(vtg[0], gga[0], vtg[1], gga[1]))
    #expect(before.fixes.map(\.courseDegrees) == [10, 20])
  }

  @Test("the accuracy is that of GST, in meters; a dilution of precision is none")
  func readsGST() {
    let gst = "GPGST,123519.00,1.2,,,,3.0,4.0,2.0"
    #expect(decode(sentences(Self.gga, gst)).fixes.first?.accuracyMeters == 5)
    #expect(decode(sentence(Self.gga)).fixes.first?.accuracyMeters.isNaN == true)
  }

  @Test(
    "other sentences and whatever stands between are passed over",
    arguments: [
      "$PGRMC,A,218.8,100,6378137.000,298.257223563*00", "$PUBX,00*33",
      "!AIVDM,1,1,,A,14eG;o@034,0*7D",
      "# $ comment", "\u{0}\u{1}$\u{FFFD}\u{7F}", "$$$$$", "*",
      "$GPGSV,3,1,12,20,78*00"[..<"$".endIndex].description,
    ])
  func passesOver(noise: String) {
    let bytes =
      sentence(Self.rmc) + Array(noise.utf8) + Array("\r\n".utf8)
      + sentence(Self.rmc.replacing("19.00", with: "20.00"))
    let outcome = decode(bytes)
    #expect(outcome.fixes.count == 2)
    #expect(outcome.rejections.allSatisfy { $0.reason == .checksum })
  }

  @Test(
    "what has a comma where its talker should be is no such sentence",
    arguments: ["G,RMC,123519,X,,,,,,,,", ",GRMC,123519,X,,,,,,,,", ",,GGA,123519,,,,,9,,,,,,,,"])
  func refusesTalkers(text: String) {
    let outcome = decode(sentence(text))
    #expect(outcome.fixes.isEmpty && outcome.rejections.isEmpty)
  }

  // MARK: Framing

  @Test("any line end or none will do, and lines are counted", arguments: ["\n", "\r\n", "\r", ""])
  func survivesLineEnds(end: String) {
    let text = (0..<3).map {
      String(decoding: sentence(Self.rmc.replacing("19.00", with: "1\($0).00")), as: UTF8.self)
    }
    let outcome = decode(text.map { $0.replacing("\r\n", with: end) }.joined())
    #expect(outcome.fixes.count == 3)
    #expect(outcome.fixes.map(\.line) == (end == "" ? [1, 1, 1] : [1, 2, 3]))
  }

  @Test("a checksum is right in either case of its letters, wrong by any bit")
  func checksChecksums() {
    let bytes = sentence("GPGLL,4807.038,N,01131.000,E,123519,A,A")
    var lower = bytes
    for index in lower.indices.suffix(4) where lower[index] >= 0x41 { lower[index] |= 0x20 }
    #expect(decode(lower).fixes.count == 1)
    for index in 1..<(bytes.count - 5) {
      for bit in 0..<7 as Range<UInt8> {
        var flipped = bytes
        flipped[index] ^= 1 << bit
        guard ![0x0A, 0x0D, 0x24, 0x2A].contains(flipped[index]) else { continue }
        #expect(decode(flipped).fixes.isEmpty)
      }
    }
  }

  @Test("a sentence without a checksum is read, if it is complete and none of its kind had one")
  func readsUnchecked() {
    let bare = "$\(Self.gga)\r\n"
    #expect(decode(bare).fixes.count == 1)
    #expect(
      decode("$GPGGA,123519.00,4807.038,N,01131.000,E,1,08\n").rejections.map(\.reason) == [
        .malformed
      ])
    let mixed = decode(sentence(Self.gga.replacing("19.00", with: "18.00")) + Array(bare.utf8))
    #expect(mixed.fixes.count == 1)
    #expect(mixed.rejections.map(\.reason) == [.checksum])
    // Another kind says nothing about this one.
    #expect(
      decode(sentence(Self.rmc.replacing("19.00", with: "18.00")) + Array(bare.utf8)).fixes.count
        == 2)
  }

  @Test("a sentence of 1024 bytes is read, a longer one is too long", arguments: [0, 1])
  func limitsLength(more: Int) {
    let text = Self.rmc + "," + String(repeating: "A", count: 1023 - Self.rmc.utf8.count + more)
    let outcome = decode(sentence(text) + sentence(Self.rmc.replacing("19.00", with: "20.00")))
    #expect(outcome.fixes.count == 2 - more)
    #expect(outcome.rejections.map(\.reason) == (more == 0 ? [] : [.tooLong]))
  }

  @Test("a sentence that the next one cuts off leaves nothing behind")
  func survivesCuts() {
    let outcome = decode(Array("$GPGGA,123519.00,4807.0$".utf8) + sentence(Self.rmc).dropFirst())
    #expect(outcome.fixes.count == 1)
    #expect(outcome.rejections.map(\.reason) == [.malformed])
  }

  // MARK: What is refused

  @Test(
    "a sentence that is not good is told with its line and leaves nothing behind",
    arguments: [
      ("GPRMC,123519,A,4860.000,N,01131.000,E,1,2,230394,,", Rejection.Reason.coordinate),
      ("GPRMC,123519,A,9000.001,N,01131.000,E,1,2,230394,,", .coordinate),
      ("GPRMC,123519,A,4807.038,N,18000.001,E,1,2,230394,,", .coordinate),
      ("GPRMC,123519,A,4807.038,X,01131.000,E,1,2,230394,,", .coordinate),
      ("GPRMC,123519,A,-4807.038,N,01131.000,E,1,2,230394,,", .coordinate),
      ("GPRMC,123519,A,48 07.038,N,01131.000,E,1,2,230394,,", .coordinate),
      ("GPRMC,123519,A,,,,,1,2,230394,,", .coordinate),
      ("GPRMC,123519,A,4807.038,N,01131.000,E,fast,2,230394,,", .malformed),
      ("GPRMC,123519,A,4807.038,N,01131.000,E,1,361,230394,,", .malformed),
      ("GPRMC,123519,Q,4807.038,N,01131.000,E,1,2,230394,,", .malformed),
      ("GPRMC,123519", .malformed),
      ("GPGGA,123519,4807.038,N,01131.000,E,x,08,,,M,,M,,", .malformed),
      ("GPGGA,123519,4807.038,N,01131.000", .malformed),
      ("GPGGA,123519,4807.038,N,01131.000,E1,1,08,,,M,,M,,", .coordinate),
    ])
  func refuses(text: String, reason: Rejection.Reason) {
    let outcome = decode(sentences(Self.rmc, text))
    #expect(outcome.fixes.count == 1)
    #expect(outcome.fixes.first?.speedMetersPerSecond == Float(22.4) * (1852 / 3600))
    #expect(outcome.rejections.map(\.reason) == [reason])
    #expect(outcome.rejections.first?.line == 2)
  }

  @Test(
    "an epoch without a fix is void, once",
    arguments: [
      ["GPRMC,123520,V,4807.038,N,01131.000,E,,,230394,,"],
      ["GPGGA,123520,4807.038,N,01131.000,E,0,,,,M,,M,,"],
      ["GPGLL,4807.038,N,01131.000,E,123520,V"], ["GPGNS,123520,,,,,NN,00,99.9,,,,,V"],
      ["GPRMC,123520,V,,,,,,,,,", "GPGGA,123520,,,,,0,00,99.99,,,,,,", "GPGLL,,,,,123520,V,N"],
    ])
  func rejectsVoid(texts: [String]) {
    let outcome = decode(sentence(Self.rmc) + texts.flatMap { sentence($0) })
    #expect(outcome.fixes.count == 1)
    #expect(outcome.rejections.map(\.reason) == [.void])
  }

  // MARK: Epochs

  @Test("sentences with the same time are one fix with the most finely written position")
  func mergesEpochs() throws {
    let outcome = decode(
      sentences(
        Self.rmc, Self.gga.replacing("4807.038", with: "4807.0381"),
        "GPGLL,4807.04,N,01131.00,E,123519.00,A"))
    let fix = try #require(outcome.fixes.first)
    #expect(outcome.fixes.count == 1)
    #expect(abs(fix.coordinate.latitudeDegrees - (48 + 7.0381 / 60)) < 1e-13)
    #expect(fix.courseDegrees == 84.4)
    #expect(fix.line == 3)
  }

  @Test("times are the same to the millisecond, however many digits they have")
  func comparesTimes() {
    #expect(decode(sentences(Self.rmc, Self.gga.replacing("19.00", with: "19"))).fixes.count == 1)
    #expect(
      decode(sentences(Self.rmc, Self.gga.replacing("19.00", with: "19.0004"))).fixes.count == 1)
    #expect(
      decode(sentences(Self.rmc, Self.gga.replacing("19.00", with: "19.001"))).fixes.count == 2)
  }

  @Test(
    "a time of bytes that spell none is passed over up to its comma", arguments: [0, 1, 254, 255])
  func refusesTimes(byte: UInt8) {
    let time = [UInt8](repeating: byte, count: 9)
    let text = Array("GPGGA,".utf8) + time + Array(",4807.038,N,01131.000,E,1,,,,,,,,".utf8)
    let outcome = decode([UInt8(ascii: "$")] + text + Array("\r\n".utf8))
    #expect(outcome.fixes.count == 1)
    #expect(outcome.rejections.isEmpty)
  }

  @Test("a fix of GGA counts where RMC says V, and has its date")
  func trustsGGA() {
    let outcome = decode(sentences(Self.rmc.replacing(",A,", with: ",V,"), Self.gga))
    #expect(outcome.times == ["1994-03-23T12:35:19Z"])
    #expect(outcome.rejections.isEmpty)
  }

  // MARK: Dates

  @Test(
    "two digits are a year from 1980 to 2079",
    arguments: [("230380", "1980"), ("230399", "1999"), ("230300", "2000"), ("230379", "2079")])
  func readsYears(date: String, year: String) {
    #expect(
      decode(sentence(Self.rmc.replacing("230394", with: date))).times == [
        "\(year)-03-23T12:35:19Z"
      ])
  }

  @Test(
    "a date is read in the forms that some receivers write",
    arguments: [
      "40526", "4052026", "04052026", "20260504", "04/05/26", "4/5/2026", "4.5.2026", "04-05-26",
      "2026-05-04", "2026/05/04",
    ])
  func readsDates(date: String) {
    #expect(
      decode(sentence(Self.rmc.replacing("230394", with: date))).times == ["2026-05-04T12:35:19Z"])
    // Where only one order makes a date, it is that.
    #expect(
      decode(sentence(Self.rmc.replacing("230394", with: "05/14/26"))).times == [
        "2026-05-14T12:35:19Z"
      ])
  }

  @Test("dates that cannot be read are counted and named")
  func namesDates() throws {
    func notices(_ bytes: [UInt8]) throws -> [String] {
      var decoder = NMEADecoder()
      var batch = FixBatch()
      try decoder.decode(bytes.span, into: &batch)
      try decoder.finish(into: &batch)
      return decoder.notices
    }
    let bad = Self.rmc.replacing("230394", with: "310494")
    #expect(
      try notices(sentences(bad, bad)) == [
        "its dates cannot be read (line 1: “310494”), so the fixes have no times; set the date with "
          + "--date"
      ])
    #expect(
      try notices(sentences(Self.rmc, bad.replacing("19.00", with: "20.00"))) == [
        "1 date cannot be read (line 2: “310494”); the date before counts"
      ])
    #expect(try notices(sentences(Self.rmc)) == [])
    #expect(
      try notices(sentences(Self.rmc.replacing("230394", with: "40526"))) == [
        "the date “40526” is read as 2026-05-04"
      ])
  }

  @Test("a fix that will be refused for its position has no say about the date")
  func distrustsNullIsland() throws {
    let null = "GPRMC,000000.00,A,0.000,N,0.000,E,0.0,0.0,050505,0.0,E"
    let gga = [Self.gga, Self.gga.replacing("19.00", with: "20.00")]
    let texts = sentences(null, gga[0], null, gga[1])
    #expect(decode(texts).times == ["-", "-", "-", "-"])
    #expect(
      decode(texts + sentence("GPZDA,123521.00,14,05,2026,00,00")).times == [
        "-", "2026-05-14T12:35:19Z", "-", "2026-05-14T12:35:20Z",
      ])
    var keeping = NMEADecoder(keepsNullIsland: true)
    var batch = FixBatch()
    try keeping.decode(sentence(null).span, into: &batch)
    try keeping.finish(into: &batch)
    #expect(batch.fixes.first?.timeMilliseconds != nil)
  }

  @Test(
    "a day that the month has not is no date",
    arguments: ["310494", "290295", "001294", "011394", "2303-1"])
  func refusesDates(date: String) {
    #expect(decode(sentence(Self.rmc.replacing("230394", with: date))).times == ["-"])
  }

  @Test("29 February is one in leap years")
  func knowsLeapYears() {
    #expect(
      decode(sentence(Self.rmc.replacing("230394", with: "290224"))).times == [
        "2024-02-29T12:35:19Z"
      ])
  }

  @Test("a date is carried over midnight, also over the end of a year")
  func crossesMidnight() {
    let outcome = decode(
      sentences(
        "GPZDA,235959.00,31,12,2025,00,00", Self.gga.replacing("123519.00", with: "235959.50"),
        Self.gga.replacing("123519.00", with: "000000.00"),
        Self.gga.replacing("123519.00", with: "235959.90")))
    #expect(
      outcome.times == [
        "2025-12-31T23:59:59.500Z", "2026-01-01T00:00:00Z", "2025-12-31T23:59:59.900Z",
      ])
  }

  @Test("a date that comes late is that of the fixes before, however many days")
  func fillsBackwards() {
    let hours = ["220000", "100000", "200000", "050000"].map {
      sentence(Self.gga.replacing("123519.00", with: $0))
    }
    let outcome = decode(hours.flatMap { $0 } + sentence("GPZDA,070000,10,03,2019,00,00"))
    #expect(
      outcome.times == [
        "2019-03-08T22:00:00Z", "2019-03-09T10:00:00Z", "2019-03-09T20:00:00Z",
        "2019-03-10T05:00:00Z",
      ])
  }

  @Test("without any date the fixes have no times")
  func deliversUndated() {
    #expect(
      decode(sentences(Self.gga, Self.gga.replacing("19.00", with: "20.00"))).times == ["-", "-"])
  }

  @Test("fixes that wait for a date are given up to a limit, then go on without")
  func boundsHeldFixes() throws {
    var decoder = NMEADecoder()
    var batch = FixBatch()
    var most = 0
    for second in 0..<300_000 {
      let digits = [second / 3600 % 24, second / 60 % 60, second % 60].map {
        $0 < 10 ? "0\($0)" : "\($0)"
      }.joined()
      let bytes = Array("$GPGLL,4807.038,N,01131.000,E,\(digits),A\n".utf8)
      try decoder.decode(bytes.span, into: &batch)
      most = max(most, second - batch.fixes.count)
    }
    try decoder.finish(into: &batch)
    #expect(batch.fixes.count == 300_000)
    #expect(batch.fixes.allSatisfy { $0.timeMilliseconds == nil })
    #expect(most <= 1 << 18)
  }

  @Test("a date of a void sentence is that of no other epoch")
  func distrustsVoidDates() {
    let outcome = decode(
      sentences(
        "GPRMC,235958,V,,,,,,,161206,,", Self.gga, Self.rmc.replacing("19.00", with: "20.00")))
    #expect(outcome.times == ["1994-03-23T12:35:19Z", "1994-03-23T12:35:20Z"])
  }
}
