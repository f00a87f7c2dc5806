import FencepostGeodesy

/// Makes fixes of the points of a GPX file: numbers tracks and segments, and decides which kind of
/// point the path is made of.
///
/// A file's path is its track points; where it has none, its route points; where it has none of
/// these either, its waypoints, in the order of the file. That is not known before the end, so the
/// other kinds are held back until the first track point or the end. A route counts as one track
/// of one segment, all waypoints together as one.
struct GPXAssembler: Sendable {
  /// How many route points or waypoints are held back at most: half a million, some 30 MB.
  static var maximumHeldPoints: Int { 1 << 19 }

  private var trackIndex: Int32 = -1
  private var segmentIndex: Int32 = -1
  private var beginsTrack = true
  private var beginsSegment = true
  private var hasTrackPoints = false
  private var hasRoutePoints = false
  private var held = FixBatch()

  /// A `trk` or `rte` begins.
  ///
  /// It takes a number with its first fix, so that empty ones take none.
  mutating func beginTrack() {
    beginsTrack = true
    beginsSegment = true
  }

  /// A `trkseg` begins; it takes a number with its first fix.
  mutating func beginSegment() {
    beginsSegment = true
  }

  /// A point element has ended on a line.
  ///
  /// - Throws: `DecodeError` when too many points would have to be held back; those that were are
  ///   in `batch` then.
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

  /// Keeps a route point or waypoint, as long as it may turn out to be of the path.
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
    // Taken out of `self`, because numbering changes both.
    var batch = FixBatch()
    swap(&batch, &held)
    append(point, faults, line: line, to: &batch)
    swap(&batch, &held)
  }

  /// The file has ended, well or not: delivers what was held back.
  mutating func finish(into batch: inout FixBatch) {
    // Handed over rather than copied, where nothing else is there.
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
