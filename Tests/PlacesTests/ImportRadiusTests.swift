import FencepostMonitoring
import FencepostPlaces
import Testing

@Suite("Radii in tables")
struct ImportRadiusTests {
  /// Imports rows `0`, `1`, … with these radii.
  private func radii(_ texts: [String]) throws -> (report: ImportReport, places: [Place]) {
    let rows = texts.enumerated().map { "\($0);\($0 % 90);2;\($1)\n" }
    return try ImportTests.places(of: "id;lat;lon;radius\n" + rows.joined())
  }

  @Test(
    "may have a unit and a decimal comma",
    arguments: [
      ("100 m", 100), ("100m", 100), ("100 Meter", 100), ("1.5 km", 1500), ("1,5km", 1500),
      ("300ft", 91.44), ("300 feet", 91.44), ("0.5 mi", 804.672), ("2\u{A0}km", 2000),
      ("50,5", 50.5), ("+50.5", 50.5), ("1e3", 1000), ("0.125 km", 125),
    ])
  func units(_ text: String, _ meters: Double) throws {
    let (report, places) = try radii([text])
    #expect(report.refusals == [] && places.map(\.radiusMeters) == [meters])
  }

  @Test("are refused with another unit, or with thousands divided")
  func unknownUnits() throws {
    for text in ["3 leagues", "1.234.567", "1,500.5", "m", "-5 m", "21000 km", "1 0 m"] {
      let (report, places) = try radii([text])
      #expect(places.isEmpty && report.refusals.map(\.reason) == [.badRadius], "\(text)")
      #expect(report.refusals[0].sentence.contains("“\(text)”"))
    }
  }

  @Test(
    "with three digits behind the only mark have two readings, and are refused with both",
    arguments: [
      ("1.500", "1500 m or 1.5 m; write 1500 or 1.5"),
      ("1,500", "1500 m or 1.5 m; write 1500 or 1.5"),
      ("100.000", "100000 m or 100 m; write 100000 or 100"),
      ("1.500 km", "1500 km or 1.5 km; write 1500 km or 1.5 km"),
      ("12,345m", "12345m or 12.345m; write 12345m or 12.345m"),
    ])
  func ambiguous(_ text: String, _ words: String) throws {
    let (report, places) = try radii([text, "70"])
    #expect(places.map(\.id) == ["1"])
    #expect(report.refusals.map(\.line) == [2])
    #expect(report.refusals.map(\.sentence) == ["the radius “\(text)” may be \(words)"])
  }

  @Test(
    "are clear by another row of the table whose mark is the decimal one",
    arguments: [
      (["1.500", "50.5"], [1.5, 50.5]), (["50.5", "1.500"], [50.5, 1.5]),
      (["1,500", "0,500"], [1.5, 0.5]), (["1.500", "1234.500"], [1.5, 1234.5]),
      (["1.500 km", "75", "0.5 km"], [1500, 75, 500]),
      (["1,500", "1.500", "2.0", "2,0"], [1.5, 1.5, 2, 2]),
    ])
  func settled(_ texts: [String], _ meters: [Double]) throws {
    let (report, places) = try radii(texts)
    #expect(report.refusals == [] && places.map(\.radiusMeters) == meters)
  }

  @Test("are not clear by the other mark, nor by positions")
  func otherMark() throws {
    let (report, places) = try ImportTests.places(
      of: "id;lat;lon;radius\na;1.5;2.5;1,500\nb;1.5;2.5;50.5\n")
    #expect(places.map(\.id) == ["b"] && report.refusals.map(\.line) == [2])
  }

  @Test("keep the order of rows, of refusals and of equal ids while they wait")
  func order() throws {
    let text = """
      id,title,lat,lon,radius
      a,first,1,2,1.500
      a,second,1,2,70
      b,north,91,2,70
      c,short
      d,last,1,2,2.500
      e,clear,1,2,
      """
    let (refused, few) = try ImportTests.places(of: text)
    #expect(few.map(\.title) == ["second", "clear"])
    #expect(refused.refusals.map(\.line) == [2, 4, 5, 6])
    let (report, places) = try ImportTests.places(of: text + "\nf,decides,1,2,9.5\n")
    #expect(places.map(\.title) == ["first", "last", "clear", "decides"])
    #expect(report.refusals.map(\.line) == [3, 4, 5])
    #expect(throws: PlaceImportError.self) {
      try ImportTests.places(of: text, options: ImportOptions(isStrict: true))
    }
  }

  @Test("are waited for within a bound")
  func bound() throws {
    let rows = 10_000
    for extra in [0, 1] {
      let texts = [String](repeating: "1.500", count: rows - 1 + extra) + ["50.5"]
      let (report, places) = try radii(texts)
      #expect(places.count == (extra == 0 ? rows : 1))
      #expect(report.refused == (extra == 0 ? 0 : rows))
    }
  }

  @Test("of formats with a grammar for numbers are what they say")
  func otherFormats() throws {
    let point = #"{"type":"Point","coordinates":[2,1]}"#
    for (radius, meters) in [("1.500", 1.5), (#""1.5 km""#, 1500)] {
      let (report, places) = try ImportTests.places(
        of: #"{"type":"Feature","id":"a","geometry":\#(point),"properties":{"radius":\#(radius)}}"#)
      #expect(report.refused == 0 && places.map(\.radiusMeters) == [meters])
    }
  }

  @Test("under 10 m are told with their number and the first line")
  func tiny() throws {
    let scratch = Scratch()
    let file = scratch.file("a.csv", "id,lat,lon,radius\na,1,2,10\nb,1,3,1.5\nc,1,4,9.99\n")
    let (_, report) = try PlaceStore.inMemory(from: [file])
    let warning = ImportReport.Warning.tinyRadius(
      places: 2, first: ImportReport.Position(file: file, line: 3, isRow: true))
    #expect(report.warnings == [.smallRadius(places: 3, total: 3), warning])
    #expect(
      warning.description
        == "\(file), row 3: the radius is below 10 m, which is less than the usual GPS error."
        + " So are the radii of 1 more story. A number without a unit is in meters.")
  }
}
