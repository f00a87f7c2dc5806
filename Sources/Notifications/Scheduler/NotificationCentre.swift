/// Shows notifications: a phone's notification centre, or ``SimulatedPhone`` in its place.
///
/// Other owners keep requests in it too. It need not report that it drops a request.
public protocol NotificationCentre: Sendable {
  /// Adds a request, replacing a pending one with the same identifier.
  func add(_ request: NotificationRequest) async throws

  /// Removes pending requests; identifiers that are not pending are ignored.
  func remove(identifiers: [String]) async throws

  /// The pending requests of all owners.
  func pending() async throws -> [NotificationRequest]

  /// The identifiers of requests that it has shown after an instant, in milliseconds since 1970; nil if
  /// it cannot say.
  ///
  /// Called after a journey, when a local time that is still to come is gone from the pending requests:
  /// it was shown in another zone, or the clock skipped it on the way. If the answer has its identifier,
  /// it was shown. If not, it is added again, which shows it twice to a user who has cleared it. Without
  /// an answer, it counts as shown once any zone's clock has reached it, unless the phone lacks other
  /// requests too or is full.
  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>?
}

extension NotificationCentre {
  /// Cannot say.
  public func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? { nil }
}
