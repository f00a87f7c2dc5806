import FencepostFiles
import FencepostFormats

/// Recognizes files that certainly hold places and no track, so that a folder may mix both.
///
/// Tables need a position and a title, or a name and another field of a story, and no times or
/// readings. JSON must be such points without a line, an Overpass answer or places saved in Google
/// Maps. GPX waypoints and KML points need names and no times, without a track, route or line.
/// Anything else may be a track.
package enum PlaceFileProbe {
  /// Whether a file certainly holds places and no track; false if it cannot be read.
  ///
  /// With `isTable`, only tables count.
  package static func holdsPlaces(path: String, isTable: Bool = false) -> Bool {
    do throws(ByteSourceError) {
      var source = try InflatedSource(path: path)
      var chunk: [UInt8] = []
      guard try source.read(into: &chunk) else { return false }
      let beginning = TextLayer.beginning(of: chunk.span)
      switch ImportFormat.sniff(beginning.span) {
      case .csv: return PlaceSigns.ofTable(beginning.span).isPlace
      case .json where !isTable: return try judge(JSONPlaceProbe(), &source, &chunk, asText: true)
      case .xml where !isTable: return try judge(XMLPlaceProbe(), &source, &chunk, asText: false)
      case .json, .xml, .zip: return false
      }
    } catch {
      // Reading it as a track will report the error.
      return false
    }
  }

  /// Feeds a document to a probe until it decides; its first chunk is already read.
  private static func judge<Probe: PlaceProbe & ~Copyable>(
    _ probe: consuming Probe, _ source: inout InflatedSource, _ chunk: inout [UInt8],
    asText isText: Bool
  ) throws(ByteSourceError) -> Bool {
    var text = TextLayer(head: chunk.span)
    repeat {
      if isText { text.decode(&chunk) }
      let verdict = probe.take(chunk.span)
      if verdict != .open { return verdict == .places }
    } while try source.read(into: &chunk)
    return probe.finish() == .places
  }
}

/// Decides while reading a document whether it holds places and no track.
protocol PlaceProbe: ~Copyable {
  mutating func take(_ bytes: Span<UInt8>) -> PlaceVerdict
  mutating func finish() -> PlaceVerdict
}

enum PlaceVerdict { case open, places, perhapsTrack }
