import FencepostGeodesy

/// The path so far, and the rule that joins the next vertex to it.
struct FollowedPath: Sendable {
  var fixCount = 0
  var lengthMeters = 0.0
  var isJoined = false
  var previous: PathPoint?
  /// Why vertices were not joined to the one before.
  private(set) var breaks = BreakCounts()
  /// The newest time from which the path went back, in milliseconds since 1970.
  private var newestMilliseconds = Int64.min

  private var distance = LocalDistance()
  private let joinsSegments: Bool
  private let maxGapMilliseconds: Int64
  private let maxSpeedMetersPerSecond: Double

  init(_ options: MonitoringOptions) {
    joinsSegments = options.joinsSegments
    maxGapMilliseconds = options.maxGapMilliseconds ?? .max
    maxSpeedMetersPerSecond = options.maxSpeedMetersPerSecond ?? .infinity
  }

  /// The length of the step to a vertex in meters, or nil if the path begins or breaks there.
  mutating func joinedStepMeters(to point: PathPoint) -> Double? {
    guard let previous else { return nil }
    let step = distance.meters(from: previous.coordinate, to: point.coordinate)
    return joins(previous, point, stepMeters: step) ? step : nil
  }

  mutating func append(_ point: PathPoint, joinedStepMeters step: Double?) {
    if step == nil, let previous { countBreak(previous, point) }
    fixCount &+= 1
    lengthMeters += step ?? 0
    isJoined = step != nil
    previous = point
  }

  /// Appends vertices while each is joined and lies in a disc; returns their number.
  mutating func append(_ points: ArraySlice<PathPoint>, within disc: SafeDisc) -> Int {
    guard var last = previous else { return 0 }
    var meters = lengthMeters
    var end = points.startIndex
    while end < points.endIndex, disc.contains(points[end].coordinate) {
      let step = distance.meters(from: last.coordinate, to: points[end].coordinate)
      guard joins(last, points[end], stepMeters: step) else { break }
      meters += step
      last = points[end]
      end += 1
    }
    let count = end - points.startIndex
    guard count > 0 else { return 0 }
    fixCount += count
    lengthMeters = meters
    isJoined = true
    previous = last
    return count
  }

  private func joins(_ from: PathPoint, _ to: PathPoint, stepMeters: Double) -> Bool {
    if to.startsSegment && !joinsSegments { return false }
    guard let start = from.timeMilliseconds, let end = to.timeMilliseconds else { return true }
    let (gap, overflows) = end.subtractingReportingOverflow(start)
    // The tracks of a file may come in any order, but a path never goes back in time.
    if overflows || gap < 0 || gap > maxGapMilliseconds { return false }
    // Receivers with a resolution of one second report several fixes at the same time. They are
    // less than a second apart, so the speed is at least the step per second.
    let seconds = gap > 0 ? Double(gap) / 1000 : 1
    return !(stepMeters > maxSpeedMetersPerSecond * seconds)
  }

  private mutating func countBreak(_ from: PathPoint, _ to: PathPoint) {
    if to.startsSegment && !joinsSegments { return breaks.segments += 1 }
    guard let start = from.timeMilliseconds, let end = to.timeMilliseconds else { return }
    if end >= start {
      let (gap, overflows) = end.subtractingReportingOverflow(start)
      if overflows || gap > maxGapMilliseconds { breaks.gaps += 1 } else { breaks.jumps += 1 }
    } else if !to.startsSegment {
      breaks.returns += 1
      newestMilliseconds = max(newestMilliseconds, start)
      let (back, overflows) = newestMilliseconds.subtractingReportingOverflow(end)
      breaks.longestReturnMilliseconds = max(
        breaks.longestReturnMilliseconds, overflows ? .max : back)
    }
  }
}
