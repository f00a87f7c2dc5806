import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// A piece of a track's path as a placemark of KML.
///
/// With times it is a `gx:Track`, whose times all precede its positions, as the schema wants it, and so both are kept
/// until it ends. Without times it is a line.
struct KMLPath: Sendable {
  /// The most fixes of a piece, a day and a half at one a second; a longer path has several that meet.
  static var mostFixes: Int { 1 << 17 }

  private var times: [UInt8] = []
  private var positions: [UInt8] = []
  private var count = 0
  private var last: Fix?

  /// Whether a fix continues the piece: in its segment, with a time as it has, and not too many.
  func takes(_ fix: Fix) -> Bool {
    guard let last else { return true }
    return fix.segmentIndex == last.segmentIndex && count < Self.mostFixes
      && (fix.timeMilliseconds == nil) == (last.timeMilliseconds == nil)
  }

  /// Adds the next fix.
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
  /// - Parameters:
  ///   - next: The fix that follows; where the path goes on to it, the next piece begins with the last fix.
  ///   - output: Receives the placemark.
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
