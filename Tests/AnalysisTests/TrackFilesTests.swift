import FencepostAnalysis
import FencepostTracks
import Foundation
import TestSupport
import Testing

@Suite("The tracks of a folder")
struct TrackFilesTests {
  @Test(
    "A folder stands for the files in it that end as any form of a track does, compressed or not")
  func endings() throws {
    let scratch = try ScratchFolder()
    let folder = scratch.path + "/tracks"
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    let tracks = TrackFiles.endings.map { "a.\($0)" } + ["b.GPX", "c.fit.gz", "deep/d.Tcx"]
    for name in tracks + ["notes.md", "picture.jpg", "gpx", ".hidden.gpx"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let expected = tracks.map { "\(folder)/\($0)" }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    #expect(TrackFiles.find([folder]).tracks == expected)
  }

  @Test("Every form among the samples is found in its folder")
  func samples() throws {
    let forms = Document.project.appendingPathComponent("Data/forms").path
    let found = Set(TrackFiles.find([forms]).tracks.map { ($0 as NSString).lastPathComponent })
    let all = try FileManager.default.contentsOfDirectory(atPath: forms)
    #expect(all.count > 10)
    #expect(found == Set(all))
  }
}

@Suite("Files of places among tracks")
struct PlacesAmongTracksTests {
  /// What is certainly no track, by the ending of the file's name.
  static let places: [(ending: String, text: String)] = [
    ("csv", "id,title,lat,lon\nbell,Bell,39.95,-75.15\n"),
    ("csv", "Name;Breite;L\u{E4}nge;Radius (m)\nGlocke;39,95;-75,15;80\n"),
    ("csv", "headline\tlat\tlng\tupdated_at\nBell\t39.95\t-75.15\t2026-01-01\n"),
    ("json", #"[{"id":1,"title":"Bell","lat":39.95,"lng":-75.15}]"#),
    ("json", #"{"stories":[{"name":"Bell","radius":80,"location":{"lat":39.95,"lng":-75.15}}]}"#),
    ("json", #"[{"id":1,"title":"Bell","latlng":"39.95, -75.15"}]"#),
    (
      "jsonl",
      #"{"headline":"Bell","lat":1,"lon":2}"# + "\n" + #"{"headline":"Hall","lat":1,"lon":3}"#
    ),
    (
      "geojson",
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"title":"Bell"},"geometry":{"type":"Point","coordinates":[2,1]}}]}"#
    ),
    (
      "json",
      #"{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[2,1],"type":"Point"},"properties":{"date":"2024-01-01T00:00:00Z","google_maps_url":"http://maps.google.com/?cid=1","location":{"name":"Bell"}},"type":"Feature"}]}"#
    ),
    (
      "gpx",
      "<gpx><metadata><time>2026-01-01T00:00:00Z</time></metadata><wpt lat=\"1\" lon=\"2\"><name>Bell</name></wpt></gpx>"
    ),
    (
      "kml",
      "<kml><Document><name>Map</name><Placemark><name>Bell</name><Point><coordinates>2,1</coordinates></Point></Placemark></Document></kml>"
    ),
  ]

  /// What is a track, or may be one.
  static let tracks: [(ending: String, text: String)] = [
    ("csv", ""), ("csv", "lat,lon\n1,2\n"), ("csv", "id,name,lat,lon\n1,Bus 7,1,2\n"),
    ("csv", "time,title,lat,lon\n2026-01-01T00:00:00Z,x,1,2\n"),
    ("csv", "title,lat,lon,speed\nx,1,2,3\n"), ("csv", "title,blurb\nx,y\n"),
    ("csv", "created_at,title,lat,lon\n2026-01-01,x,1,2\n"),
    ("txt", "39.95,-75.15\n39.96,-75.15\n"), ("txt", "$GPGGA,120000,3957,N\n"),
    ("json", #"[{"title":"Ride","lat":1,"lng":2,"timestamp":5}]"#),
    ("json", #"[{"id":7,"lat":1,"lng":2},{"title":"Bell","lat":1,"lng":2}]"#),
    ("json", #"{"semanticSegments":[],"stories":[{"title":"Bell","lat":1,"lng":2}]}"#),
    ("json", #"{"title":"Bell","lat":1,"lng":2"#), ("json", "{}"), ("json", "[]"),
    ("json", #"[{"title":"Bell","position":"left"}]"#),
    ("jsonl", #"{"time":"2026-01-01T00:00:00Z","lat":1,"lon":2}"#),
    ("jsonl", #"{"_type":"location","lat":1,"lon":2,"title":"x"}"#),
    (
      "geojson",
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"title":"Bell"},"geometry":{"type":"Point","coordinates":[2,1]}},{"type":"Feature","properties":{"title":"Walk"},"geometry":{"type":"LineString","coordinates":[[2,1],[3,1]]}}]}"#
    ),
    (
      "geojson",
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"title":"x","time":"2026-01-01T00:00:00Z"},"geometry":{"type":"Point","coordinates":[2,1]}}]}"#
    ),
    (
      "geojson",
      #"{"type":"Feature","properties":{},"geometry":{"type":"MultiPoint","coordinates":[[2,1],[3,1]]}}"#
    ),
    (
      "gpx",
      "<gpx><wpt lat=\"1\" lon=\"2\"><name>Bell</name></wpt><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
    ),
    (
      "gpx",
      "<gpx><wpt lat=\"1\" lon=\"2\"><name>1</name><time>2026-01-01T00:00:00Z</time></wpt></gpx>"
    ),
    ("gpx", "<gpx><wpt lat=\"1\" lon=\"2\"/><wpt lat=\"1\" lon=\"3\"/></gpx>"),
    ("gpx", "<gpx><wpt"),
    ("gpx", "<gpx><rte><rtept lat=\"1\" lon=\"2\"><name>Bell</name></rtept></rte></gpx>"),
    ("kml", "<kml><Placemark><name>Walk</name><LineString/></Placemark></kml>"),
    (
      "kml",
      "<kml><Placemark><name>A</name><TimeStamp><when>2026-01-01</when></TimeStamp><Point/></Placemark></kml>"
    ),
  ]

  @Test(
    "Files of a folder that are certainly no tracks are kept apart, and nothing else is",
    arguments: [String.Encoding.utf8, .utf16])
  func found(encoding: String.Encoding) throws {
    let scratch = try ScratchFolder()
    let folder = scratch.path + "/tracks"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    func write(_ files: [(ending: String, text: String)], _ letter: String) throws -> [String] {
      try files.enumerated().map { number, file in
        let path = "\(folder)/\(letter)\(number + 10).\(file.ending)"
        try file.text.write(toFile: path, atomically: true, encoding: encoding)
        return path
      }
    }
    let places = try write(Self.places, "p")
    let tracks = try write(Self.tracks, "t")
    let found = TrackFiles.find([folder])
    #expect(found.places == places)
    #expect(found.tracks == tracks)
    // Named files are what the user says.
    #expect(TrackFiles.find(places).tracks == places)
    #expect(TrackFiles.find([places[0], folder]).tracks == [places[0]] + tracks)
  }

  @Test("The samples of places are recognized, and no sample of a track is taken for one")
  func samples() throws {
    let data = Document.project.appendingPathComponent("Data").path
    let places = ["app", "places", "stories"].flatMap { TrackFiles.find(["\(data)/\($0)"]).places }
    #expect(
      Set(places.map { ($0 as NSString).lastPathComponent }) == [
        "stories.json", "bells.kml", "philadelphia.csv", "philadelphia.geojson",
        "hostile.csv",
      ])
    for folder in ["tracks", "forms"] {
      #expect(TrackFiles.find(["\(data)/\(folder)"]).places == [])
    }
  }
}

@Suite("Tracks that are read twice")
struct TrackOutlineTests {
  @Test("A pipe is not read in search of copies, because it can be read only once")
  func pipe() async throws {
    let scratch = try ScratchFolder()
    let (track, pipe) = (scratch.path + "/a.csv", scratch.path + "/b.gpx")
    try "time,lat,lon\n2026-03-04T09:00:00Z,39.95,-75.15\n"
      .write(toFile: track, atomically: true, encoding: .utf8)
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    var counts: [Int] = []
    let outlines = try await TrackOutline.all(
      of: [track, pipe, "-"], options: FixStreamOptions(), jobs: 1
    ) { counts.append($0) }
    #expect(outlines.map(\.path) == [track])
    #expect(counts == [1])
  }
}
