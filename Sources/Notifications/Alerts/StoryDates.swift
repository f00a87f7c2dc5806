import FencepostTime

/// Another time than that of an entry at which the dates of its story count.
package enum StoryDates: Hashable, Codable, Sendable {
  /// Every entry counts at its time of day, but on this day, in the zone.
  case day(sinceEpoch: Int, zone: ClockZone)
  /// Stories alert whatever their dates are.
  case ignored

  /// Reads `ignore`, or a day such as `2026-03-04`; nil for anything else.
  package init?(_ text: String, in zone: ClockZone) {
    if text == "ignore" {
      self = .ignored
    } else if text.utf8.count == 10, let midnight = ISO8601.milliseconds(parsing: text) {
      self = .day(sinceEpoch: Int(midnight.dividedDown(by: 86_400_000)), zone: zone)
    } else {
      return nil
    }
  }

  /// The text that makes it.
  package var text: String {
    guard case .day(let days, _) = self else { return "ignore" }
    return String(ISO8601.string(milliseconds: Int64(days) * 86_400_000).prefix(10))
  }

  /// Words without a final period, such as `story dates count as on 2026-03-04`.
  package var words: String {
    self == .ignored ? "story dates are ignored" : "story dates count as on \(text)"
  }
}

extension AlertPolicy.Options {
  /// The time at which an entry meets the dates of its story, in milliseconds since 1970.
  ///
  /// Nil if the entry has no time, or if dates are ignored.
  package func dateMilliseconds(ofEntryAt milliseconds: Int64?) -> Int64? {
    switch dates {
    case nil: milliseconds
    case .ignored: nil
    case .day(let days, let zone):
      milliseconds.map {
        zone.milliseconds(daysSince1970: days, secondOfDay: zone.secondOfDay(atMilliseconds: $0))
          + $0.remainderDown(by: 1000)
      }
    }
  }
}
