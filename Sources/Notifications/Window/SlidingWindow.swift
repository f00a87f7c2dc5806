/// Turns reminders into single requests for the near future, so that far ones take no slot and each
/// occurrence can be skipped on its own.
///
/// The window is meant to be moved on every 24 hours. A refresh that does not come is survived for
/// as long as the window is ahead.
public struct SlidingWindow: Equatable, Sendable {
  /// How far it looks ahead, in milliseconds; what is exactly that far away is not in it.
  public var lengthMilliseconds: Int64

  /// Seven days.
  public static let defaultLengthMilliseconds: Int64 = 7 * 86_400_000
  /// How often the window should be moved on.
  public static let refreshMilliseconds: Int64 = 86_400_000

  /// Makes a window.
  public init(lengthMilliseconds: Int64 = defaultLengthMilliseconds) {
    self.lengthMilliseconds = lengthMilliseconds
  }

  /// One request for each occurrence with 0 < time - now < length, and those for circles.
  ///
  /// Identifiers and triggers depend on the occurrence only, so that moving the window on changes
  /// nothing about requests that stay in it. Seconds are kept.
  ///
  /// - Parameters:
  ///   - reminders: The reminders.
  ///   - nowMilliseconds: The present, since 1970.
  ///   - zone: The zone the phone is in.
  ///   - askedMilliseconds: From when intervals count; now unless told otherwise.
  /// - Returns: Requests in the order of the reminders.
  public func requests(
    for reminders: [Reminder], nowMilliseconds: Int64, zone: ClockZone,
    askedMilliseconds: Int64? = nil
  ) -> [NotificationRequest] {
    let asked = askedMilliseconds ?? nowMilliseconds
    let end = nowMilliseconds + lengthMilliseconds
    return reminders.flatMap { reminder in
      if case .region = reminder.schedule { return reminder.requests(askedMilliseconds: asked) }
      return reminder.occurrences(
        after: nowMilliseconds, before: end, in: zone, askedMilliseconds: asked
      ).map { reminder.request(for: $0, askedMilliseconds: asked) }
    }
  }
}

extension Reminder {
  private var anchor: ClockAnchor? {
    switch schedule {
    case .at(_, let anchor), .weekly(_, _, let anchor), .repeating(_, let anchor): anchor
    case .interval, .region: nil
    }
  }

  /// Whether it follows a clock, and not only the passing of time.
  var isAnchored: Bool { anchor != nil }

  /// The request for one occurrence: on the clock of the anchor, or at the instant of an interval.
  func request(for occurrence: Occurrence, askedMilliseconds: Int64) -> NotificationRequest {
    let trigger: NotificationTrigger =
      if let anchor {
        .calendar(occurrence.local.pattern, repeats: false, anchor: anchor)
      } else {
        .at(milliseconds: occurrence.dueMilliseconds)
      }
    return request("@\(occurrence.local)", trigger, askedMilliseconds)
  }
}
