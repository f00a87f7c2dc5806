/// A notification and what makes it fire, with the identifier by which it is replaced and removed.
public struct NotificationRequest: Hashable, Codable, Sendable {
  /// The identifier, whose prefix names the kind; a request replaces a pending one with the same
  /// identifier.
  public var identifier: String
  /// What is shown.
  public var content: NotificationContent
  /// What makes it fire.
  public var trigger: NotificationTrigger
  /// When it was asked for, in milliseconds since 1970; nil for now.
  ///
  /// Intervals count from here, and a single trigger fires at its first match after this, so a request
  /// that waited in the store still fires when it was meant to.
  public var askedMilliseconds: Int64?
  /// By how many seconds ``SecondStagger`` moved it; nil for none.
  ///
  /// A budget ranks it by the second that it had before.
  public internal(set) var movedSeconds: Int64?

  /// Makes a request of its parts.
  public init(
    identifier: String, content: NotificationContent, trigger: NotificationTrigger,
    askedMilliseconds: Int64? = nil
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    self.askedMilliseconds = askedMilliseconds
  }

  /// The same notification once more at a later instant, of the same kind and under an identifier of its
  /// own; snoozing it again replaces the snooze.
  ///
  /// - Parameter milliseconds: When, since 1970; rounded up to a whole second.
  /// - Returns: A request that fires once.
  public func snoozed(untilMilliseconds milliseconds: Int64) -> NotificationRequest {
    let suffix = "~snoozed"
    let name = identifier.hasSuffix(suffix) ? identifier : identifier + suffix
    return NotificationRequest(
      identifier: name, content: content, trigger: .at(milliseconds: milliseconds))
  }

  /// When the request fires next.
  ///
  /// - Parameters:
  ///   - milliseconds: The present, since 1970; a request due at this instant has fired.
  ///   - zone: The zone the phone is in, for floating times.
  /// - Returns: ``NextFire/never`` for a request whose only time has passed.
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

  /// Whether a phone that holds the other need not be given this one.
  func isSame(as other: NotificationRequest) -> Bool {
    identifier == other.identifier && trigger == other.trigger && content == other.content
  }
}

/// When a request fires next.
public enum NextFire: Hashable, Sendable {
  /// At once.
  case immediately
  /// At an instant, in milliseconds since 1970-01-01T00:00:00Z.
  case at(Int64)
  /// When a circle's edge is crossed.
  case atCrossing
  /// Never again: the request is dead.
  case never
}
