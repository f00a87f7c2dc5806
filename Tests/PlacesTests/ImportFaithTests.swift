import FencepostMonitoring
import FencepostPlaces
import TestSupport
import Testing

@Suite("An import says what it changes")
struct ImportFaithTests {
  private func said(_ text: String) throws -> [String] {
    try ImportTests.places(of: text).report.warnings.map(\.description)
  }

  // MARK: Radii

  @Test(
    "The unit in a heading applies to numbers without one",
    arguments: [
      ("Radius (ft)", "300", 91.44), ("Radius (m)", "300", 300), ("radius_km", "0.5", 500),
      ("Radius [yd]", "100", 91.44), ("Umkreis in m", "80", 80), ("Radius in feet", "1000", 304.8),
      ("Radius (')", "1000", 304.8), ("radiusMiles", "1", 1609.344), ("Radius ft", "50 m", 50),
      ("Radius (ft)", "0.1 km", 100), ("Rayon (mètres)", "70", 70), ("Radius (nmi)", "1", 1852),
      ("Umkreis", "90 Meter", 90), ("radius", "100 yd", 91.44),
    ])
  func headingUnits(_ heading: String, _ radius: String, _ meters: Double) throws {
    let (report, places) = try ImportTests.places(
      of: "id,lat,lon,\(heading)\na,1,2,\(radius)\nb,1,3,\(radius)\n")
    #expect(report.refused == 0 && places.map(\.radiusMeters) == [meters, meters])
  }

  @Test("The unit of a heading applies to decimal commas and to JSON too")
  func headingUnitsElsewhere() throws {
    let (_, commas) = try ImportTests.places(
      of: "id;lat;lon;Radius (km)\na;1;2;0,25\nb;1;3;1,500\n")
    #expect(commas.map(\.radiusMeters) == [250, 1500])
    let (_, objects) = try ImportTests.places(
      of: #"[{"id":1,"lat":1,"lon":2,"radiusFeet":100},{"id":2,"lat":1,"lon":3,"radius":100}]"#)
    #expect(objects.map(\.radiusMeters) == [30.48, 100])
  }

  @Test("A radius in an unknown unit is named with what to do")
  func unknownUnit() throws {
    let warning = try #require(try said("id,lat,lon,Radius (chains),Photo\na,1,2,5,x\n").first)
    #expect(warning.hasPrefix("Ignored columns in "))
    #expect(
      warning.hasSuffix(
        ": Radius (chains), Photo. To use the radius, rename the column to Radius and write 300 ft."
      ))
    let read = try said("id,lat,lon,Radius,Old radius\na,1,2,500,5\n")
    #expect(read.first?.hasSuffix(": Old radius.") == true)
  }

  @Test("A row with more cells than the header is named, and empty cells at its end are not")
  func longRows() throws {
    let header = "id;title;lat;lon;teaser\n"
    let whole = try said(header + "a;A;1;2;one;;\nb;B;1;3;two\n")
    #expect(!whole.contains { $0.contains("more cells") }, "\(whole)")
    let cut = try said(header + "a;A;1;2;one\nb;Beta;1;3;two; three\n")
    #expect(
      cut.contains {
        $0.hasSuffix(
          "row 3 (Beta) has more cells than the header, so the last ones were ignored."
            + " Put texts that contain the separator in quotes.")
      }, "\(cut)")
    let several = try said(header + "a;A;1;2;one;x\nb;B;1;3;two;x\nc;C;1;4;two;x\n")
    #expect(several.contains { $0.contains("were ignored. So have 2 more rows.") }, "\(several)")
  }

  // MARK: Names

  @Test(
    "A number or identifier is the id as it is",
    arguments: ["Nr", "Nr.", "No.", "Number", "identifier", "Nummer", "Story No", "lfd. Nr."])
  func numbers(_ name: String) throws {
    let (report, places) = try ImportTests.places(
      of: "\(name),title,lat,lon\n1,A,1,2\n2,B,1,3\n")
    #expect(places.map(\.id) == ["1", "2"] && report.warnings == [])
    let json = try ImportTests.places(of: #"[{"\#(name)":7,"title":"A","lat":1,"lon":2}]"#)
    #expect(json.places.map(\.id) == ["7"] && json.report.warnings == [])
  }

  @Test("The clearest name is the id, and a number beside a street is that of a house")
  func clearestNumbers() throws {
    #expect(
      try ImportTests.places(of: "Nr,identifier,lat,lon\n1,a,1,2\n").places.map(\.id) == ["a"])
    let (report, places) = try ImportTests.places(
      of: "Title,Straße,Nr,lat,lon\nA,Weg,7,1,2\nB,Gasse,7,1,3\n")
    #expect(report.refused == 0 && places.allSatisfy { $0.id.hasPrefix("p-") })
    let (_, objects) = try ImportTests.places(
      of: #"[{"title":"A","street":"Weg","number":7,"lat":1,"lon":2}]"#)
    #expect(objects.allSatisfy { $0.id.hasPrefix("p-") })
  }

  @Test(
    "A column of importance is the priority, and it is said which end matters most",
    arguments: ["Wichtigkeit", "Importance"])
  func importance(_ name: String) throws {
    let (report, places) = try ImportTests.places(of: "id,lat,lon,\(name)\na,1,2,5\n")
    #expect(places.map(\.priority) == [5])
    #expect(
      report.warnings.map(\.description).first?.hasSuffix(
        ": “\(name)” is used as the priority. The lowest number matters most, so 1 comes before 5.")
        == true)
    for plain in ["Rang", "Rank", "Prio", "Priorität"] {
      let (report, places) = try ImportTests.places(of: "id,lat,lon,\(plain)\na,1,2,5\n")
      #expect(places.map(\.priority) == [5] && report.warnings == [])
    }
  }

  @Test("Priorities in words lie about that of a story without one")
  func priorityWords() throws {
    let (report, places) = try ImportTests.places(
      of: "id,lat,lon,Prio\na,1,2,High\nb,1,3,\nc,1,4,niedrig\nd,1,5,urgent\n")
    #expect(places.map(\.priority) == [-1, 0, 1])
    #expect(report.refusals.map(\.row) == [5])
    #expect(
      report.warnings.map(\.description)
        == [
          "Read 2 priorities written in words: high is -1, normal 0, low 1. The lowest number matters most."
        ])
  }

  // MARK: Texts

  @Test("HTML is removed from teasers, and counted once; titles stay as they are")
  func html() throws {
    let text = """
      id,title,lat,lon,teaser
      a,Tom &amp; Jerry,1,2,"<p>One <b>bold</b> word</p><p>Next&nbsp;line</p>"
      b,if a < b,1,3,a <b and c> d & List<String> &c; x
      c,C,1,4,"First line
      second <a href=""x"">link</a>"
      """
    let (report, places) = try ImportTests.places(of: text)
    #expect(places.map(\.title) == ["Tom &amp; Jerry", "if a < b", "C"])
    #expect(
      places.map(\.blurb)
        == [
          "One bold word\nNext line", "a <b and c> d & List<String> &c; x",
          "First line\nsecond link",
        ])
    #expect(
      report.warnings.map(\.description)
        == ["Removed HTML tags and entities from 2 teasers."])
  }

  @Test("A generated id is that of the title as it is written")
  func idOfHTML() throws {
    let table = "title,lat,lon\nTom &amp; Jerry,1,2\n"
    // As version 0.2.0 made it.
    #expect(try ImportTests.places(of: table).places.map(\.id) == ["p-93df7a46082d964b"])
  }

  // MARK: Dates

  @Test("A story that expires before it is published is named")
  func expiry() throws {
    let (report, places) = try ImportTests.places(
      of: """
        id,title,lat,lon,published,expires
        S1,Hall,1,2,2026-03-04,2026-03-01
        S2,Bell,1,3,2026-03-04,2026-03-05
        S3,,1,4,2026-03-04,2026-03-04
        """)
    #expect(places.count == 3)
    #expect(
      report.warnings.map(\.description)
        == [
          // The third is valid on its day, whose end it expires at.
          "1 story expires before it is published and can never alert: row 2 (Hall)."
        ])
  }

  // MARK: Ids and positions

  @Test("Generated ids are said with what that means")
  func generatedIDs() throws {
    #expect(
      try said("title,lat,lon\nA,1,2\nB,1,3\n")
        == [
          "2 rows have no id, so Fencepost generated them. If you rename or move a story later, it will be treated"
            + " as new. Add an id column to avoid this."
        ])
  }

  @Test("Stories at one position are named with their rows")
  func samePosition() throws {
    #expect(
      try said("id,title,lat,lon\n1,A,1,2\n2,B,1,3\n3,C,1,2.0\n")
        == ["“A” (row 2) and “C” (row 4) are at the same position."])
    let many = (0..<10).map { "\($0),T\($0),\($0 / 2),9\n" }.joined()
    #expect(
      try said("id,title,lat,lon\n" + many)
        == [
          "10 stories share their exact position with another: “T0” (row 2) and “T1” (row 3); “T2” (row 4) and"
            + " “T3” (row 5); “T4” (row 6) and “T5” (row 7); and at 2 more positions."
        ])
    #expect(
      try said("id,title,lat,lon\n" + (0..<5).map { "\($0),T,1,2\n" }.joined())
        == ["“T” (row 2), “T” (row 3), “T” (row 4) and 2 more are at the same position."])
  }

  @Test("A bad row has the number of the spreadsheet's row and its title")
  func badRows() throws {
    let scratch = Scratch()
    let file = scratch.file(
      "stories.csv", "id,title,lat,lon\n1,\"two\nlines\",1,2\n2,Kunsthalle,,\n3,Bell,-122,37\n")
    let (_, report) = try PlaceStore.inMemory(from: [file])
    #expect(
      report.refusals.map(\.description)
        == [
          "\(file), row 3 (Kunsthalle): no coordinates. Skipped.",
          "\(file), row 4 (Bell): the latitude “-122” is not a number from -90 to 90. Latitude and longitude may be"
            + " swapped. Skipped.",
        ])
  }
}

@Suite("Swapped coordinates")
struct SwappedCoordinatesTests {
  /// A table of rows around a center; those of some numbers have latitude and longitude exchanged.
  private static func table(
    _ count: Int, around center: (Double, Double), spread: Double, swapped: Set<Int> = []
  ) -> String {
    var random = SplitMix64(seed: 5)
    func offset() -> Double { (Double(random.next() % 2001) / 1000 - 1) * spread }
    var text = "id,title,lat,lon\n"
    for row in 0..<count {
      let position = (center.0 + offset(), center.1 + offset())
      let (latitude, longitude) = swapped.contains(row) ? (position.1, position.0) : position
      text += "\(row),S\(row),\(latitude),\(longitude)\n"
    }
    return text
  }

  private func swaps(_ text: String) throws -> [String] {
    try ImportTests.places(of: text).report.warnings.map(\.description)
      .filter { $0.contains("swapped") }
  }

  @Test("A row far from all others that would be among them is named with its distance")
  func one() throws {
    #expect(
      try swaps(Self.table(40, around: (53.55, 10), spread: 0.1, swapped: [6]))
        == [
          "Row 8 (S6) is 6,200 km from all other stories. Its latitude and longitude may be swapped."
        ])
  }

  @Test("Several rows are named, and at most five")
  func several() throws {
    let rows: Set<Int> = [3, 7, 20, 21, 22, 23, 24]
    let said = try swaps(Self.table(120, around: (39.95, -75.16), spread: 0.2, swapped: rows))
    #expect(said.count == 1)
    #expect(
      said[0].hasPrefix("7 stories are at least 15,000 km from all others: row 5 (S3), row 9 (S7)"))
    #expect(
      said[0].hasSuffix(", and 2 more. Their latitude and longitude may be swapped."), "\(said)")
    // A whole country.
    #expect(try swaps(Self.table(200, around: (51, 10), spread: 4, swapped: [9])).count == 1)
  }

  @Test("Lists of a town, a country and the whole world give no false alarm")
  func none() throws {
    #expect(try swaps(Self.table(40, around: (53.55, 10), spread: 0.1)) == [])
    #expect(try swaps(Self.table(3, around: (53.55, 10), spread: 0.1, swapped: [1])) == [])
    #expect(try swaps(Self.table(3000, around: (0, 0), spread: 90)) == [])
    // Mostly Europe, and the capitals of the south.
    let south = [
      (-33.9, 18.4), (-26.2, 28), (-1.3, 36.8), (-34.6, -58.4), (-22.9, -43.2), (-12, -77),
      (-33.9, 151.2), (-36.8, 174.8), (-20.2, 57.5), (-18.9, 47.5), (1.35, 103.8), (-18.1, 178.4),
    ]
    var text = Self.table(300, around: (48, 12), spread: 15)
    for (index, city) in south.enumerated() { text += "c\(index),City,\(city.0),\(city.1)\n" }
    #expect(try swaps(text) == [])
    // On both sides of the antimeridian.
    #expect(
      try swaps("id,lat,lon\n1,-17,179.5\n2,-17,-179.5\n3,-16,179\n4,-16,-179\n5,-17,178\n") == [])
  }
}
