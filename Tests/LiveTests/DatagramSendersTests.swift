import FencepostLive
import FencepostTracks
import Testing

@Suite("Senders of datagrams are judged by themselves")
struct DatagramSendersTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static let sentence = bytes(
    "$GPRMC,093000.00,A,5206.00000,N,01136.00000,E,6.9,82.0,140526,,,A*61\r\n")
  private static let row = bytes("time,lat,lon\n2026-05-14T09:30:00Z,52.1,11.6\n")

  @Test(
    "what comes first and holds no position silences nobody, also from the same address",
    arguments: [
      "<?xml version=\"1.0\"?><gpx>", "time,lat,lon\n", "PK\u{3}\u{4}\u{14}\u{0}", "{\"a\":1}",
      "\u{1F}\u{8B}\u{8}", "\u{0}", "hello", "[", "{\"class\":\"VERSION\"}\n",
      "!AIVDM,1,1,,A,1,0*00",
    ], ["10.0.0.5", "10.0.0.7"])
  func ignoresStrays(stray: String, sender: String) {
    var senders = DatagramSenders()
    #expect(senders.take(Self.bytes(stray), from: sender, now: 0).datagrams.isEmpty)
    let answer = senders.take(Self.sentence, from: "10.0.0.5", now: 1000)
    #expect(answer.datagrams.last == Self.sentence)
    #expect(answer.format == .nmea || answer.format == .gpsd)
    // Later ones pass unjudged.
    #expect(senders.take(Self.bytes(stray), from: "10.0.0.5", now: 2000).datagrams.count == 1)
    guard sender == "10.0.0.7" else { return }
    #expect(senders.dueMilliseconds == 10_000)
    let sentences = senders.overdue(now: 10_000)
    #expect(sentences.count == 1)
    #expect(sentences.first?.hasPrefix("left out datagrams of 10.0.0.7, because") == true)
    #expect(senders.overdue(now: 20_000).isEmpty)
  }

  @Test("a position in two datagrams is one, with what came before it")
  func joins() {
    var senders = DatagramSenders()
    let (first, second) = (Array(Self.sentence[..<20]), Array(Self.sentence[20...]))
    #expect(senders.take(first, from: "a", now: 0).datagrams.isEmpty)
    #expect(senders.take(second, from: "a", now: 1).datagrams == [first, second])
    // A table has its header.
    var tables = DatagramSenders()
    let header = Self.bytes("time,lat,lon\n")
    let row = Self.bytes("2026-05-14T09:30:00Z,52.1,11.6\n")
    #expect(tables.take(header, from: "a", now: 0).datagrams.isEmpty)
    #expect(tables.take(row, from: "a", now: 1).datagrams == [header, row])
  }

  @Test("a receiver without a fix passes")
  func passesVoid() {
    var senders = DatagramSenders()
    let void = Self.bytes("$GPRMC,195900.00,V,,,,,,,040326,,,N*7A\r\n")
    #expect(senders.take(void, from: "a", now: 0).datagrams == [void])
  }

  @Test("another format is left out and named, until the stream has paused for 10 s")
  func keepsFormat() {
    var senders = DatagramSenders()
    _ = senders.take(Self.sentence, from: "a", now: 0)
    let refused = senders.take(Self.row, from: "b", now: 5000)
    #expect(refused.datagrams.isEmpty)
    #expect(
      refused.sentences == [
        "left out datagrams of b, because they are CSV, not NMEA 0183: “time,lat,lon?2026-05-14T09:30:00Z,52.1,1”"
      ])
    #expect(senders.take(Self.row, from: "b", now: 9000).sentences.isEmpty)
    // gpsd's reports and sentences are one stream.
    let report = Self.bytes(#"{"class":"TPV","mode":3,"lat":52.1,"lon":11.6}"# + "\n")
    #expect(senders.take(report, from: "c", now: 10_000).datagrams == [report])
    let taken = senders.take(Self.row, from: "b", now: 20_001)
    #expect(taken.format == .csv)
    #expect(taken.datagrams.last == Self.row)
    // Now the former is left out.
    #expect(senders.take(Self.sentence, from: "a", now: 20_002).datagrams.isEmpty)
  }

  @Test("the memory for senders is bounded, and keeps those that are followed")
  func boundsSenders() {
    var senders = DatagramSenders()
    _ = senders.take(Self.sentence, from: "a", now: 0)
    for number in 0..<1000 {
      _ = senders.take(Self.bytes("stray"), from: "\(number)", now: 0)
    }
    #expect(senders.overdue(now: 10_000).count <= 64)
    #expect(senders.take(Self.sentence, from: "a", now: 10_001).datagrams.count == 1)
  }

  @Test("of more than 64 followed senders the one that has been silent longest is judged anew")
  func replacesSenders() {
    var senders = DatagramSenders()
    var sentences: [String] = []
    for number in 0..<100 {
      let answer = senders.take(Self.sentence, from: "\(number)", now: Int64(number))
      #expect(answer.datagrams == [Self.sentence])
      sentences += answer.sentences
    }
    #expect(sentences.count == 1)
    #expect(sentences.first?.hasPrefix("more than 64 senders") == true)
    let stray = Self.bytes("stray")
    #expect(senders.take(stray, from: "99", now: 200).datagrams == [stray])
    #expect(senders.take(stray, from: "0", now: 200).datagrams.isEmpty)
  }
}
