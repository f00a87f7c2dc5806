import FencepostFixes
import FencepostFormats
import FencepostGeodesy

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
