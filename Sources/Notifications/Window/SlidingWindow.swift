/// Turns reminders into single requests for the near future, so that distant ones take no slot and each
/// occurrence can be skipped on its own.
///
/// Move the window every 24 hours; it survives missed refreshes for as long as it looks ahead. A reminder
/// that comes more than a few times a day would fill the phone's slots: hand it over as one repeating
/// request.
package struct SlidingWindow: Hashable, Sendable {
  /// How far it looks ahead, in milliseconds, exclusive; seven days by default.
  package var lengthMilliseconds: Int64

  /// How long after an occurrence was due a staggered request for it may be kept.
  private static let staggeredMilliseconds: Int64 = 3_600_000
  /// How often the window should move.
  static let refreshMilliseconds: Int64 = 86_400_000

  /// Makes a window.
  package init(lengthMilliseconds: Int64 = 7 * 86_400_000) {
    self.lengthMilliseconds = lengthMilliseconds
  }

  /// The requests for each occurrence with 0 < time - now < length, and for circles.
  ///
  /// Identifiers and triggers depend on the occurrence only, so moving the window does not change
  /// requests that stay in it.
  ///
  /// - Parameters:
  ///   - reminders: The reminders.
  ///   - nowMilliseconds: The present, since 1970.
  ///   - zone: The zone the phone is in.
  ///   - askedMilliseconds: When intervals begin to count; nil for now.
  ///   - live: The live requests of an update. Those that were due by now, but were staggered and have
  ///     not fired yet, are kept.
  /// - Returns: Requests in the order of the reminders, the kept ones last.
  package func requests(
    for reminders: [Reminder], nowMilliseconds: Int64, zone: ClockZone,
    askedMilliseconds: Int64? = nil, keeping live: [NotificationRequest] = []
  ) -> [NotificationRequest] {
    let asked = askedMilliseconds ?? nowMilliseconds
    let ahead = reminders.flatMap { reminder in
      if reminder.isAtCircle { return reminder.requests(askedMilliseconds: asked) }
      return reminder.occurrences(
        after: nowMilliseconds, before: nowMilliseconds + lengthMilliseconds, in: zone,
        askedMilliseconds: asked
      ).map { reminder.request(for: $0, askedMilliseconds: asked) }
    }
    return ahead
      + staggered(
        live, besides: ahead, of: reminders, nowMilliseconds: nowMilliseconds, zone: zone,
        askedMilliseconds: asked)
  }

  /// The live requests of occurrences just past that were staggered.
  func staggered(
    _ live: [NotificationRequest], besides ahead: [NotificationRequest], of reminders: [Reminder],
    nowMilliseconds: Int64, zone: ClockZone, askedMilliseconds: Int64
  ) -> [NotificationRequest] {
    let known = Set(ahead.map(\.identifier))
    let others = live.filter { !known.contains($0.identifier) }
    // Nearly all live requests are in the window.
    if others.isEmpty { return [] }
    let byID = Dictionary(reminders.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return others.filter { request in
      guard let mark = request.identifier.lastIndex(of: "@"),
        let reminder = byID[String(request.identifier[..<mark])]
      else { return false }
      return reminder.occurrences(
        after: nowMilliseconds - Self.staggeredMilliseconds, before: nowMilliseconds + 1, in: zone,
        askedMilliseconds: askedMilliseconds
      ).contains { reminder.identifier(for: $0) == request.identifier }
    }
  }
}
