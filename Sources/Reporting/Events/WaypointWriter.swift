package import FencepostFixes
package import Fencepost
import FencepostGeodesy

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
