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
  package static func holdsPlaces(path: String) -> Bool {
    do throws(ByteSourceError) {
      var source = try InflatedSource(path: path)
      var chunk: [UInt8] = []
      guard try source.read(into: &chunk) else { return false }
      switch ImportFormat.sniff(chunk.span) {
      case .csv: return PlaceSigns.ofTable(chunk.span).isPlace
      case .json: return try judgeJSON(&source, &chunk)
      case .xml: return try judgeXML(&source, &chunk)
      case .zip: return false
      }
    } catch {
      // Whoever reads it as a track says why it cannot be read.
      return false
    }
  }

  private static func judgeJSON(
    _ source: inout InflatedSource, _ chunk: inout [UInt8]
  ) throws(ByteSourceError) -> Bool {
    var probe = JSONPlaceProbe()
    var verdict = probe.take(chunk.span)
    while verdict == .open, try source.read(into: &chunk) { verdict = probe.take(chunk.span) }
    return (verdict == .open ? probe.finish() : verdict) == .places
  }

  private static func judgeXML(
    _ source: inout InflatedSource, _ chunk: inout [UInt8]
  ) throws(ByteSourceError) -> Bool {
    var probe = XMLPlaceProbe()
    var verdict = probe.take(chunk.span)
    while verdict == .open, try source.read(into: &chunk) { verdict = probe.take(chunk.span) }
    return (verdict == .open ? probe.finish() : verdict) == .places
  }
}
