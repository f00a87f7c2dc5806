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

extension NotificationRequest {
  /// When the request fires next.
  ///
  /// - Parameters:
  ///   - milliseconds: The present, since 1970; a request due at this instant has fired.
  ///   - zone: The zone the phone is in, for floating times.
  /// - Returns: ``NextFire/never`` for a request whose only time has passed.
  public func nextFire(afterMilliseconds milliseconds: Int64, in zone: ClockZone) -> NextFire {
    switch trigger {
    case .immediate:
      return .immediately
    case .region:
      return .atCrossing
    case .calendar(let pattern, let repeats, let anchor):
      let asked = repeats ? milliseconds : askedMilliseconds ?? milliseconds
      let match = pattern.nextMilliseconds(after: asked, in: anchor.zone(onDeviceIn: zone))
      return Self.fire(match, ifAfter: milliseconds)
    case .interval(let interval):
      return Self.fire(
        interval.nextMilliseconds(
          after: milliseconds, askedMilliseconds: askedMilliseconds ?? milliseconds),
        ifAfter: milliseconds)
    }
  }

  private static func fire(_ match: Int64?, ifAfter milliseconds: Int64) -> NextFire {
    guard let match, match > milliseconds else { return .never }
    return .at(match)
  }
}

extension IntervalTrigger {
  /// The first end of a wait after an instant, in milliseconds since 1970.
  func nextMilliseconds(after instant: Int64, askedMilliseconds: Int64) -> Int64? {
    let first = askedMilliseconds + milliseconds
    if first > instant || !repeats || milliseconds <= 0 { return first }
    return first + ((instant - first) / milliseconds + 1) * milliseconds
  }
}
