import FencepostTime

extension AlertPolicy {
  /// The former name of ``AlertOptions``.
  @available(*, deprecated, renamed: "AlertOptions")
  public typealias Options = AlertOptions

  /// The former name of ``AlertEntry``.
  @available(*, deprecated, renamed: "AlertEntry")
  public typealias Entry = AlertEntry
}

/// The rules of an alert policy.
///
/// By default, a place is silent for seven days after it alerted, at most two alerts appear in one
/// second, and no hours are quiet.
public struct AlertOptions: Hashable, Codable, Sendable {
  /// The hours without alerts; nil for none.
  public var quietHours: QuietHours?
  /// The speed in meters per second above which nothing alerts, nor for two minutes after.
  ///
  /// Nil for no limit. An unknown speed does not hold back an alert.
  public var maxAlertSpeedMetersPerSecond: Double?
  /// How long a place stays silent after it alerted; seven days by default.
  public var cooldown: Cooldown
  /// The number of alerts in one second, at least 1; others are delayed; nil for no limit.
  public var sameSecondLimit: Int?
  /// The largest distance in meters between two centers that count as the same position.
  public var spotMeters: Double
  /// The number of alerts that can wait for delivery at a time; nil for no limit.
  ///
  /// An alert without a delay needs a free slot but does not keep it. At 0, nothing alerts.
  public var pendingSlots: Int?
  /// When the dates of stories count; nil for the time of each entry.
  package var dates: StoryDates?

  /// How long nothing alerts after driving, in milliseconds.
  static let drivingMemoryMilliseconds: Int64 = 120_000

  /// Creates rules; each parameter sets the property of the same name.
  public init(
    quietHours: QuietHours? = nil, maxAlertSpeedMetersPerSecond: Double? = nil,
    cooldown: Cooldown = .days(7), sameSecondLimit: Int? = 2, spotMeters: Double = 1,
    pendingSlots: Int? = nil
  ) {
    self.quietHours = quietHours
    self.maxAlertSpeedMetersPerSecond = maxAlertSpeedMetersPerSecond
    self.cooldown = cooldown
    self.sameSecondLimit = sameSecondLimit
    self.spotMeters = spotMeters
    self.pendingSlots = pendingSlots
  }
}

/// How long a place stays silent after it alerted.
///
/// It counts from the entry that alerted. Entries that were held back do not start it.
public enum Cooldown: Hashable, Codable, Sendable {
  /// Every entry may alert.
  case none
  /// The place may alert again after this many seconds. Ignored for entries without a time.
  case seconds(Int64)
  /// The place alerts once for as long as the policy's state is kept, even without times.
  case forever

  /// A cooldown of days of 86,400 seconds.
  public static func days(_ count: Int64) -> Cooldown { .seconds(count * 86_400) }
}

/// A daily span of local time without alerts; it may include midnight.
///
/// An entry within it is held back and not shown later.
public struct QuietHours: Hashable, Sendable {
  /// The first quiet second.
  public let start: TimeOfDay
  /// The first second after the quiet hours.
  public let end: TimeOfDay
  /// The time zone of the clock.
  public let zone: ClockZone

  /// Creates quiet hours; nil if `start` equals `end`, which could mean never or always.
  public init?(start: TimeOfDay, end: TimeOfDay, zone: ClockZone) {
    guard start != end else { return nil }
    self.start = start
    self.end = end
    self.zone = zone
  }

  /// Whether a time in milliseconds since 1970-01-01T00:00:00Z is quiet.
  package func contains(milliseconds: Int64) -> Bool {
    let second = zone.secondOfDay(atMilliseconds: milliseconds)
    if start < end { return second >= start.secondOfDay && second < end.secondOfDay }
    return second >= start.secondOfDay || second < end.secondOfDay
  }

  /// The hours as in the option, such as `22:00-07:00`.
  package var text: String { "\(start)-\(end)" }
}

/// Another time than that of an entry at which the dates of its story count.
///
/// It lets recorded walks be judged with stories that were published later.
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

extension AlertOptions {
  /// The time at which an entry meets the dates of its story, in milliseconds since 1970.
  ///
  /// Nil if the entry has no time, or if dates are ignored.
  ///
  /// On a fixed day, the entry keeps its local time of day in the zone of that day.
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
