/// What shows notifications: a phone's notification centre, or ``SimulatedPhone`` in its place.
///
/// It is shared: other owners keep requests in it too. It need not report when it drops a request.
public protocol NotificationCentre: Sendable {
  /// Adds a request, in place of a pending one with the same identifier.
  func add(_ request: NotificationRequest) async throws
  /// Removes pending requests; identifiers that are not pending are passed over.
  func remove(identifiers: [String]) async throws
  /// The requests that are pending, of all owners.
  func pending() async throws -> [NotificationRequest]
  /// The identifiers of requests that it has shown after an instant, in milliseconds since 1970; nil
  /// where it does not tell.
  ///
  /// It is asked after a journey: a local time may be gone from the pending requests although it is
  /// still to come. Either it was shown in another zone, or the clock was set past it on the way. If
  /// its identifier is in the answer, it was shown; if not, it is added again, which shows it twice
  /// to a user who has cleared it meanwhile. Where the answer is nil, it counts as shown once any
  /// zone's clock has reached it, unless the phone lacks other requests too or is full.
  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>?
}

extension NotificationCentre {
  /// Does not tell.
  public func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? { nil }
}
