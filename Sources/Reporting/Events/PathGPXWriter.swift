package import Fencepost
package import FencepostFixes
import FencepostGeodesy

/// Writes a track's path as GPX 1.1 waypoints with times, for phone simulators.
///
/// Xcode plays waypoints (`wpt`) at the pace of their times, and ignores tracks and routes.
/// Positions are exact to the last bit, so that replaying the file crosses the same edges at the
/// same moments. Events are left out.
package struct PathGPXWriter: EventWriter {
  package init() {}

  package func begin(_ output: inout OutputBuffer) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<gpx version=\"1.1\" creator=\"fencepost\"")
    output.append(" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
  }

  package func write(_ event: Event, to output: inout OutputBuffer) {}

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

  package func end(_ output: inout OutputBuffer) { output.append("</gpx>\n") }
}

/// Writes a path for `xcrun simctl location DEVICE start -`, one `lat,lon` per line.
///
/// Positions are exact to the last bit. Times and events are left out, because `simctl` moves at
/// one speed.
package struct WaypointWriter: EventWriter {
  package init() {}

  package func write(_ event: Event, to output: inout OutputBuffer) {}

  package func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer) {
    for fix in fixes {
      output.append(exact: fix.coordinate.latitudeDegrees)
      output.append(UInt8(ascii: ","))
      output.append(exact: fix.coordinate.longitudeDegrees)
      output.append(UInt8(ascii: "\n"))
    }
  }
}
