import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import TestSupport
import Testing

/// Compares the fast paths of an import with plain code.
@Suite("The bytes of an import")
struct ImportBytesTests {
  /// The bytes with the character of Windows-1252 for each that belongs to none of UTF-8, and the index of the first such
  /// byte.
  private static func repaired(_ bytes: [UInt8]) -> (text: String, firstFault: Int?, count: Int) {
    var (text, firstFault, count, index) = ("", Int?.none, 0, 0)
    while index < bytes.count {
      let lengths = (1...4).filter { length in
        index + length <= bytes.count
          && String(validating: bytes[index..<index + length], as: UTF8.self)?
            .unicodeScalars.count == 1
      }
      if let length = lengths.first {
        text += String(decoding: bytes[index..<index + length], as: UTF8.self)
        index += length
      } else {
        if firstFault == nil { firstFault = index }
        text +=
          [
            "\u{E9}": "é", "\u{F0}": "ð", "\u{9F}": "Ÿ", "\u{C0}": "À", "\u{AF}": "¯",
            "\u{80}": "€",
          ][
            Unicode.Scalar(bytes[index])] ?? "?"
        count += 1
        index += 1
      }
    }
    return (text, firstFault, count)
  }

  @Test("Bytes that are not UTF-8 are read as Windows-1252 and counted wherever they are")
  func repair() throws {
    var random = SplitMix64(seed: 12)
    let pieces: [[UInt8]] = [
      Array("plain text of some length ".utf8), Array("é".utf8), Array("語".utf8), Array("𝄞".utf8),
      [0xE9], [0xF0, 0x9F], [0xC0, 0xAF], [0x80], Array("a".utf8),
    ]
    for round in 0..<60 {
      let scratch = Scratch()
      // Some files have few faults or none, so that the first is not always in the first line.
      let kinds = round % 3 == 0 ? 4 : pieces.count
      var bytes = Array("id,title,lat,lon\n".utf8)
      var titles: [String] = []
      var faults = 0
      var firstLine: Int?
      var isMixed = false
      for row in 0..<40 {
        var title = Array("t".utf8)
        for _ in 0..<random.next() % 9 {
          let isLate = row < 20 && round % 3 == 1
          title += pieces[Int(random.next() % UInt64(isLate ? 4 : kinds))]
        }
        let expected = Self.repaired(title)
        titles.append(expected.text)
        faults += expected.count
        if title.contains(0xC3) || title.contains(0xE8) || title.contains(0x9D) { isMixed = true }
        if expected.count > 0, firstLine == nil { firstLine = row + 2 }
        bytes += Array("\(row),".utf8) + title + Array(",\(row + 1),0\n".utf8)
      }
      let file = scratch.file("a.csv", bytes)
      let (store, report) = try PlaceStore.inMemory(from: [file])
      let reader = try store.makeReader()
      for (row, title) in titles.enumerated() {
        #expect(try reader.place(withID: "\(row)")?.title == title)
      }
      let expected = firstLine.map {
        ImportReport.Warning.notUTF8(file: file, line: $0, bytes: faults, isMixed: isMixed)
      }
      #expect(report.warnings == [expected].compactMap(\.self))
    }
  }

  @Test("A character cut by the end of a chunk stays whole", arguments: 0..<4)
  func cutCharacters(_ shift: Int) throws {
    let title = String(repeating: "x", count: shift) + String(repeating: "語𝄞é", count: 40_000)
    let (report, places) = try ImportTests.places(of: "id,lat,lon,title\na,1,2,\(title)\n")
    #expect(places.map(\.title) == [title] && report.warnings == [])
  }

  @Test(
    "Priorities are whole numbers in any notation",
    arguments: [
      ("0", 0), ("7", 7), (" 9 ", 9), ("+3", 3), ("-4", -4), ("3.0", 3), ("03", 3), ("1e3", 1000),
      ("-0", 0), ("10", 10), ("2147483647", 2_147_483_647), ("-2147483648", -2_147_483_648),
      ("", 0),
    ])
  func priorities(_ text: String, _ expected: Int) throws {
    let (report, places) = try ImportTests.places(of: "id,lat,lon,priority\na,1,2,\(text)\n")
    #expect(report.refused == 0 && places.map(\.priority) == [expected])
  }

  @Test(
    "Priorities that are not whole numbers are refused",
    arguments: [":", "/", "-", "2147483648", "1.5", "é"])
  func badPriorities(_ text: String) throws {
    let (report, places) = try ImportTests.places(of: "id,lat,lon,priority\na,1,2,\(text)\n")
    #expect(report.refusedByReason == [.badPriority: 1] && places.isEmpty)
  }

  @Test(
    "Each place has the contents of its own row, in imports of any size",
    arguments: [1, 31, 32, 33, 63, 64, 65, 500])
  func ownTexts(_ count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    var text = "id,title,lat,lon,radius,blurb,url,category,priority,published,expires\n"
    var expected: [Place] = []
    for row in 0..<count {
      // A row with a time may follow one without, and the other way round.
      let published = random.next() % 3 == 0 ? Int64(random.next() % 2_000_000_000) * 1000 : nil
      let place = Place(
        key: 0, id: "p\(row)", title: "Title \(row)", blurb: "b\(random.next() % 1000)",
        url: row % 4 == 0 ? "" : "u\(row)", category: "c\(row % 5)", priority: row % 20 - 5,
        coordinate: Coordinate(
          latitudeDegrees: Double(random.next() % 180) - 90,
          longitudeDegrees: Double(random.next() % 360) - 180),
        radiusMeters: Double(1 + random.next() % 5000), publishedMilliseconds: published,
        expiresMilliseconds: published.map { $0 + 86_400_000 })
      expected.append(place)
      let position = "\(place.coordinate.latitudeDegrees),\(place.coordinate.longitudeDegrees)"
      let times = [place.publishedMilliseconds, place.expiresMilliseconds]
        .map { $0.map(Self.time) ?? "" }.joined(separator: ",")
      text +=
        "\(place.id),\(place.title),\(position),\(place.radiusMeters),\(place.blurb),\(place.url),"
        + "\(place.category),\(place.priority),\(times)\n"
    }
    let scratch = Scratch()
    let path = scratch.path("s.db")
    _ = try PlaceStore.importPlaces(from: [scratch.file("a.csv", text)], into: path)
    let store = try PlaceStore(path: path)
    var found: [Place] = []
    try store.makeReader().list { place in
      found.append(place)
      return true
    }
    #expect(found.map(\.key).sorted() == Array(1...Int64(count)))
    for index in found.indices { found[index].key = 0 }
    #expect(found.sorted { $0.id < $1.id } == expected.sorted { $0.id < $1.id })
    #expect(try store.check().isSound)
  }

  /// A whole second as ISO 8601, by the calendar's own arithmetic of days.
  private static func time(_ milliseconds: Int64) -> String {
    var days = milliseconds / 86_400_000
    let seconds = milliseconds / 1000 % 86_400
    var year = 1970
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    while days >= (isLeap(year) ? 366 : 365) {
      days -= isLeap(year) ? 366 : 365
      year += 1
    }
    var month = 0
    let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    while days >= lengths[month] {
      days -= lengths[month]
      month += 1
    }
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(year)-\(two(Int64(month + 1)))-\(two(days + 1))"
    return day + "T\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))Z"
  }

  @Test(
    "Places at one spot are counted as by a dictionary", arguments: [40, 700, 100_000])
  func spots(_ side: Int) throws {
    var random = SplitMix64(seed: UInt64(side))
    var counts: [String: Int] = [:]
    var text = "id,lat,lon\n"
    for row in 0..<3000 {
      let spot = "\(random.next() % UInt64(side) % 90),0.\(random.next() % UInt64(side))"
      counts[spot, default: 0] += 1
      text += "\(row),\(spot)\n"
    }
    // 0.1 and 0.10 are one spot.
    var groups: [[Double]: Int] = [:]
    for (spot, count) in counts {
      groups[spot.split(separator: ",").compactMap { Double($0) }, default: 0] += count
    }
    let shared = groups.values.filter { $0 > 1 }
    let (report, _) = try ImportTests.places(of: text)
    guard case .samePosition(let places, let positions, let first)? = report.warnings.first else {
      #expect(shared.isEmpty && report.warnings == [])
      return
    }
    #expect(places == shared.reduce(0, +) && positions == shared.count && first.count <= 3)
    #expect(first.allSatisfy { shared.contains($0.stories.count + $0.more) })
  }
}
