import FencepostFiles
import FencepostFixes
import FencepostTracks
import Testing

@Suite("The title of a GPX file")
struct GPXTitleTests {
  private static let points = """
    <trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="2.001"/></trkseg>
    """

  @Test(
    "is the name of its tracks, or else that of the file",
    arguments: [
      ("<trk><name>Anna, Mittagspause</name>POINTS</trk>", "Anna, Mittagspause"),
      ("<metadata><name>File</name></metadata><trk><name> Walk\n2 </name>POINTS</trk>", "Walk 2"),
      ("<metadata><name>File</name></metadata><trk>POINTS</trk>", "File"),
      ("<name>Of 1.0</name><trk>POINTS</trk>", "Of 1.0"),
      ("<trk><name>a</name>POINTS</trk><trk><name>a</name>POINTS</trk>", "a"),
      ("<trk><name>a</name>POINTS</trk><trk><name>b</name>POINTS</trk>", nil),
      (
        "<metadata><name>Both</name></metadata><trk><name>a</name>POINTS</trk>"
          + "<trk><name>b</name>POINTS</trk>", "Both"
      ),
      ("<trk><name> </name>POINTS</trk>", nil),
      ("<wpt lat='1' lon='2'><name>A place</name></wpt><trk>POINTS</trk>", nil),
      (
        "<trk><name>\(String(repeating: "ä", count: 200))</name>POINTS</trk>",
        "\(String(repeating: "ä", count: 64))…"
      ),
    ] as [(String, String?)])
  func title(text: String, title: String?) throws {
    let text = "<gpx>\(text.replacing("POINTS", with: Self.points))</gpx>"
    var reader = FixReader(ByteSource(bytes: Array(text.utf8), name: "walk.gpx"))
    var batch = FixBatch()
    while try reader.read(into: &batch) {}
    #expect(reader.title == title)
  }
}
