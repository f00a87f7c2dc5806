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
  /// It need not be complete: of many users have wiped away what they saw. It settles what became of
  /// a local time that is gone from the pending ones although it is still to come, after a journey
  /// through other time zones: shown there, or passed over by the clock. Without an answer it counts
  /// as shown if a clock anywhere has reached it.
  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>?
}

extension NotificationCentre {
  /// Does not tell.
  public func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? { nil }
}
