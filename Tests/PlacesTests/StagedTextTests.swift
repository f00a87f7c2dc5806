import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import TestSupport
import Testing

/// An import into a file spools many texts to a temporary file; one into memory keeps them there.
@Suite("The texts of an import")
struct StagedTextTests {
  /// A list of places with short and long texts, as CSV.
  private static func csv(_ count: Int, longTexts: Bool, seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    var text = "id,title,lat,lon,radius,blurb,url,category,priority,published,expires\n"
    for index in 0..<count {
      let isLong = longTexts && index % 7 == 3
      // Lengths that are written in one, two and three bytes.
      let id = "\(random.next() % 9)-\(index)" + word(isLong ? 700 + index % 900 : 0, &random)
      let blurb = word(isLong ? 3700 + index * 13 % 700 : index % 40, &random)
      let title = index % 11 == 5 && longTexts ? word(16_000 + index, &random) : "Story é \(index)"
      let radius = [50, 100.5, 400, 6000, 90_000, 20_000_000][Int(random.next() % 6)]
      let priority = ["", "0", "1", "-1", "300", "-40000", "2147483647"][Int(random.next() % 7)]
      let published = index % 3 == 0 ? "2026-03-04" : ""
      let expires = index % 5 == 0 ? "2031-03-04T10:00:00+02:00" : ""
      let place = "\(random.double(-90...90)),\(random.double(-180...180)),\(radius)"
      text +=
        "\(id),\(title),\(place),\(blurb),,k\(index % 5),\(priority),\(published),\(expires)\n"
    }
    return text
  }

  private static func word(_ length: Int, _ random: inout SplitMix64) -> String {
    String(repeating: Character(UnicodeScalar(97 + UInt8(random.next() % 26))), count: length)
  }

  private static func places(_ store: PlaceStore) throws -> [Place] {
    var places: [Place] = []
    try store.makeReader().list { place in
      places.append(place)
      return true
    }
    return places
  }

  private static func expectEqual(_ text: String, _ count: Int) throws {
    let scratch = Scratch()
    let input = scratch.file("a.csv", text)
    let path = scratch.path("s.db")
    let report = try PlaceStore.importPlaces(from: [input], into: path)
    let (memory, expected) = try PlaceStore.inMemory(from: [input])
    #expect(report == expected && report.imported == count)
    let store = try PlaceStore(path: path)
    #expect(try places(store) == places(memory))
    let findings = try store.check().findings
    #expect(findings.filter { $0.fault != nil } == [])
    #expect(try store.makeReader().count() == count)
    #expect(scratch.run("ls \(scratch.folder)") == "a.csv\ns.db\nstatus 0\n")
  }

  @Test(
    "A store in a file holds the same as one in memory and passes its checks",
    arguments: [0, 1, 2, 51, 52, 2602, 9000])
  func rows(_ count: Int) throws {
    try Self.expectEqual(Self.csv(count, longTexts: false, seed: UInt64(count)), count)
  }

  @Test("Short, long and very long texts and ids stay whole")
  func longTexts() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      try Self.expectEqual(Self.csv(1200, longTexts: true, seed: seed), 1200)
    }
  }

  @Test("Texts of which a few fill the memory reach their places")
  func longestTexts() throws {
    var random = SplitMix64(seed: 5)
    var text = "id,lat,lon,blurb,title\n"
    for index in 0..<40 {
      let place = "\(random.double(-90...90)),\(random.double(-180...180))"
      text += "p\(index),\(place),\(Self.word(900_000 + index, &random)),\(index)\n"
    }
    try Self.expectEqual(text, 40)
  }

  @Test("Texts that exceed the memory reach their places")
  func spooledTexts() throws {
    var random = SplitMix64(seed: 3)
    var text = "id,lat,lon,blurb,title\n"
    for index in 0..<9000 {
      let place = "\(random.double(-90...90)),\(random.double(-180...180))"
      text += "p\(index),\(place),\(Self.word(2000 + index % 900, &random)),\(index)\n"
    }
    try Self.expectEqual(text, 9000)
  }

  @Test("Spooled texts update an existing store")
  func mergedTexts() throws {
    let scratch = Scratch()
    var random = SplitMix64(seed: 4)
    func text(_ letter: Character) -> String {
      "id,lat,lon,blurb\n"
        + (0..<6000).map { index in
          let blurb = String(repeating: letter, count: 3000 + index % 10)
          return "\(index),\(random.double(-90...90)),\(random.double(-180...180)),\(blurb)\n"
        }.joined()
    }
    let path = scratch.path("s.db")
    _ = try PlaceStore.importPlaces(from: [scratch.file("1", text("a"))], into: path)
    let report = try PlaceStore.importPlaces(from: [scratch.file("2", text("b"))], into: path)
    #expect(report.updated == 6000 && report.imported == 0)
    let store = try PlaceStore(path: path)
    #expect(try store.check().isSound)
    for place in try Self.places(store) {
      let index = try #require(Int(place.id))
      #expect(place.blurb == String(repeating: "b", count: 3000 + index % 10))
    }
  }
}
