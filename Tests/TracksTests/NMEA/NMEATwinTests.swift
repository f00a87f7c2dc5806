import FencepostTracks
import FencepostFixes
import TestSupport
import Testing

@Suite("The fast NMEA decoder agrees with a plain one")
struct NMEATwinTests {
  private static let seedText = sentences(
    "GPGGA,235958.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,",
    "GPRMC,235958.00,A,4807.0380,N,01131.0000,E,022.4,084.4,230394,003.1,W",
    "GNGNS,235959.00,4807.03801,N,01131.00012,E,AANN,08,0.9,545.4,46.9,,,V",
    "GPVTG,084.4,T,,M,022.4,N,41.5,K,A", "GPGLL,4807.0390,N,01131.0010,E,235959.00,A,A",
    "GPGST,235959.00,1.2,,,,0.9,1.1,2.0", "GPZDA,000000.00,24,03,1994,00,00",
    "GPGGA,000000.00,4807.04,S,01131.02,W,2,08,0.9,545.4,M,46.9,M,,",
    "GPRMC,000000.00,V,4807.04,S,01131.02,W,,,240394,,,N", "PGRME,15.0,M,22.5,M,27.0,M",
    "GPGLL,4807.05,N,01131.03,E", "GPGSV,3,1,12,20,78,050,41,11,72,261,,06,41,278,,14,38,185,")

  @Test("on every recording of the corpus", .enabled(if: Corpus.isThere, Corpus.comment))
  func agreesOnCorpus() throws {
    for file in Corpus.files("nmea/") {
      let bytes = try Corpus.bytes(file)
      let fast = DecoderVerifier.verify(bytes, splits: 1) { NMEADecoder() }
      #expect(fast == SlowNMEADecoder.decode(bytes), "\(file)")
    }
  }

  @Test("on seeded mutations", arguments: 0..<400 as Range<UInt64>)
  func agreesOnMutations(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var bytes = Self.seedText
    for _ in 0..<Int.random(in: 1...4, using: &generator) { bytes += Self.seedText }
    for _ in 0..<Int.random(in: 1...30, using: &generator) {
      Self.mutate(&bytes, using: &generator)
    }
    if seed % 4 != 0 { bytes = Self.withRightChecksums(bytes) }
    let fast = DecoderVerifier.verify(bytes, seed: seed, splits: 3) { NMEADecoder() }
    let slow = SlowNMEADecoder.decode(bytes)
    let isSame = fast == slow
    #expect(isSame, "\(Outcome.difference(fast, slow))\n\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test("on fields of every length and value", arguments: 0..<200 as Range<UInt64>)
  func agreesOnFields(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    // A receiver keeps to a form for a while.
    var form = Form(using: &generator)
    for _ in 0..<200 {
      if Int.random(in: 0..<8, using: &generator) == 0 { form = Form(using: &generator) }
      bytes += form.sentences(using: &generator)
    }
    let fast = DecoderVerifier.verify(bytes, seed: seed, splits: 2) { NMEADecoder() }
    let slow = SlowNMEADecoder.decode(bytes)
    let isSame = fast == slow
    #expect(isSame, "\(Outcome.difference(fast, slow))")
    #expect(fast.fixes.count > 50)
  }

  /// How many digits a receiver writes, and how near to what is no value any more.
  private struct Form {
    var timeDecimals: Int
    var latitudeDecimals: Int
    var longitudeDecimals: Int
    var speedDigits: (Int, Int)
    var mayExceed: Bool

    init(using generator: inout SplitMix64) {
      timeDecimals = Int.random(in: 0...8, using: &generator)
      latitudeDecimals = Int.random(in: 0...10, using: &generator)
      longitudeDecimals =
        Bool.random(using: &generator)
        ? latitudeDecimals : Int.random(in: 0...10, using: &generator)
      speedDigits = (
        Int.random(in: 0...5, using: &generator), Int.random(in: 0...5, using: &generator)
      )
      mayExceed = Int.random(in: 0..<4, using: &generator) == 0
    }

    func sentences(using generator: inout SplitMix64) -> [UInt8] {
      func digits(_ count: Int) -> String {
        // Often zeros: sixty minutes and ninety degrees are the first too many.
        let digits = Int.random(in: 0..<6, using: &generator) == 0 ? "0" : "0123456789"
        return String((0..<count).map { _ in digits.randomElement(using: &generator) ?? "0" })
      }
      func two(below limit: Int) -> String {
        let end = mayExceed ? min(limit + 2, 100) : limit
        let number = Int.random(in: 0..<end, using: &generator)
        return number < 10 ? "0\(number)" : "\(number)"
      }
      func decimals(_ count: Int) -> String {
        count > 0 || Int.random(in: 0..<8, using: &generator) == 0 ? "." + digits(count) : ""
      }
      let time = two(below: 24) + two(below: 60) + two(below: 60) + decimals(timeDecimals)
      let latitude = two(below: 90) + two(below: 60) + decimals(latitudeDecimals)
      let hundreds = Int.random(in: 0..<(mayExceed ? 3 : 2), using: &generator)
      let longitude =
        "\(hundreds)" + two(below: hundreds == 1 ? 80 : 100) + two(below: 60)
        + decimals(longitudeDecimals)
      let position =
        "\(latitude),\(Bool.random(using: &generator) ? "N" : "S"),"
        + "\(longitude),\(Bool.random(using: &generator) ? "E" : "W")"
      let speed = digits(speedDigits.0) + decimals(speedDigits.1)
      let course = two(below: 36) + digits(Int.random(in: 0...1, using: &generator))
      let talker = ["GP", "GN", "GL", "II"].randomElement(using: &generator) ?? "GP"
      return TracksTests.sentences(
        "\(talker)RMC,\(time),A,\(position),\(speed),\(course),020326,,,A",
        "\(talker)GGA,\(time),\(position),1,09,0.92,19.4,M,-34.1,M,,")
    }
  }

  private static func mutate(_ bytes: inout [UInt8], using generator: inout SplitMix64) {
    let index = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes.remove(at: index)
    case 2:
      bytes.insert(
        Array("0123456789.,*$\r\nANSVE -".utf8).randomElement(using: &generator) ?? 0, at: index)
    case 3:
      let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
      bytes.removeSubrange(index..<end)
    case 4:
      let end = min(bytes.count, index + Int.random(in: 1...200, using: &generator))
      bytes.insert(
        contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &generator))
    case 5:
      if 0x30...0x39 ~= bytes[index] {
        bytes[index] = UInt8.random(in: 0x30...0x39, using: &generator)
      }
    case 6:
      if bytes[index] == 0x2C { bytes.insert(0x2C, at: index) }
    default:
      let count = Int.random(in: 1...12, using: &generator)
      bytes.insert(
        contentsOf: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }, at: index
      )
    }
    if bytes.isEmpty { bytes = seedText }
  }

  /// Gives every sentence the checksum of its text, so that mutations reach the fields.
  private static func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var repaired = bytes
    var index = 0
    while let start = repaired[index...].firstIndex(of: 0x24) {
      index = start + 1
      let rest = repaired[index...]
      guard let end = rest.firstIndex(where: { [0x2A, 0x24, 0x0D, 0x0A].contains($0) }),
        repaired[end] == 0x2A, end + 2 < repaired.count
      else { continue }
      let folded = repaired[index..<end].reduce(0, ^)
      let digits = Array("0123456789ABCDEF".utf8)
      repaired[end + 1] = digits[Int(folded >> 4)]
      repaired[end + 2] = digits[Int(folded & 15)]
      index = end + 1
    }
    return repaired
  }
}
