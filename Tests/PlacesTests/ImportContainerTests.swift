import FencepostMonitoring
import FencepostPlaces
import Testing

@Suite("Encodings and archives of tables")
struct ImportContainerTests {
  private static let table = "id;title;lat;lon\na;Café 𝄞;1,5;2,5\nb;north;91;2\n"

  /// A text in UTF-16.
  private static func utf16(_ text: String, isBigEndian: Bool, hasMark: Bool) -> [UInt8] {
    ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
  }

  /// Imports a file of these bytes.
  private func importing(_ bytes: [UInt8]) throws -> (report: ImportReport, titles: [String]) {
    let scratch = Scratch()
    return try importing(scratch.file("input", bytes))
  }

  private func importing(_ path: String) throws -> (report: ImportReport, titles: [String]) {
    let (store, report) = try PlaceStore.inMemory(from: [path])
    var titles: [String] = []
    try store.makeReader().list { place in
      titles.append(place.title)
      return true
    }
    return (report, titles.sorted())
  }

  @Test(
    "Tables and GeoJSON in UTF-16 are read, with their lines",
    arguments: [(false, true), (true, true), (false, false), (true, false)])
  func utf16(_ isBigEndian: Bool, _ hasMark: Bool) throws {
    let (report, titles) = try importing(
      Self.utf16(Self.table, isBigEndian: isBigEndian, hasMark: hasMark))
    #expect(titles == ["Café 𝄞"])
    #expect(report.refusals.map(\.line) == [3] && report.warnings == [])
    let long = Self.table + String(repeating: ";Café;1;2\n", count: 30_000)
    #expect(
      try importing(Self.utf16(long, isBigEndian: isBigEndian, hasMark: hasMark)).report.imported
        == 2)
    let json =
      #"{"type":"Feature","properties":{"title":"Café"},"geometry":{"type":"Point","coordinates":[2,1]}}"#
    let found = try importing(Self.utf16(json, isBigEndian: isBigEndian, hasMark: hasMark))
    #expect(found.titles == ["Café"])
  }

  @Test("XML in UTF-16 is read as before")
  func utf16XML() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><gpx><wpt lat=\"1\" lon=\"2\"><name>é</name></wpt></gpx>"
    #expect(try importing(Self.utf16(text, isBigEndian: false, hasMark: true)).titles == ["é"])
  }

  @Test("The warning about other encodings says how they were read and what to do")
  func windows1252() throws {
    // The header too: “Länge” in one byte a letter.
    let table = Array("id;Titel;Breite;L".utf8) + [0xE4] + Array("nge\na;caf".utf8)
    let (report, titles) = try importing(table + [0xE9, 0x20, 0x80] + Array(";1,5;2,5\n".utf8))
    #expect(titles == ["café €"] && report.refused == 0)
    let warning = try #require(report.warnings.first)
    #expect(warning.tellsOfLoss)
    #expect(
      warning.description.contains(
        " is not UTF-8. 3 letters were read as Windows-1252, the first on line 1. If they look wrong, save the"
      ))
    let mixed = try importing(Array("id,lat,lon,title\na,1,2,é".utf8) + [0xE9, 0x81])
    #expect(mixed.titles == ["éé\u{FFFD}"])
    #expect("\(mixed.report.warnings)".contains(" is not entirely UTF-8. 2 letters were read as "))
  }

  // MARK: Archives

  /// Makes a zip archive of files, given by their names and texts, in this order.
  private func zip(_ files: [(name: String, bytes: [UInt8])], in scratch: Scratch) -> String {
    let script = scratch.file(
      "zip.py",
      "import sys,zipfile\nz=zipfile.ZipFile('made.zip','w',zipfile.ZIP_DEFLATED)\n"
        + "for i,n in enumerate(sys.argv[1:]): z.writestr(n,open('part%d'%i,'rb').read())\n")
    for (index, file) in files.enumerated() { _ = scratch.file("part\(index)", file.bytes) }
    let names = files.map { "'\($0.name)'" }.joined(separator: " ")
    let output = scratch.run("cd '\(scratch.folder)' && python3 '\(script)' \(names)")
    #expect(output == "status 0\n")
    return scratch.path("made.zip")
  }

  @Test("A zip archive may hold one table, of any name and encoding")
  func zippedTable() throws {
    let scratch = Scratch()
    let utf16 = Self.utf16(Self.table, isBigEndian: false, hasMark: true)
    for (name, bytes) in [
      ("desk.csv", Array(Self.table.utf8)), ("a/export.txt", Array(Self.table.utf8)),
      ("desk.CSV", utf16),
    ] {
      let path = zip(
        [("readme.txt", Array("These are stories.\n".utf8)), (name, bytes)]
          + [("__MACOSX/._desk.csv", [0, 5, 0x16, 7]), ("picture.png", [0x89, 0x50])], in: scratch)
      let (report, titles) = try importing(path)
      #expect(titles == ["Café 𝄞"], "\(name)")
      #expect(report.refusals.map(\.file) == ["\(path): \(name)"])
      #expect(report.refusals.map(\.line) == [3])
    }
    let path = zip([("desk.csv", Array("id,lat,lon,title\na,1,2,caf".utf8) + [0xE9])], in: scratch)
    #expect(
      try importing(path).report.warnings
        == [.notUTF8(file: "\(path): desk.csv", line: 2, bytes: 1, isMixed: false)])
  }

  @Test(
    "A zip archive whose table is not clear is refused with a sentence",
    arguments: [
      (["a.csv", "b.csv"], "holds a.csv and b.csv; unpack it"),
      (["a.csv", "doc.kml"], "holds a.csv and doc.kml; unpack it"),
      (["readme.txt"], "holds no KML, GPX or table; unpack it"),
      (["addresses.csv"], "has no columns lat and lon, only Title, Address"),
      (["[Content_Types].xml", "xl/workbook.xml"], "an Excel workbook; save it as “CSV UTF-8”"),
      (["mimetype", "content.xml"], "an OpenDocument spreadsheet; save it as CSV"),
      (["Index/Document.iwa"], "this is a Numbers document; export it as CSV"),
    ])
  func unclearArchives(_ names: [String], _ words: String) throws {
    let contents = [
      "doc.kml": "<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
      "readme.txt": "These are stories.\n", "addresses.csv": "Title,Address\nA,Market Street\n",
      "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>",
      "mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>",
    ]
    let scratch = Scratch()
    let path = zip(names.map { ($0, Array((contents[$0] ?? Self.table).utf8)) }, in: scratch)
    #expect {
      try importing(path)
    } throws: { "\($0)".hasPrefix(path) && "\($0)".contains(words) }
  }

  @Test("GPX without a waypoint is answered with the command that replays it")
  func walks() throws {
    let walk = Array(#"<gpx><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>"#.utf8)
    let scratch = Scratch()
    for path in [scratch.file("walk.gpx", walk), zip([("walk.gpx", walk)], in: scratch)] {
      #expect {
        try importing(path)
      } throws: {
        "\($0)".hasSuffix("To replay it: fencepost replay \(path) --store stories.sqlite")
      }
    }
  }

  @Test("The KML of an archive goes before a table behind it")
  func kmlFirst() throws {
    let scratch = Scratch()
    let kml =
      "<kml><Placemark><name>K</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
    let path = zip([("doc.kml", Array(kml.utf8)), ("a.csv", Array(Self.table.utf8))], in: scratch)
    #expect(try importing(path).titles == ["K"])
  }

  @Test("A cut archive yields the rows before its end")
  func cutArchive() throws {
    let scratch = Scratch()
    // Digits of a generator, so that deflate cannot shrink them to nothing.
    var text = "id,lat,lon\n"
    var state: UInt64 = 1
    for row in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += "\(row),1.\(state >> 40),2\n"
    }
    let path = zip([("a.csv", Array(text.utf8))], in: scratch)
    let bytes = Scratch.bytes(path)
    let (report, titles) = try importing(Array(bytes.prefix(bytes.count / 2)))
    #expect(titles.count > 5000 && titles.count < 20_000)
    #expect(report.refusals.map(\.reason) == [.malformed])
  }

  @Test("A workbook of old Office programs is refused with what to do")
  func oldWorkbook() {
    #expect {
      try importing(
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600))
    } throws: { "\($0)".contains("save it as “CSV UTF-8”") }
  }

  @Test("A folder is refused with what to do")
  func folder() {
    let scratch = Scratch()
    #expect {
      try importing(scratch.folder)
    } throws: { "\($0)" == "\(scratch.folder): is a directory; name the files in it" }
  }
}
