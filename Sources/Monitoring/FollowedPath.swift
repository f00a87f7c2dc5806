import FencepostGeodesy

/// The path an engine has followed so far, and what joins the next vertex to it.
struct FollowedPath: Sendable {
  /// Number of vertices taken.
  var fixCount = 0
  /// Length of the joined path in metres.
  var lengthMeters = 0.0
  /// Whether the last vertex is joined to the one before.
  var isJoined = false
  /// The last vertex.
  var previous: PathPoint?

  private var distance = LocalDistance()
  private let joinsSegments: Bool
  private let maxGapMilliseconds: Int64
  private let maxSpeedMetersPerSecond: Double

  init(_ options: MonitoringOptions) {
    joinsSegments = options.joinsSegments
    maxGapMilliseconds = options.maxGapMilliseconds ?? .max
    maxSpeedMetersPerSecond = options.maxSpeedMetersPerSecond ?? .infinity
  }

  /// Length in metres of the step that joins a vertex to the path; nil if the path begins or breaks
  /// there.
  mutating func joinedStepMeters(to point: PathPoint) -> Double? {
    guard let previous else { return nil }
    let step = distance.meters(from: previous.coordinate, to: point.coordinate)
    return joins(previous, point, stepMeters: step) ? step : nil
  }

  /// Appends a vertex and the step that joins it, if one does.
  mutating func append(_ point: PathPoint, joinedStepMeters step: Double?) {
    fixCount &+= 1
    lengthMeters += step ?? 0
    isJoined = step != nil
    previous = point
  }

  /// Appends vertices as long as each is joined and lies in a disc.
  ///
  /// - Returns: How many it appended.
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
    // The tracks of a file may come in any order; backwards in time there is no path.
    if overflows || gap < 0 || gap > maxGapMilliseconds { return false }
    // Receivers that stamp whole seconds report several fixes at one time. They are less than a
    // second apart, so the speed is at least the step in one second.
    let seconds = gap > 0 ? Double(gap) / 1000 : 1
    return !(stepMeters > maxSpeedMetersPerSecond * seconds)
  }
}
