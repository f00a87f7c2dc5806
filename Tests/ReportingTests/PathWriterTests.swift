import Fencepost
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostReporting
import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("Paths for simulators")
struct PathWriterTests {
  static func fix(
    _ latitude: Double, _ longitude: Double, _ time: Int64? = nil, segment: Int32 = 0
  ) -> Fix {
    Fix(
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      timeMilliseconds: time, segmentIndex: segment)
  }

  @Test("Xcode's file has a waypoint with its time for each fix, and no event")
  func xcode() {
    let text = written { buffer in
      let writer = PathGPXWriter()
      writer.begin(&buffer)
      writer.write(
        path: [Self.fix(39.95, -75.123456789012, 1_772_643_612_250), Self.fix(-0.00000525, 0)],
        of: "a", to: &buffer)
      writer.write(.enter(Samples.encounter), to: &buffer)
      writer.end(&buffer)
    }
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="fencepost" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="39.95" lon="-75.123456789012"><time>2026-03-04T17:00:12.250Z</time></wpt>
        <wpt lat="-0.00000525" lon="0.0"></wpt>
        </gpx>

        """)
  }

  @Test("Waypoints are read back to the last bit, and none has an exponent")
  func exact() {
    var random = SplitMix64(seed: 20)
    var values = [
      0, -0.0, 1e-4, 9.9e-5, -1e-17, .leastNonzeroMagnitude, 180, -90, 1 / 3.0, 1e-7 / 3,
    ]
    for _ in 0..<1000 {
      values.append(Double.random(in: -180...180, using: &random))
      values.append(Double.random(in: -1e-4...1e-4, using: &random))
    }
    for value in values {
      let text = written { buffer in buffer.append(exact: value) }
      #expect(Double(text) == value && !text.contains("e"), "\(value) is \(text)")
    }
  }
}

@Suite("KML files")
struct KMLWriterTests {
  private static let place = Place(
    id: "hall", title: "Hall & bell",
    coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15), radiusMeters: 100)

  private static func file(_ body: (inout KMLWriter, inout OutputBuffer) -> Void) -> String {
    written { buffer in
      var writer = KMLWriter()
      writer.begin(&buffer)
      body(&writer, &buffer)
      writer.end(&buffer)
    }
  }

  private static func write(
    _ fixes: [Fix], to writer: inout KMLWriter, _ buffer: inout OutputBuffer
  ) {
    writer.write(path: fixes, of: "walk.gpx", to: &buffer)
  }

  @Test("No, one or many events are well-formed", arguments: [[], Samples.all])
  func wellFormed(events: [Event]) throws {
    let text = Self.file { writer, buffer in
      Self.write([PathWriterTests.fix(1, 2, 0)], to: &writer, &buffer)
      writer.write(Self.place, to: &buffer)
      for event in events { writer.write(event, to: &buffer) }
      writer.endTrack(&buffer)
    }
    let document = try XMLDocument(xmlString: text)
    let placemarks = try document.nodes(forXPath: "//*[local-name()='Placemark']")
    #expect(placemarks.count == 2 + events.count)
    let pins = try document.nodes(forXPath: "//*[local-name()='Point']/*")
    #expect(pins.count == (events.isEmpty ? 0 : 7))
    // Every style that a placemark names is there.
    for url in try document.nodes(forXPath: "//*[local-name()='styleUrl']") {
      let id = try #require(url.stringValue?.dropFirst())
      #expect(try document.nodes(forXPath: "//*[local-name()='Style'][@id='\(id)']").count == 1)
    }
  }

  @Test("An event's elements are in the schema's order")
  func event() {
    let text = Self.file { writer, buffer in
      Self.write([PathWriterTests.fix(1, 2, 0)], to: &writer, &buffer)
      writer.write(.suppressed(Samples.story, reason: "cooldown"), to: &buffer)
    }
    #expect(
      text.contains(
        """
        <Placemark><name>Independence Hall</name>\
        <atom:link href="https://example.org/?a=1&amp;b=2"/>\
        <description>suppressed (reason: cooldown) at 100.0 m from the center of independence-hall
        Where it was signed</description><TimeStamp><when>2026-03-04T17:00:12.250Z</when></TimeStamp>\
        <styleUrl>#suppressed</styleUrl><ExtendedData><Data name="type"><value>suppressed</value></Data>\
        <Data name="place"><value>independence-hall</value></Data>\
        <Data name="reason"><value>cooldown</value></Data><Data name="distance"><value>100.0</value></Data>\
        <Data name="fix"><value>123</value></Data><Data name="fraction"><value>0.25</value></Data>\
        </ExtendedData><Point><coordinates>-75.150334,39.949612</coordinates></Point></Placemark>
        """))
  }

  @Test("A piece of path has its times before its positions, and pieces in a segment meet")
  func path() {
    let text = Self.file { writer, buffer in
      Self.write(
        [
          PathWriterTests.fix(1, 2, 0), PathWriterTests.fix(1, 3, 1000),
          PathWriterTests.fix(5, 6, 2000, segment: 1), PathWriterTests.fix(7, 8, segment: 1),
          PathWriterTests.fix(7, 9, segment: 2),
        ], to: &writer, &buffer)
    }
    let pieces = text.split(separator: "<name>Path</name>").dropFirst()
    #expect(pieces.count == 4)
    #expect(
      pieces.first?.contains(
        """
        <gx:Track>
        <when>1970-01-01T00:00:00Z</when>
        <when>1970-01-01T00:00:01Z</when>
        <gx:coord>2.0 1.0 0</gx:coord>
        <gx:coord>3.0 1.0 0</gx:coord>
        </gx:Track>
        """) == true)
    #expect(text.contains("<coordinates>\n8.0,7.0\n8.0,7.0\n</coordinates>"))
    let long = (0..<300_000).map { PathWriterTests.fix(Double($0) * 1e-5, 0, Int64($0)) }
    let divided = Self.file { writer, buffer in Self.write(long, to: &writer, &buffer) }
    #expect(divided.matches(of: /<gx:Track>/).count == 3)
    // The fixes at which they meet are in both.
    #expect(divided.matches(of: /<when>/).count == 300_002)
  }

  @Test("A circle has its place's radius all around")
  func circle() throws {
    let text = Self.file { writer, buffer in
      Self.write([PathWriterTests.fix(1, 2, 0)], to: &writer, &buffer)
      writer.write(Self.place, to: &buffer)
    }
    let list = try #require(text.firstMatch(of: /<LinearRing><coordinates>([^<]*)</)).1
    let corners = list.split(separator: " ").map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    #expect(corners.count == 73 && corners.first == corners.last)
    for corner in corners {
      let distance = Geodesic.distanceMeters(
        Self.place.coordinate,
        Coordinate(latitudeDegrees: corner[1], longitudeDegrees: corner[0]))
      #expect(abs(distance - 100) < 0.02)
    }
    #expect(text.contains("<name>Hall &amp; bell</name>"))
  }
}
