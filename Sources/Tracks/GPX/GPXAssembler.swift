import FencepostFixes
import FencepostGeodesy

/// Turns the points of a GPX file into fixes: numbers tracks and segments, and chooses the kind of point
/// that makes up the path.
///
/// The path consists of the track points; without any, of the route points; without those too, of the
/// waypoints in file order. Route points and waypoints are therefore held back until the first track point
/// or the end. Each route counts as a track of one segment, all waypoints together as another.
struct GPXAssembler: Sendable {
  /// The most route points or waypoints held back: half a million, about 30 MB.
  static var maximumHeldPoints: Int { 1 << 19 }

  private var trackIndex: Int32 = -1
  private var segmentIndex: Int32 = -1
  private var beginsTrack = true
  private var beginsSegment = true
  private var hasTrackPoints = false
  private var hasRoutePoints = false
  private var held = FixBatch()

  /// Begins a `trk` or `rte`, which gets a number with its first fix: empty ones get none.
  mutating func beginTrack() {
    beginsTrack = true
    beginsSegment = true
  }

  /// Begins a `trkseg`, which gets a number with its first fix.
  mutating func beginSegment() {
    beginsSegment = true
  }

  /// Adds a point that ended on a line.
  ///
  /// - Throws: `DecodeError` if too many points would have to be held back; those that were are then in
  ///   `batch`.
  mutating func add(
    _ point: GPXPoint, faults: borrowing GPXFaults?, line: Int, into batch: inout FixBatch
  ) throws(DecodeError) {
    if point.kind == .track {
      if !hasTrackPoints { beginTrackPoints() }
      append(point, faults, line: line, to: &batch)
      return
    }
    try hold(point, faults, line: line, orDeliverTo: &batch)
  }

  /// Holds back a route point or waypoint that may yet belong to the path.
  private mutating func hold(
    _ point: GPXPoint, _ faults: borrowing GPXFaults?, line: Int,
    orDeliverTo batch: inout FixBatch
  ) throws(DecodeError) {
    guard !hasTrackPoints, point.kind == .route || !hasRoutePoints else { return }
    if point.kind == .route, !hasRoutePoints {
      hasRoutePoints = true
      forgetHeld()
    }
    guard held.fixes.count + held.rejections.count < GPXAssembler.maximumHeldPoints else {
      finish(into: &batch)
      throw DecodeError(
        "more than \(GPXAssembler.maximumHeldPoints) waypoints come before any track point",
        line: line)
    }
    // Moved out of `self`, since `append` changes `self`.
    var batch = FixBatch()
    swap(&batch, &held)
    append(point, faults, line: line, to: &batch)
    swap(&batch, &held)
  }

  /// Ends the file, complete or not: appends what was held back.
  mutating func finish(into batch: inout FixBatch) {
    // Moved rather than copied if the batch is empty.
    if batch.isEmpty { swap(&batch, &held) }
    batch.fixes += held.fixes
    batch.rejections += held.rejections
    held = FixBatch()
  }

  private mutating func beginTrackPoints() {
    hasTrackPoints = true
    forgetHeld()
  }

  private mutating func forgetHeld() {
    held = FixBatch()
    trackIndex = -1
    segmentIndex = -1
    beginsTrack = true
    beginsSegment = true
  }

  private mutating func append(
    _ point: GPXPoint, _ faults: borrowing GPXFaults?, line: Int, to batch: inout FixBatch
  ) {
    if let faults = copy faults, faults.report(to: &batch) { return }
    if point.kind == .waypoint {
      (trackIndex, segmentIndex) = (0, 0)
    } else if beginsSegment {
      if beginsTrack { trackIndex += 1 }
      segmentIndex += 1
      beginsTrack = false
      beginsSegment = false
    }
    var fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: point.latitudeDegrees, longitudeDegrees: point.longitudeDegrees),
      trackIndex: trackIndex, segmentIndex: segmentIndex,
      speedMetersPerSecond: point.speedMetersPerSecond, courseDegrees: point.courseDegrees,
      line: Int32(clamping: line))
    fix.rawTimeMilliseconds = point.rawTimeMilliseconds
    batch.append(fix)
  }
}
