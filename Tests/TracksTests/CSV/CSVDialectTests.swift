import FencepostTracks
import FencepostFixes
import FencepostGeodesy
import Testing

@Suite("Tables in every dialect")
struct CSVDialectTests {
  @Test(
    "are read alike",
    arguments: [
      "time,lat,lon\n2026-03-04T17:00:00Z,39.5,-75.25\n",
      "time;lat;lon\n2026-03-04T17:00:00Z;39,5;-75,25\n",
      "time;lat;lon\n2026-03-04T17:00:00Z;39.5;-75.25\n",
      "time\tlat\tlon\n2026-03-04T17:00:00Z\t39.5\t-75.25\n",
      "time|lat|lon\r\n2026-03-04T17:00:00Z|39.5|-75.25\r\n",
      "sep=;\r\ntime;lat;lon\r\n2026-03-04T17:00:00Z;39.5;-75.25\r\n",
      "\u{FEFF}\"sep=^\"\ntime^lat^lon\n2026-03-04T17:00:00Z^39.5^-75.25",
      "# a walk, in spring\n#\n\ntime,lat,lon\n# the start\n2026-03-04T17:00:00Z,39.5,-75.25\n",
      "#time,lat,lon\n2026-03-04T17:00:00Z,39.5,-75.25\n",
      "# made by a; b; c\n# time;lat;lon\r2026-03-04T17:00:00Z;39,5;-75,25\r",
      "time,lat,lon\n\"2026-03-04T17:00:00Z\",\"39,5\",\"-75,25\"\n",
      " time , \"lat\" , lon \n 2026-03-04T17:00:00Z , 39.5 , -75.25 \n",
      "\"a;b\",time,lat,lon\n\"1,2;3;4;5\",2026-03-04T17:00:00Z,39.5,-75.25\n",
      "TIME,LATITUDE,N/S,LONGITUDE,E/W,\n2026-03-04T17:00:00Z,39.5,N,75.25,W,\n",
      "Time,LATITUDE N/S,LONGITUDE E/W\n2026-03-04T17:00:00Z,39.500000N,075.250000W\n",
      "t;Breite;Länge\n2026-03-04T17:00:00Z;N 39,5°;-75,25\n",
      "X\tY\tlng\tlat\ttime\n1\t2\t-75.25\t39.5\t2026-03-04T17:00:00Z\n",
    ])
  func reads(text: String) throws {
    let outcome = DecoderVerifier.verify(Array(text.utf8)) { StreamDecoder() }
    #expect(outcome.error == nil && outcome.rejections.isEmpty)
    #expect(outcome.times == ["2026-03-04T17:00:00Z"])
    #expect(
      outcome.fixes.first?.coordinate
        == Coordinate(latitudeDegrees: 39.5, longitudeDegrees: -75.25))
    // Lines are counted from the beginning of the file, not from the header.
    let lines = text.replacing("\r\n", with: "\n").split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r" })
    let line = lines.lastIndex { !$0.isEmpty && !$0.hasPrefix("#") }
    #expect(outcome.fixes.first.map { Int($0.line) - 1 } == line)
  }

  @Test("`#` begins a comment, except in a row with a position and a text column")
  func comments() {
    let text = """
      name,lat,lon,note
      #1 stop,39.5,-75.25,
      # nothing
      #2,1
      "#3",39.6,-75.25
      #,x,y,z
      """
    let outcome = DecoderVerifier.verify(Array(text.utf8)) { CSVFixDecoder() }
    #expect(outcome.fixes.map(\.line) == [2, 5])
    #expect(outcome.rejections.map(\.line) == [6])
    let times = "time,lat,lon\n#2026-03-04T16:00:00Z,1,2\n2026-03-04T17:00:00Z,1,2\n"
    let commented = DecoderVerifier.verify(Array(times.utf8)) { CSVFixDecoder() }
    #expect(commented.times == ["2026-03-04T17:00:00Z"])
    #expect(commented.rejections.isEmpty)
  }

  @Test("a decimal comma is read to the last bit")
  func exactness() {
    for text in ["39.952600123456789", "-0.1", "89.99999999999999", "5e-324"] {
      let comma = text.replacing(".", with: ",")
      let outcome = DecoderVerifier.verify(Array("lat;lon\n\(comma);1\n".utf8)) { CSVFixDecoder() }
      #expect(outcome.fixes.first?.coordinate.latitudeDegrees == Double(text))
    }
    let outcome = DecoderVerifier.verify(Array("lat;lon\n1,2,3;1\n1.2,3;1\n".utf8)) {
      CSVFixDecoder()
    }
    #expect(outcome.count(.coordinate) == 2)
  }
}
