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
}
