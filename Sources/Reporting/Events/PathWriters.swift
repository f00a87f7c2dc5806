public import Fencepost
public import FencepostFixes
import FencepostGeodesy

/// Writes a track's path as GPX 1.1 waypoints with their times, for simulators of phones.
///
/// Xcode plays waypoints (`wpt`) one after another and takes as long from one to the next as their times say; tracks
/// and routes it ignores. Positions are exact to the last bit, so that a replay of the file crosses the same edges at
/// the same moments. Events are left out.
public struct PathGPXWriter: EventWriter {
  /// Makes a writer.
  public init() {}

  /// Appends the head of the file.
  public func begin(_ output: inout OutputBuffer) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<gpx version=\"1.1\" creator=\"fencepost\"")
    output.append(" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
  }

  /// Appends nothing.
  public func write(_ event: Event, to output: inout OutputBuffer) {}

  /// Appends a waypoint for each fix.
  public func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer) {
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
  public func end(_ output: inout OutputBuffer) {
    output.append("</gpx>\n")
  }
}

/// Writes a track's path as the lines that `xcrun simctl location DEVICE start -` reads: a waypoint `lat,lon` each.
///
/// Positions are exact to the last bit. Times and events are left out: `simctl` goes along the path at one speed.
public struct WaypointWriter: EventWriter {
  /// Makes a writer.
  public init() {}

  /// Appends nothing.
  public func write(_ event: Event, to output: inout OutputBuffer) {}

  /// Appends a line for each fix.
  public func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer) {
    for fix in fixes {
      output.append(exact: fix.coordinate.latitudeDegrees)
      output.append(UInt8(ascii: ","))
      output.append(exact: fix.coordinate.longitudeDegrees)
      output.append(UInt8(ascii: "\n"))
    }
  }
}
