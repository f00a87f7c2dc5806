/// Turns reminders into single requests for the near future, so that far ones take no slot and each
/// occurrence can be skipped on its own.
///
/// The window is meant to be moved on every 24 hours. A refresh that does not come is survived for
/// as long as the window is ahead. What comes more often than some times a day fills the slots of a
/// phone with its occurrences; it is better handed over as one repeating request.
public struct SlidingWindow: Equatable, Sendable {
  /// How far it looks ahead, in milliseconds; what is exactly that far away is not in it.
  public var lengthMilliseconds: Int64

  /// Seven days.
  public static let defaultLengthMilliseconds: Int64 = 7 * 86_400_000
  /// How long after an occurrence was due its request may still be kept, where staggering has moved
  /// it later.
  static let staggeredMilliseconds: Int64 = 3_600_000
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
  ///   - live: The live requests that an update hands over. Of an occurrence that was due up to now,
  ///     but was staggered and has not fired yet, the request is kept from these.
  /// - Returns: Requests in the order of the reminders, those that are kept last.
  public func requests(
    for reminders: [Reminder], nowMilliseconds: Int64, zone: ClockZone,
    askedMilliseconds: Int64? = nil, keeping live: [NotificationRequest] = []
  ) -> [NotificationRequest] {
    let asked = askedMilliseconds ?? nowMilliseconds
    let end = nowMilliseconds + lengthMilliseconds
    let ahead = reminders.flatMap { reminder in
      if case .region = reminder.schedule { return reminder.requests(askedMilliseconds: asked) }
      return reminder.occurrences(
        after: nowMilliseconds, before: end, in: zone, askedMilliseconds: asked
      ).map { reminder.request(for: $0, askedMilliseconds: asked) }
    }
    return ahead
      + staggered(
        live, besides: ahead, of: reminders, nowMilliseconds: nowMilliseconds, zone: zone,
        askedMilliseconds: asked)
  }

  /// Those live requests of occurrences just past that fire later than they were due.
  func staggered(
    _ live: [NotificationRequest], besides ahead: [NotificationRequest], of reminders: [Reminder],
    nowMilliseconds: Int64, zone: ClockZone, askedMilliseconds: Int64
  ) -> [NotificationRequest] {
    guard !live.isEmpty else { return [] }
    let known = Set(ahead.map(\.identifier))
    // Nearly all live requests are in the window; only few are looked at closely.
    let others = live.filter { !known.contains($0.identifier) }
    guard !others.isEmpty else { return [] }
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
    return request(Self.suffix(occurrence), trigger, askedMilliseconds)
  }

  /// What the request for one occurrence is called.
  func identifier(for occurrence: Occurrence) -> String { id + Self.suffix(occurrence) }

  private static func suffix(_ occurrence: Occurrence) -> String { "@\(occurrence.local)" }
}
