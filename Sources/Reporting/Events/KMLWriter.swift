package import Fencepost
package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
package import FencepostMonitoring

/// Writes KML 2.2 for Google Earth and maps, with a folder for each track.
///
/// A folder has the path, the circles of places with events, and a pin with a time for each event.
/// The path is a `gx:Track` per segment, which Google Earth can play, or lines if fixes have no
/// times. Details of an event are in `ExtendedData`. A summary is a placemark without a position. A
/// piece of the path and its events are kept until the piece ends.
package struct KMLWriter: EventWriter {
  /// How many bytes of events to keep before ending the piece of path early.
  private static var mostEventBytes: Int { 8 << 20 }
  private static var corners: Int { 72 }

  private var path = KMLPath()
  /// The circles and events on the open piece of path.
  private var events: [UInt8] = []
  private var isInFolder = false

  package init() {}

  package func begin(_ output: inout OutputBuffer) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" \
      xmlns:atom="http://www.w3.org/2005/Atom">
      <Document><name>Fencepost</name>
      <Style id="path"><IconStyle><scale>0</scale></IconStyle><LabelStyle><scale>0</scale></LabelStyle>\
      <LineStyle><color>ffd07020</color><width>4</width></LineStyle></Style>
      <Style id="circle"><LineStyle><color>ff3c8c14</color><width>2</width></LineStyle>\
      <PolyStyle><color>333c8c14</color></PolyStyle></Style>

      """)
    for (kind, color) in Self.pins { Self.appendStyle(kind, color, to: &output) }
  }

  /// The colors of the pins as KML writes them: opacity, blue, green, red.
  private static let pins: [(kind: StaticString, color: StaticString)] = [
    ("alert", "ff1428dc"), ("suppressed", "ff808080"), ("enter", "ff3c8c14"), ("exit", "ffd07020"),
    ("dwell", "ff00a5ff"), ("reminder", "ffb43cb4"), ("refresh", "ffc8c8c8"),
  ]

  private static func appendStyle(
    _ kind: StaticString, _ color: StaticString, to output: inout OutputBuffer
  ) {
    output.append("<Style id=\"")
    output.append(kind)
    output.append("\"><IconStyle><color>")
    output.append(color)
    output.append("</color><Icon><href>https://maps.google.com/mapfiles/kml/paddle/wht-blank.png")
    output.append("</href></Icon></IconStyle></Style>\n")
  }

  // MARK: Tracks

  package mutating func write(
    path fixes: [Fix], of track: String, to output: inout OutputBuffer
  ) {
    openFolder(track, to: &output)
    for fix in fixes {
      if !path.takes(fix) || events.count > Self.mostEventBytes {
        flush(before: fix, to: &output)
      }
      path.add(fix)
    }
  }

  package mutating func endTrack(_ output: inout OutputBuffer) {
    guard isInFolder else { return }
    flush(before: nil, to: &output)
    output.append("</Folder>\n")
    isInFolder = false
  }

  package mutating func end(_ output: inout OutputBuffer) {
    endTrack(&output)
    output.append("</Document></kml>\n")
  }

  private mutating func openFolder(_ track: String, to output: inout OutputBuffer) {
    guard !isInFolder else { return }
    isInFolder = true
    output.append("<Folder>")
    output.element("name", track)
    output.append("\n")
  }

  private mutating func flush(before next: Fix?, to output: inout OutputBuffer) {
    path.end(before: next, to: &output)
    output.append(events.span)
    events.removeAll(keepingCapacity: true)
  }

  /// Keeps what a closure appends.
  private mutating func keep(_ body: (inout OutputBuffer) -> Void) {
    var output = OutputBuffer(capacity: 1024)
    body(&output)
    output.withBytes { events.append(contentsOf: $0) }
  }

  // MARK: Events

  package mutating func write(_ place: Place, to output: inout OutputBuffer) {
    keep { Self.append(place, to: &$0) }
  }

  private static func append(_ place: Place, to output: inout OutputBuffer) {
    output.append("<Placemark>")
    output.element("name", place.title.isEmpty ? place.id : place.title)
    output.append("<styleUrl>#circle</styleUrl>")
    output.append("<ExtendedData>")
    output.data("place", place.id)
    output.data("radius", place.radiusMeters, decimals: Decimals.meters)
    output.append("</ExtendedData><Polygon><tessellate>1</tessellate><outerBoundaryIs>")
    output.append("<LinearRing><coordinates>")
    for corner in 0...corners {
      // The last corner repeats the first.
      let azimuth = -Double(corner % corners) * 360 / Double(corners)
      output.append(
        kml: Geodesic.direct(
          from: place.coordinate, azimuthDegrees: azimuth, distanceMeters: place.radiusMeters))
      output.append(" ")
    }
    output.append("</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>\n")
  }

  package mutating func write(_ event: Event, to output: inout OutputBuffer) {
    keep { Self.append(event, to: &$0) }
  }

  private static func append(_ event: Event, to output: inout OutputBuffer) {
    switch event {
    case .enter(let encounter): append(encounter, "enter", to: &output)
    case .exit(let encounter): append(encounter, "exit", to: &output)
    case .dwell(let encounter): append(encounter, "dwell", to: &output)
    case .alert(let encounter, let alert):
      append(encounter, "alert", ("group", alert.group.joined(separator: ", ")), to: &output)
    case .suppressed(let encounter, let reason):
      append(encounter, "suppressed", ("reason", reason), to: &output)
    case .reminder(let encounter, let edge):
      append(encounter, "reminder", ("edge", edge.rawValue), to: &output)
    case .refresh(let refresh): append(refresh, to: &output)
    case .summary(let summary): append(summary, to: &output)
    }
  }

  /// Appends a placemark, with its elements in the order that the schema requires.
  private static func append(
    _ encounter: Encounter, _ kind: StaticString,
    _ more: (name: StaticString, value: String)? = nil,
    to output: inout OutputBuffer
  ) {
    output.append("<Placemark>")
    output.element("name", encounter.title.isEmpty ? encounter.placeID : encounter.title)
    if GPXWriter.isWebAddress(encounter.url) {
      output.append("<atom:link href=\"")
      output.append(xml: encounter.url)
      output.append("\"/>")
    }
    output.append("<description>")
    output.append(kind)
    if let more, !more.value.isEmpty {
      output.append(" (")
      output.append(more.name)
      output.append(": ")
      output.append(xml: more.value)
      output.append(")")
    }
    output.append(" at ")
    output.append(encounter.distanceMeters, decimals: Decimals.meters)
    output.append(" m from the center of ")
    output.append(xml: encounter.placeID)
    if !encounter.blurb.isEmpty {
      output.append("\n")
      output.append(xml: encounter.blurb)
    }
    output.append("</description>")
    append(style: kind, encounter.timeMilliseconds, to: &output)
    output.data("place", encounter.placeID)
    if let more { output.data(more.name, more.value) }
    output.data("distance", encounter.distanceMeters, decimals: Decimals.meters)
    end(encounter.coordinate, encounter.fix, encounter.fraction, to: &output)
  }

  private static func append(_ refresh: RefreshEvent, to output: inout OutputBuffer) {
    output.append("<Placemark><name>refresh</name><description>")
    output.append(outcomeOf: refresh)
    output.append("</description>")
    append(style: "refresh", refresh.timeMilliseconds, to: &output)
    end(refresh.coordinate, refresh.fix, refresh.fraction, to: &output)
  }

  private static func append(_ summary: TrackSummary, to output: inout OutputBuffer) {
    output.append("<Placemark><name>Summary</name><description>")
    output.append(xml: summary.sentences.joined(separator: "\n"))
    output.append("</description></Placemark>\n")
  }

  private static func append(
    style kind: StaticString, _ timeMilliseconds: Int64?, to output: inout OutputBuffer
  ) {
    if let timeMilliseconds {
      output.append("<TimeStamp><when>")
      output.append(instant: timeMilliseconds)
      output.append("</when></TimeStamp>")
    }
    output.append("<styleUrl>#")
    output.append(kind)
    output.append("</styleUrl><ExtendedData>")
    output.append("<Data name=\"type\"><value>")
    output.append(kind)
    output.append("</value></Data>")
  }

  private static func end(
    _ coordinate: Coordinate, _ fix: Int, _ fraction: Double, to output: inout OutputBuffer
  ) {
    output.append("<Data name=\"fix\"><value>")
    output.append(decimal: fix)
    output.append("</value></Data>")
    output.data("fraction", fraction, decimals: Decimals.fraction)
    output.append("</ExtendedData><Point><coordinates>")
    output.append(kml: coordinate)
    output.append("</coordinates></Point></Placemark>\n")
  }
}

extension OutputBuffer {
  fileprivate mutating func data(_ name: StaticString, _ value: String) {
    beginData(name)
    append(xml: value)
    append("</value></Data>")
  }

  fileprivate mutating func data(_ name: StaticString, _ value: Double, decimals: Int) {
    beginData(name)
    append(value, decimals: decimals)
    append("</value></Data>")
  }

  private mutating func beginData(_ name: StaticString) {
    append("<Data name=\"")
    append(name)
    append("\"><value>")
  }

  fileprivate mutating func append(kml coordinate: Coordinate) {
    append(coordinate.longitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: ","))
    append(coordinate.latitudeDegrees, decimals: Decimals.degrees)
  }
}
