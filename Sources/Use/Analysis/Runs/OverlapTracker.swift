import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Counts the circles that contain the phone and records where there are more than it can watch.
///
/// Where more circles overlap than slots, no rule can watch them all; reports list such spots.
struct OverlapTracker {
  /// The point inside the most circles, for each stretch of the path inside too many.
  private(set) var crowds: [CrowdedSpot] = []
  /// The greatest number of circles that contained the phone at once.
  private(set) var mostCircles = 0

  private let slots: Int
  /// How many circles contain the phone now.
  private var count = 0
  /// The most crowded point of the stretch that is inside too many; nil outside of one.
  private var current: CrowdedSpot?

  /// Begins a path; without a limit there are never too many.
  init(slots: Int?) { self.slots = slots ?? .max }

  /// Begins at the first fix, which is inside so many circles.
  mutating func begin(with count: Int, at coordinate: Coordinate) {
    self.count = count
    look(at: coordinate)
  }

  mutating func take(_ happenings: ArraySlice<ComparedRuns.Happening>) {
    var start = happenings.startIndex
    while start < happenings.endIndex {
      let fraction = happenings[start].notice.crossing.fraction
      let end =
        happenings[start...].firstIndex { $0.notice.crossing.fraction != fraction }
        ?? happenings.endIndex
      // Across a gap, many crossings share one point. Only their sum counts.
      for happening in happenings[start..<end] where happening.notice.kind != .dwell {
        count += happening.notice.kind == .enter ? 1 : -1
      }
      look(at: happenings[start].notice.crossing.coordinate)
      start = end
    }
  }

  /// Ends the path, and with it an open stretch.
  mutating func finish() {
    if let current { crowds.append(current) }
    current = nil
  }

  /// Judges the number of circles at a point.
  private mutating func look(at coordinate: Coordinate) {
    mostCircles = max(mostCircles, count)
    if count > slots {
      if count > current?.circles ?? 0 {
        // As a report writes it, so that reading it back gives the same cell.
        current = CrowdedSpot(coordinate: coordinate.rounded(toStepsPerDegree: 1e7), circles: count)
      }
    } else if let ended = current {
      crowds.append(ended)
      current = nil
    }
  }
}

extension Coordinate {
  /// Rounded to a step of one in `steps` of a degree.
  func rounded(toStepsPerDegree steps: Double) -> Coordinate {
    Coordinate(
      latitudeDegrees: (latitudeDegrees * steps).rounded() / steps,
      longitudeDegrees: (longitudeDegrees * steps).rounded() / steps)
  }
}
