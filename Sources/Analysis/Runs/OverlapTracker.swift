import Fencepost
import FencepostGeodesy
import FencepostMonitoring

/// Counts the circles that contain the phone and records where there are more than it can watch.
struct OverlapTracker {
  /// The point inside the most circles, for each stretch of the path inside too many.
  private(set) var crowds: [TrackAnalysis.Crowd] = []
  private(set) var mostCircles = 0

  private let slots: Int
  private var count = 0
  private var current: TrackAnalysis.Crowd?

  init(slots: Int?) {
    self.slots = slots ?? .max
  }

  mutating func begin(with count: Int, at coordinate: Coordinate) {
    self.count = count
    look(at: coordinate)
  }

  mutating func take(_ meetings: ArraySlice<OracleRun.Meeting>) {
    var start = meetings.startIndex
    while start < meetings.endIndex {
      let fraction = meetings[start].crossing.fraction
      let end =
        meetings[start...].firstIndex { $0.crossing.fraction != fraction } ?? meetings.endIndex
      // Across a gap, many crossings share one point. Only their sum counts.
      for meeting in meetings[start..<end] where meeting.kind != .dwell {
        count += meeting.kind == .enter ? 1 : -1
      }
      look(at: meetings[start].crossing.coordinate)
      start = end
    }
  }

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
  /// Rounded to the seven decimals of a report, so that reading it back gives the same cell.
  fileprivate var asWritten: Coordinate {
    Coordinate(
      latitudeDegrees: (latitudeDegrees * 1e7).rounded() / 1e7,
      longitudeDegrees: (longitudeDegrees * 1e7).rounded() / 1e7)
  }
}
