/// What an update did.
public struct SchedulerReport: Equatable, Sendable {
  /// The plan that was carried out.
  public let plan: BudgetPlan
  /// Identifiers that were handed to the centre, in that order: the most important last.
  public let added: [String]
  /// Identifiers that were taken from the centre.
  public let removed: [String]
  /// Identifiers of requests that have fired since the last update.
  public let delivered: [String]
  /// Identifiers of requests whose time passed while they waited for a slot, or was left out where
  /// the phone moved to the east.
  public let missed: [String]
  /// Identifiers of requests that the change took out.
  public let cancelled: [String]
}

/// What went wrong after the state was saved: the next update tries again.
public struct SchedulerError: Error, Sendable, CustomStringConvertible {
  /// Identifiers that the centre did not take.
  public let identifiers: [String]
  /// What the centre said about the first of them.
  public let underlying: any Error

  /// A sentence for the user.
  public var description: String {
    "the notification centre refused \(identifiers.joined(separator: ", ")): \(underlying)"
  }
}
