package import FencepostSession
import FencepostFixes
package import FencepostMonitoring

extension MonitoringOptions {
  /// Says where a path was not followed under this rule; nil if it was followed everywhere.
  ///
  /// Pages do not name the options. A gap is longer than the rule allows between two fixes, and a
  /// jump faster. The sentence names the option that sets the limit, unless `namesOptions` is
  /// false.
  package func sentence(gaps: Int, jumps: Int, namesOptions: Bool = true) -> String? {
    var parts: [(what: String, option: String)] = []
    if gaps > 0, let maxGapMilliseconds {
      let limit = ConfirmationWords.duration(maxGapMilliseconds)
      parts.append(("\(ReportNumber.counted(gaps, "gap")) over \(limit)", "--max-gap"))
    }
    if jumps > 0, let maxSpeedMetersPerSecond {
      let limit = ReportNumber.speed(maxSpeedMetersPerSecond)
      parts.append(("\(ReportNumber.counted(jumps, "jump")) above \(limit)", "--max-speed"))
    }
    guard !parts.isEmpty else { return nil }
    let sentence =
      parts.map(\.what).joined(separator: " and ")
      + (gaps + jumps == 1 ? " was" : " were") + " not followed"
    return namesOptions
      ? "\(sentence) (\(parts.map(\.option).joined(separator: ", ")))" : sentence
  }
}

/// Advice that follows from how a path was recorded.
extension PathRemarks {
  /// What a user can change so that more of the path counts, without final periods.
  ///
  /// `fixes` is the number of fixes of the track.
  package func sentences(fixes: Int) -> [String] {
    [segments(of: fixes), order, edge].compactMap(\.self)
  }

  /// What to do where most segments have a single fix, so that hardly any edge can be crossed.
  private func segments(of fixes: Int) -> String? {
    guard breaks.segments > 1, 2 * (breaks.segments + 1) > fixes else { return nil }
    return "\(counted(breaks.segments + 1, "segment")) of \(counted(fixes, "fix")), which are not "
      + "joined. To join them: --join-segments"
  }

  /// A device's memory is not longer than a day; a clock that is wrong by more is not put in order.
  private static let longestMemoryMilliseconds: Int64 = 86_400_000

  /// What to do where times go back, if by at most a day.
  private var order: String? {
    let longest = max(
      breaks.longestReturnMilliseconds, lateness?.greatestMilliseconds ?? 0)
    let late = lateness?.count ?? 0
    guard breaks.returns + late > 0, longest <= Self.longestMemoryMilliseconds else { return nil }
    let what =
      breaks.returns > 0
      ? "its times go back \(counted(breaks.returns, "time"))"
      : "\(counted(late, "fix")) came behind newer ones"
    let minutes = (longest + 59_999) / 60_000
    return "\(what), by up to \(ReportNumber.duration(seconds: Double(longest) / 1000)), as when a "
      + "device sends its memory late. To put its fixes in order: --reorder \(minutes)min"
  }

  /// What to do where fixes drift across the edge of one circle; nil if none do.
  private var edge: String? {
    drift.map {
      "“\($0.title)” was entered \(counted($0.entries, "time")), ten times within an hour, as "
        + "where fixes drift across an edge. To count fewer: --hold, --confirm-fixes or "
        + "--exit-margin"
    }
  }
}
