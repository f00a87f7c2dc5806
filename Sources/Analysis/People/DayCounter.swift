package import FencepostNotifications

package struct DayCounter {
  private let zone: ClockZone
  private(set) var days: Set<Int> = []
  private var quarter: Int64?

  package init(zone: ClockZone) { self.zone = zone }

  package mutating func take(_ milliseconds: Int64?) {
    guard let milliseconds else { return }
    // In every time zone, days begin and offsets change on a quarter of an hour.
    let quarter = milliseconds / 900_000
    guard quarter != self.quarter else { return }
    self.quarter = quarter
    days.insert(Self.day(of: milliseconds, in: zone))
  }

  /// Returns the number of alerts per day, including days with none.
  package func alerts(of entries: [EntryRecord]) -> [Int: Int] {
    var counts = Dictionary(uniqueKeysWithValues: days.map { ($0, 0) })
    for entry in entries where entry.isAlert {
      if let time = entry.shownMilliseconds {
        counts[Self.day(of: time, in: zone), default: 0] += 1
      }
    }
    return counts
  }

  /// Returns the local day at an instant, in days since 1970.
  package static func day(of milliseconds: Int64, in zone: ClockZone) -> Int {
    let local = milliseconds + zone.offsetSeconds(atMilliseconds: milliseconds) * 1000
    return Int(local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000)
  }
}
