/// Where a path was not followed from one vertex to the next, counted by reason.
///
/// Across a break nothing is interpolated, so an entry and an exit within it go unnoticed.
/// Messages about a track use the counts to say so.
package struct BreakCounts: Codable, Hashable, Sendable {
  /// Times between fixes that were longer than the longest gap.
  package var gaps = 0
  /// Steps faster than the highest speed.
  package var jumps = 0
  /// Segments of the source that were not joined to the one before.
  package var segments = 0
  /// Steps back in time within a segment, as from a device that sends its newest fix first.
  package var returns = 0
  /// How far a step went back at most, from the newest time before it, in milliseconds.
  package var longestReturnMilliseconds: Int64 = 0

  /// Creates counts that are all 0.
  package init() {}

  /// Counts where a rule does not follow the path through these vertices.
  package init(of points: [PathPoint], under rule: MonitoringOptions) {
    var path = FollowedPath(rule)
    for point in points {
      path.append(point, joinedStepMeters: path.joinedStepMeters(to: point))
    }
    self = path.breaks
  }

  /// Adds the counts of an earlier or later part of the same path.
  package static func += (counts: inout BreakCounts, other: BreakCounts) {
    counts.gaps += other.gaps
    counts.jumps += other.jumps
    counts.segments += other.segments
    counts.returns += other.returns
    counts.longestReturnMilliseconds = max(
      counts.longestReturnMilliseconds, other.longestReturnMilliseconds)
  }
}
