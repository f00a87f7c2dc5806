/// What an update did.
///
/// Requests are named by their identifiers.
public struct SchedulerReport: Hashable, Sendable {
  /// The plan that was carried out.
  public let plan: BudgetPlan
  /// The requests that were added to the centre, in that order: the most important last.
  public let added: [String]
  /// The requests that were removed from the centre.
  public let removed: [String]
  /// The requests that have fired since the last update.
  public let delivered: [String]
  /// The requests whose time passed while they waited for a slot, or was skipped when the phone moved
  /// east.
  public let missed: [String]
  /// The requests that the change took out.
  public let cancelled: [String]
}

/// The centre refused requests after the state was saved; the next update tries again.
public struct SchedulerError: Error, Sendable, CustomStringConvertible {
  /// The identifiers of the refused requests.
  public let identifiers: [String]
  /// The centre's error for the first of them.
  public let underlying: any Error

  /// A sentence for the user.
  public var description: String {
    "the notification centre refused \(identifiers.joined(separator: ", ")): \(underlying)"
  }
}
