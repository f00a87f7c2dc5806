import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// The times and positions of a `gx:Track`, which KML writes in two lists that may also be mixed.
struct KMLTrackPairs: Sendable {
  /// A position with its time.
  struct Pair {
    /// Nil if the track has no position at this time.
    var coordinate: Coordinate?
    var milliseconds: Int64?
    var hasTimeFault: Bool
    var line: Int
  }

  private struct Position {
    var coordinate: Coordinate?
    var line: Int
  }

  private var times: [Int64] = []
  private var positions: [Position] = []
  /// How many of both have been paired.
  private var paired = 0
  private var isFinished = false
  private var hasTimes = false

  mutating func add(time field: XMLField, _ clock: inout DayClock, line: Int) throws(DecodeError) {
    hasTimes = true
    times.append(field.milliseconds(&clock) ?? Fix.noTime)
    try checkCount(times.count, line)
  }

  /// Adds `lon lat alt`; nothing but blanks is no position.
  mutating func add(position field: XMLField, line: Int) throws(DecodeError) {
    let coordinate =
      field.isEmpty ? nil : Coordinate(KMLCoordinates.Tuple(field.bytes.span))
    positions.append(Position(coordinate: coordinate, line: line))
    try checkCount(positions.count, line)
  }

  private func checkCount(_ count: Int, _ line: Int) throws(DecodeError) {
    guard count - paired > PathAssembler.maximumHeldPoints else { return }
    throw DecodeError(
      "a track has more than \(PathAssembler.maximumHeldPoints) times before its positions, or positions before its times",
      line: line)
  }

  /// Ends the track: positions that are left have no times.
  mutating func finish() { isFinished = true }

  /// The next position with its time, if both are there.
  mutating func next() -> Pair? {
    guard paired < positions.count, paired < times.count || isFinished else {
      if paired > 0, paired == positions.count, paired == times.count {
        positions.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        paired = 0
      }
      return nil
    }
    let time = paired < times.count ? times[paired] : Fix.noTime
    let position = positions[paired]
    paired += 1
    return Pair(
      coordinate: position.coordinate, milliseconds: time == Fix.noTime ? nil : time,
      hasTimeFault: hasTimes && time == Fix.noTime, line: position.line)
  }
}
