package import FencepostFixes
package import Fencepost
import FencepostGeodesy

/// Writes a track's path as the lines that `xcrun simctl location DEVICE start -` reads: a waypoint `lat,lon` each.
///
/// Positions are exact to the last bit. Times and events are left out: `simctl` goes along the path at one speed.
package struct WaypointWriter: EventWriter {
  /// Makes a writer.
  package init() {}

  /// Appends nothing.
  package func write(_ event: Event, to output: inout OutputBuffer) {}

  /// Appends a line for each fix.
  package func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer) {
    for fix in fixes {
      output.append(exact: fix.coordinate.latitudeDegrees)
      output.append(UInt8(ascii: ","))
      output.append(exact: fix.coordinate.longitudeDegrees)
      output.append(UInt8(ascii: "\n"))
    }
  }
}
