package import Fencepost
package import FencepostFixes
import FencepostFormats
import FencepostGeodesy
package import FencepostMonitoring
import FencepostTime

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
    for (kind, color) in Self.pins {
      output.append(
        verbatim: """
          <Style id="\(kind)"><IconStyle><color>\(color)</color>\
          <Icon><href>https://maps.google.com/mapfiles/kml/paddle/wht-blank.png</href></Icon>\
          </IconStyle></Style>

          """)
    }
  }

  /// The colors of the pins as KML writes them: opacity, blue, green, red.
  private static let pins: [(kind: String, color: String)] = [
    ("alert", "ff1428dc"), ("suppressed", "ff808080"), ("enter", "ff3c8c14"), ("exit", "ffd07020"),
    ("dwell", "ff00a5ff"), ("reminder", "ffb43cb4"), ("refresh", "ffc8c8c8"),
  ]

  // MARK: Tracks

  package mutating func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer) {
    if !isInFolder { output.append(verbatim: "<Folder><name>\(track.xml)</name>\n") }
    isInFolder = true
    for fix in fixes {
      if !path.takes(fix) || events.count > Self.mostEventBytes { flush(before: fix, to: &output) }
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

  private mutating func flush(before next: Fix?, to output: inout OutputBuffer) {
    path.end(before: next, to: &output)
    output.append(events.span)
    events.removeAll(keepingCapacity: true)
  }

  // MARK: Events

  package mutating func write(_ place: Place, to output: inout OutputBuffer) {
    let name = place.title.isEmpty ? place.id : place.title
    let corners = (0...Self.corners).map { corner in
      // The last corner repeats the first.
      let azimuth = -Double(corner % Self.corners) * 360 / Double(Self.corners)
      return Self.text(
        Geodesic.direct(
          from: place.coordinate, azimuthDegrees: azimuth, distanceMeters: place.radiusMeters))
        + " "
    }
    keep(
      """
      <Placemark><name>\(name.xml)</name><styleUrl>#circle</styleUrl><ExtendedData>\
      \(data("place", place.id))\
      \(data("radius", place.radiusMeters, Decimals.meters))\
      </ExtendedData><Polygon><tessellate>1</tessellate><outerBoundaryIs>\
      <LinearRing><coordinates>\(corners.joined())\
      </coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>

      """)
  }

  package mutating func write(_ event: Event, to output: inout OutputBuffer) {
    switch event {
    case .refresh(let refresh):
      let place = (refresh.coordinate, refresh.fix, refresh.fraction)
      keep(
        """
        <Placemark><name>refresh</name><description>\(refresh.outcome.xml)</description>\
        \(details("refresh", refresh.timeMilliseconds, "", at: place))

        """)
    case .summary(let summary):
      let text = summary.sentences.joined(separator: "\n").xml
      keep("<Placemark><name>Summary</name><description>\(text)</description></Placemark>\n")
    default: if let encounter = event.encounter { keep(text(of: encounter, event)) }
    }
  }

  /// A placemark, with its elements in the order that the schema requires.
  private func text(of encounter: Encounter, _ event: Event) -> String {
    let kind = event.typeName
    let more: (name: String, value: String)? =
      switch event {
      case .alert(_, let alert): ("group", alert.group.joined(separator: ", "))
      case .suppressed(_, let reason): ("reason", reason)
      case .reminder(_, let edge): ("edge", edge.rawValue)
      default: nil
      }
    let name = encounter.title.isEmpty ? encounter.placeID : encounter.title
    let link = encounter.webAddress.map { "<atom:link href=\"\($0.xml)\"/>" } ?? ""
    let remark = more.map { $0.value.isEmpty ? "" : " (\($0.name): \($0.value))" } ?? ""
    // The line end stands as it is, not escaped like one of the blurb.
    let blurb = encounter.blurb.isEmpty ? "" : "\n" + encounter.blurb.xml
    let words = encounter.outcome(kind + remark).xml + blurb
    let place = (encounter.coordinate, encounter.fix, encounter.fraction)
    let own =
      data("place", encounter.placeID) + (more.map { data($0.name, $0.value) } ?? "")
      + data("distance", encounter.distanceMeters, Decimals.meters)
    return """
      <Placemark><name>\(name.xml)</name>\(link)<description>\(words)</description>\
      \(details(kind, encounter.timeMilliseconds, own, at: place))

      """
  }

  /// The rest of a placemark: time, style, data and position.
  private func details(
    _ kind: String, _ timeMilliseconds: Int64?, _ own: String,
    at place: (coordinate: Coordinate, fix: Int, fraction: Double)
  ) -> String {
    let time = timeMilliseconds.map {
      "<TimeStamp><when>\(ISO8601.string(milliseconds: $0))</when></TimeStamp>"
    }
    return """
      \(time ?? "")<styleUrl>#\(kind)</styleUrl><ExtendedData>\(data("type", kind))\(own)\
      \(data("fix", "\(place.fix)"))\
      \(data("fraction", place.fraction, Decimals.fraction))</ExtendedData>\
      <Point><coordinates>\(Self.text(place.coordinate))</coordinates></Point></Placemark>
      """
  }

  private func data(_ name: String, _ value: String) -> String {
    "<Data name=\"\(name)\"><value>\(value.xml)</value></Data>"
  }

  private func data(_ name: String, _ value: Double, _ decimals: Int) -> String {
    data(name, ReportNumber.fixed(value, decimals: decimals))
  }

  private static func text(_ coordinate: Coordinate) -> String {
    [coordinate.longitudeDegrees, coordinate.latitudeDegrees]
      .map { ReportNumber.fixed($0, decimals: Decimals.degrees) }.joined(separator: ",")
  }

  private mutating func keep(_ text: String) { events += text.utf8 }
}

/// A piece of a track's path as a KML placemark.
///
/// With times it is a `gx:Track`, otherwise a line. The schema wants all times of a track before
/// its positions, so both are kept until the piece ends.
struct KMLPath: Sendable {
  /// The maximum number of fixes in a piece, a day and a half at 1 Hz.
  static var mostFixes: Int { 1 << 17 }

  private var times: [UInt8] = []
  private var positions: [UInt8] = []
  private var count = 0
  private var last: Fix?

  /// Whether a fix continues the piece: same segment, equally timed or untimed, and room left.
  func takes(_ fix: Fix) -> Bool {
    guard let last else { return true }
    return fix.segmentIndex == last.segmentIndex && count < Self.mostFixes
      && (fix.timeMilliseconds == nil) == (last.timeMilliseconds == nil)
  }

  mutating func add(_ fix: Fix) {
    count += 1
    last = fix
    var text = OutputBuffer(capacity: 64)
    if let time = fix.timeMilliseconds {
      text.append("<when>")
      text.append(instant: time)
      text.append("</when>\n")
      text.withBytes { times.append(contentsOf: $0) }
      text.removeAll()
      text.append("<gx:coord>")
      text.append(exact: fix.coordinate.longitudeDegrees)
      text.append(" ")
      text.append(exact: fix.coordinate.latitudeDegrees)
      text.append(" 0</gx:coord>\n")
    } else {
      text.append(exact: fix.coordinate.longitudeDegrees)
      text.append(",")
      text.append(exact: fix.coordinate.latitudeDegrees)
      text.append("\n")
    }
    text.withBytes { positions.append(contentsOf: $0) }
  }

  /// Appends the piece as a placemark and begins the next.
  ///
  /// If the path continues to `next`, the next piece begins with the last fix.
  mutating func end(before next: Fix?, to output: inout OutputBuffer) {
    guard let last else { return }
    output.append("<Placemark><name>Path</name><styleUrl>#path</styleUrl>\n")
    if last.timeMilliseconds != nil {
      output.append("<gx:Track>\n")
      output.append(times.span)
      output.append(positions.span)
      output.append("</gx:Track>")
    } else {
      output.append("<LineString><tessellate>1</tessellate><coordinates>\n")
      output.append(positions.span)
      // A line needs two points.
      if count == 1 { output.append(positions.span) }
      output.append("</coordinates></LineString>")
    }
    output.append("</Placemark>\n")
    times.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    count = 0
    self.last = nil
    if let next, next.segmentIndex == last.segmentIndex,
      (next.timeMilliseconds == nil) == (last.timeMilliseconds == nil)
    {
      add(last)
    }
  }
}
