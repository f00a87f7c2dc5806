import FencepostMonitoring

/// All that a scheduler must not lose; it is saved before each change of the centre.
public struct SchedulerState: Codable, Hashable, Sendable {
  /// A request of the owner.
  public struct Entry: Codable, Hashable, Sendable {
    /// The request.
    public var request: NotificationRequest
    /// Whether the centre should hold it; otherwise it waits for a slot.
    public var isScheduled: Bool
    /// Whether the centre is known to have held it in this form.
    var isConfirmed: Bool
    /// For a single request on the phone's own clock, when it fires by the clock it was planned on.
    ///
    /// After a move to the west its time comes once more; only this shows that it has fired.
    var plannedMilliseconds: Int64?
  }

  /// A single request on the phone's own clock that has fired.
  struct Shown: Codable, Hashable, Sendable {
    var identifier: String
    var trigger: NotificationTrigger
    /// From then on no move can bring its time back.
    var untilMilliseconds: Int64
  }

  /// The form in which a state is written.
  private var version = 1
  /// The owner's requests, scheduled and stored, by identifier.
  public internal(set) var entries: [Entry] = []
  /// Requests that the centre may still hold and should not.
  var leaving: [NotificationRequest] = []
  /// Requests that must not fire again when the clock shows their time again.
  var shown: [Shown] = []
  /// The last update, in milliseconds since 1970; nil if unknown.
  var updatedMilliseconds: Int64?

  /// The state of a scheduler that was never used.
  public init() {}

  /// Reads a state, also one without a version as it was written at first.
  ///
  /// - Throws: `NewerVersionError` of `FencepostMonitoring`, and `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.checkVersion(.version, newest: version, of: "scheduler state")
    entries = try container.decode([Entry].self, forKey: .entries)
    leaving = try container.decode([NotificationRequest].self, forKey: .leaving)
    shown = try container.decodeIfPresent([Shown].self, forKey: .shown) ?? []
    updatedMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .updatedMilliseconds)
  }
}
