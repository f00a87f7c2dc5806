import Fencepost
import FencepostGeodesy
import FencepostMonitoring

/// Counts the circles that contain the device, and records where they are more than can be monitored.
struct OverlapTracker {
  /// The most crowded spot of each stretch of the path with too many circles.
  private(set) var crowds: [TrackAnalysis.Crowd] = []
  /// Most circles that contained the device at once.
  private(set) var mostCircles = 0

  private let slots: Int
  private var count = 0
  private var current: TrackAnalysis.Crowd?

  init(slots: Int?) {
    self.slots = slots ?? .max
  }

  /// Begins the path inside `count` circles.
  mutating func begin(with count: Int, at coordinate: Coordinate) {
    self.count = count
    look(at: coordinate)
  }

  /// Takes crossings of edges, in order along the path.
  mutating func take(_ meetings: ArraySlice<OracleRun.Meeting>) {
    var start = meetings.startIndex
    while start < meetings.endIndex {
      let fraction = meetings[start].crossing.fraction
      let end =
        meetings[start...].firstIndex { $0.crossing.fraction != fraction } ?? meetings.endIndex
      // Across a break many crossings happen at once, so only their sum counts.
      for meeting in meetings[start..<end] where meeting.kind != .dwell {
        count += meeting.kind == .enter ? 1 : -1
      }
      look(at: meetings[start].crossing.coordinate)
      start = end
    }
  }

  /// Ends the path.
  mutating func finish() {
    if let current { crowds.append(current) }
    current = nil
  }

  private mutating func look(at coordinate: Coordinate) {
    mostCircles = max(mostCircles, count)
    if count > slots {
      if count > current?.circles ?? 0 {
        current = TrackAnalysis.Crowd(coordinate: coordinate.asWritten, circles: count)
      }
    } else if let ended = current {
      crowds.append(ended)
      current = nil
    }
  }
}

extension Coordinate {
  /// The coordinate rounded to the seven decimals of reports, so that a report read back falls into the same
  /// cell.
  fileprivate var asWritten: Coordinate {
    Coordinate(
      latitudeDegrees: (latitudeDegrees * 1e7).rounded() / 1e7,
      longitudeDegrees: (longitudeDegrees * 1e7).rounded() / 1e7)
  }
}
