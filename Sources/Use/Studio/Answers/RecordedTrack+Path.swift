#if Command
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring

extension RecordedTrack {
  /// Calls `body` with each position, and whether the path runs straight to it from the one before.
  func forEachVertex(under rule: MonitoringOptions, _ body: (Coordinate, Bool) -> Void) {
    let breaks = PathBreaks(
      maxGapMilliseconds: rule.maxGapMilliseconds,
      maxSpeedMetersPerSecond: rule.maxSpeedMetersPerSecond)
    var last: Fix?
    for fix in fixes {
      let isJoined = last.map { last in
        (rule.joinsSegments || last.segmentIndex == fix.segmentIndex) && breaks.joins(last, fix)
      }
      body(fix.coordinate, isJoined ?? false)
      last = fix
    }
  }

  /// The path for drawing, a line for each unbroken piece.
  func sketch(under rule: MonitoringOptions, mostVertices: Int) -> [[Coordinate]] {
    var sketch = PathSketch(mostVertices: mostVertices)
    forEachVertex(under: rule) { sketch.take($0, isJoined: $1) }
    return sketch.finish()
  }

  /// The path for searches, in stretches.
  func stretches(under rule: MonitoringOptions) -> [PathTree] {
    var (blocks, stretches) = (PathBlocks(), [PathTree]())
    forEachVertex(under: rule) { coordinate, isJoined in
      if let full = blocks.take(coordinate, isJoined: isJoined) { stretches.append(full) }
    }
    return stretches + [blocks.finish()].compactMap { $0 }
  }
}
#endif
