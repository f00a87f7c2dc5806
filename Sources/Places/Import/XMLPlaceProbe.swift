import FencepostFiles

/// Decides while reading GPX or KML whether it holds only named points without times.
struct XMLPlaceProbe: PlaceProbe, ~Copyable {
  /// Elements of tracks, routes and times.
  private static let trackNames: Set<String> = [
    "trk", "trkseg", "trkpt", "rte", "rtept", "time", "LineString", "Track",
    "MultiTrack", "when", "TimeStamp", "TimeSpan", "NetworkLink",
  ]

  private var reader = XMLReader()
  private var depth = 0
  private var isNamed = false
  private var isPoint = false
  private var placeDepth: Int?
  private var places = 0
  private var unnamed = 0

  mutating func take(_ bytes: Span<UInt8>) -> PlaceVerdict {
    reader.push(bytes)
    return follow()
  }

  mutating func finish() -> PlaceVerdict {
    reader.finish()
    let verdict = follow()
    guard verdict == .open else { return verdict }
    return places > unnamed ? .places : .perhapsTrack
  }

  private mutating func follow() -> PlaceVerdict {
    do throws(XMLError) {
      while let events = try reader.next() {
        for record in events.records {
          switch record.kind {
          case .start: if !start(events.text(of: record)) { return .perhapsTrack }
          case .end: end()
          case .text: break
          }
        }
      }
      return .open
    } catch {
      return .perhapsTrack
    }
  }

  private mutating func start(_ name: String) -> Bool {
    depth += 1
    if depth == 1 { return name == "gpx" || name == "kml" }
    // The time of the file, not of a point.
    if name == "time", placeDepth == nil { return true }
    if Self.trackNames.contains(name) { return false }
    if name == "wpt" || name == "Placemark", placeDepth == nil {
      placeDepth = depth
      (isNamed, isPoint) = (false, name == "wpt")
    } else if let placeDepth {
      if name == "name", depth == placeDepth + 1 { isNamed = true }
      if name == "Point" { isPoint = true }
    }
    return true
  }

  private mutating func end() {
    if depth == placeDepth {
      placeDepth = nil
      if isPoint { if isNamed { places += 1 } else { unnamed += 1 } }
    }
    depth -= 1
  }
}
