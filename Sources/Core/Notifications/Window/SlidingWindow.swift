/// Turns reminders into single requests for the near future.
///
/// Distant reminders take no slot, and each occurrence can be skipped. Move the window every 24
/// hours. A reminder that is due many times a day would fill the phone: use a repeating request.
public struct SlidingWindow: Hashable, Sendable {
  /// The length of the window in milliseconds, exclusive; seven days by default.
  package var lengthMilliseconds: Int64

  /// How long after an occurrence was due its staggered request may be kept.
  static let staggeredMilliseconds: Int64 = 3_600_000
  static let refreshMilliseconds: Int64 = 86_400_000

  /// Creates a window of a length in milliseconds: seven days, if you do not say otherwise.
  public init(lengthMilliseconds: Int64 = 7 * 86_400_000) {
    self.lengthMilliseconds = lengthMilliseconds
  }

  /// Creates a window of a length.
  public init(length: Duration) { self.init(lengthMilliseconds: length.roundedMilliseconds) }

  /// The requests for all occurrences in the window, and for circles.
  ///
  /// They depend only on the occurrence, so moving the window does not change requests in it.
  /// Staggered requests in `live` that were due but have not fired are kept, at the end. Intervals
  /// count from `askedMilliseconds`, or from now if it is nil.
  public func requests(
    for reminders: [Reminder], nowMilliseconds: Int64, zone: ClockZone,
    askedMilliseconds: Int64? = nil, keepingLate live: [NotificationRequest] = []
  ) -> [NotificationRequest] {
    let asked = askedMilliseconds ?? nowMilliseconds
    let end = nowMilliseconds + lengthMilliseconds
    let ahead = reminders.flatMap { reminder in
      reminder.singleRequests(
        after: nowMilliseconds, before: end, in: zone, askedMilliseconds: asked)
    }
    return ahead
      + staggered(
        live, besides: ahead, of: reminders, nowMilliseconds: nowMilliseconds, zone: zone,
        askedMilliseconds: asked)
  }

  /// Returns the same as the function with the label `keepingLate`.
  @available(
    *, deprecated, renamed: "requests(for:nowMilliseconds:zone:askedMilliseconds:keepingLate:)"
  )
  public func requests(
    for reminders: [Reminder], nowMilliseconds: Int64, zone: ClockZone,
    askedMilliseconds: Int64? = nil, keeping live: [NotificationRequest]
  ) -> [NotificationRequest] {
    requests(
      for: reminders, nowMilliseconds: nowMilliseconds, zone: zone,
      askedMilliseconds: askedMilliseconds, keepingLate: live)
  }

  /// Replaces this window's own requests in the list of an update, and touches no others.
  ///
  /// Its own are those with a date behind their identifier, as ``requests(for:nowMilliseconds:zone:askedMilliseconds:keepingLate:)``
  /// makes them, and the circles of these reminders. Habits, snoozes and alerts stay.
  ///
  /// - Parameters:
  ///   - reminders: All reminders of the window. Requests of any others are removed.
  ///   - requests: The list of the update.
  ///   - nowMilliseconds: The current time in milliseconds since 1970.
  ///   - zone: The time zone of the phone.
  ///   - prefix: What the ids of its reminders begin with, if the app has several windows.
  public func replace(
    _ reminders: [Reminder], in requests: inout [NotificationRequest], nowMilliseconds: Int64,
    zone: ClockZone, prefix: String = ""
  ) {
    let ids = Set(reminders.map(\.id))
    func isOwn(_ request: NotificationRequest) -> Bool {
      guard request.identifier.hasPrefix(prefix) else { return false }
      if ids.contains(request.identifier) { return true }
      guard let mark = request.identifier.lastIndex(of: "@") else { return false }
      return LocalTime(String(request.identifier[mark...].dropFirst())) != nil
    }
    let own = requests.filter(isOwn)
    requests.removeAll(where: isOwn)
    requests += self.requests(
      for: reminders, nowMilliseconds: nowMilliseconds, zone: zone, keepingLate: own)
  }

  func staggered(
    _ live: [NotificationRequest], besides ahead: [NotificationRequest], of reminders: [Reminder],
    nowMilliseconds: Int64, zone: ClockZone, askedMilliseconds: Int64
  ) -> [NotificationRequest] {
    if live.isEmpty { return [] }
    let known = Set(ahead.map(\.identifier))
    let others = live.filter { !known.contains($0.identifier) }
    // Nearly all live requests are in the window.
    if others.isEmpty { return [] }
    func owner(_ request: NotificationRequest) -> String? {
      request.identifier.lastIndex(of: "@").map { String(request.identifier[..<$0]) }
    }
    // Of many reminders few have such requests.
    let wanted = Set(others.compactMap(owner))
    let byID = Dictionary(
      reminders.lazy.filter { wanted.contains($0.id) }.map { ($0.id, $0) },
      uniquingKeysWith: { $1 })
    return others.filter { request in
      guard let reminder = owner(request).flatMap({ byID[$0] }) else { return false }
      return reminder.occurrences(
        after: nowMilliseconds - Self.staggeredMilliseconds, before: nowMilliseconds + 1, in: zone,
        askedMilliseconds: askedMilliseconds
      ).contains { reminder.identifier(for: $0) == request.identifier }
    }
  }
}
