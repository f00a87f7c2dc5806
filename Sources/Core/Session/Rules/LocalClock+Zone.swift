package import FencepostFormats
package import FencepostNotifications
import FencepostTime

extension LocalClock {
  /// The clock of a zone, which skips and repeats times as people's clocks do.
  package init(_ zone: ClockZone) {
    self.init { time in
      let day = Int64((Double(time) / 86_400_000).rounded(.down))
      let rest = time - day * 86_400_000
      let second = zone.milliseconds(
        date: CivilDate(daysSince1970: Int(day)), secondOfDay: Int(rest / 1000))
      return second + rest % 1000
    }
  }
}
