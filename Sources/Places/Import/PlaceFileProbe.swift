import FencepostFiles
import FencepostFormats

/// Recognises files that certainly hold places and no track, so that a folder of tracks may hold both.
///
/// Certain is:
/// - a table with a position and a title, or with a name and another field of a story, and without a column of times
///   or of what is measured on the way;
/// - JSON whose objects or features are points of that kind, without a line; what Overpass answers; and places saved
///   in Google Maps;
/// - GPX whose waypoints, and KML whose points, have names and no times, without a track, route or line.
///
/// Everything else may be a track.
package enum PlaceFileProbe {
  /// Whether a file certainly holds places and no track; false if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - isTable: Whether it must be a table, which nobody means as a track.
  /// - Returns: Whether it does.
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
      // Whoever reads it as a track says why it cannot be read.
      return false
    }
  }

  /// Shows a probe a document, of which the first chunk has been read, until the probe has decided.
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

/// Judges whether a document holds places and no track, while it is read.
protocol PlaceProbe: ~Copyable {
  /// Takes the next bytes.
  mutating func take(_ bytes: Span<UInt8>) -> PlaceVerdict
  /// Takes the end of the document, and decides.
  mutating func finish() -> PlaceVerdict
}

/// What a document has been found to hold so far.
enum PlaceVerdict { case open, places, perhapsTrack }
