/// A notification with the trigger that makes it fire.
///
/// An app makes requests and hands them to a ``NotificationScheduler``, which keeps as many pending
/// as the phone can hold.
public struct NotificationRequest: Hashable, Codable, Sendable {
  /// The identifier; its prefix selects the kind, and a new request replaces an equal one.
  public var identifier: String
  /// The content.
  public var content: NotificationContent
  /// The trigger.
  public var trigger: NotificationTrigger
  /// When the request was made, in milliseconds since 1970; nil for now.
  ///
  /// Intervals and single triggers count from this time, even if the request waited in the store.
  public var askedMilliseconds: Int64?
  /// The number of seconds by which ``SecondStagger`` moved the request; nil for none.
  ///
  /// A budget ranks the request by its original second.
  public internal(set) var movedSeconds: Int64?

  /// Creates a request.
  public init(
    identifier: String, content: NotificationContent, trigger: NotificationTrigger,
    askedMilliseconds: Int64? = nil
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    self.askedMilliseconds = askedMilliseconds
  }

  /// Creates a request that shows this notification once more; snoozing again replaces it.
  ///
  /// The time is in milliseconds since 1970, rounded up to a whole second.
  public func snoozed(untilMilliseconds milliseconds: Int64) -> NotificationRequest {
    let name = isSnoozed ? identifier : identifier + Self.snoozedSuffix
    return NotificationRequest(
      identifier: name, content: content, trigger: .at(milliseconds: milliseconds))
  }

  private static let snoozedSuffix = "~snoozed"

  /// Whether ``snoozed(untilMilliseconds:)`` made this request.
  public var isSnoozed: Bool { identifier.hasSuffix(Self.snoozedSuffix) }

  /// The next time the request fires after a time in milliseconds since 1970.
  ///
  /// Floating times are on the clock of `zone`, the time zone of the phone.
  public func nextFire(afterMilliseconds milliseconds: Int64, in zone: ClockZone) -> NextFire {
    let match: Int64?
    switch trigger {
    case .immediate: return .immediately
    case .region: return .atCrossing
    case .calendar(let pattern, let repeats, let anchor):
      let asked = repeats ? milliseconds : askedMilliseconds ?? milliseconds
      match = pattern.nextMilliseconds(after: asked, in: anchor.zone(onDeviceIn: zone))
    case .interval(let interval):
      match = interval.nextMilliseconds(
        after: milliseconds, askedMilliseconds: askedMilliseconds ?? milliseconds)
    }
    guard let match, match > milliseconds else { return .never }
    return .at(match)
  }

  /// Whether a phone that holds the other request does not need this one.
  func isSame(as other: NotificationRequest) -> Bool {
    identifier == other.identifier && trigger == other.trigger && content == other.content
  }
}

/// When a request fires next.
///
/// A budget purges requests that never fire, and ranks the others by this time.
public enum NextFire: Hashable, Sendable {
  /// At once.
  case immediately
  /// At a time in milliseconds since 1970-01-01T00:00:00Z.
  case at(Int64)
  /// When the edge of a circle is crossed.
  case atCrossing
  /// Never again.
  case never
}
