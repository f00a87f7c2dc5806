import FencepostMonitoring

/// Everything a scheduler must remember; saved before each change of the center.
public struct SchedulerState: Codable, Hashable, Sendable {
  /// A request of the owner.
  package struct Entry: Codable, Hashable, Sendable {
    /// The request.
    package var request: NotificationRequest
    /// Whether the center should hold the request; otherwise it waits for a slot.
    package var isScheduled: Bool
    /// Whether the center is known to have held the request in this form.
    var isConfirmed: Bool
    /// When a single floating request fires on the clock it was planned with.
    ///
    /// After a move west the same time comes again; only this value shows that it has fired.
    var plannedMilliseconds: Int64?
  }

  struct Shown: Codable, Hashable, Sendable {
    var identifier: String
    var trigger: NotificationTrigger
    /// After this, no change of zone can bring its time back.
    var untilMilliseconds: Int64
  }

  private var version = 1
  /// The requests of the owner, sorted by identifier.
  package internal(set) var entries: [Entry] = []
  /// Requests to remove that the center may still hold.
  var leaving: [NotificationRequest] = []
  /// Requests that must not fire when the clock shows their time again.
  var shown: [Shown] = []
  /// The time of the last update in milliseconds since 1970; nil if unknown.
  var updatedMilliseconds: Int64?

  /// Creates an empty state.
  public init() {}

  /// Reads a state, including the oldest form without a version; can throw `NewerVersionError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.checkVersion(.version, newest: version, of: "scheduler state")
    entries = try container.decode([Entry].self, forKey: .entries)
    leaving = try container.decode([NotificationRequest].self, forKey: .leaving)
    shown = try container.decodeIfPresent([Shown].self, forKey: .shown) ?? []
    updatedMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .updatedMilliseconds)
  }
}
