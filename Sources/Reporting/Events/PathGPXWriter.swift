package import FencepostFixes
package import Fencepost
import FencepostGeodesy

/// Writes a track's path as GPX 1.1 waypoints with their times, for simulators of phones.
///
/// Xcode plays waypoints (`wpt`) one after another and takes as long from one to the next as their times say; tracks
/// and routes it ignores. Positions are exact to the last bit, so that a replay of the file crosses the same edges at
/// the same moments. Events are left out.
package struct PathGPXWriter: EventWriter {
  /// Makes a writer.
  package init() {}

  /// Appends the head of the file.
  package func begin(_ output: inout OutputBuffer) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<gpx version=\"1.1\" creator=\"fencepost\"")
    output.append(" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
  }

  /// Appends nothing.
  package func write(_ event: Event, to output: inout OutputBuffer) {}

  /// Appends a waypoint for each fix.
  package func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer) {
    for fix in fixes {
      output.append("<wpt lat=\"")
      output.append(exact: fix.coordinate.latitudeDegrees)
      output.append("\" lon=\"")
      output.append(exact: fix.coordinate.longitudeDegrees)
      output.append("\">")
      if let time = fix.timeMilliseconds {
        output.append("<time>")
        output.append(instant: time)
        output.append("</time>")
      }
      output.append("</wpt>\n")
    }
  }

  /// Closes the file.
  package func end(_ output: inout OutputBuffer) {
    output.append("</gpx>\n")
  }
}
