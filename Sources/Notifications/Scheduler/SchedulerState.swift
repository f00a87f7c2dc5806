/// All that a scheduler must not lose, as it is saved before each change of the centre.
public struct SchedulerState: Codable, Equatable, Sendable {
  /// A request of the owner.
  public struct Entry: Codable, Equatable, Sendable {
    /// The request.
    public var request: NotificationRequest
    /// Whether the centre is meant to hold it; else it waits for a slot.
    public var isScheduled: Bool
    /// Whether the centre is known to have held it as it is.
    var isConfirmed: Bool
    /// When a single request on the phone's own clock fires, by the clock of when it was planned.
    ///
    /// After a move to the west its time comes once more, and only this tells that it has fired.
    var plannedMilliseconds: Int64?
  }

  /// A single request on the phone's own clock that has fired.
  struct Shown: Codable, Equatable, Sendable {
    var identifier: String
    var trigger: NotificationTrigger
    /// Until when no move can bring its time back.
    var untilMilliseconds: Int64
  }

  /// The owner's requests, scheduled and stored, by identifier.
  public internal(set) var entries: [Entry] = []
  /// Requests that the centre may still hold and shall not.
  var leaving: [NotificationRequest] = []
  /// Requests that must not fire again where the clock shows their time again.
  var shown: [Shown] = []
  /// When it was last updated, in milliseconds since 1970; nil where that is not known.
  var updatedMilliseconds: Int64?

  /// The state of a scheduler that was never used.
  public init() {}

  /// Reads a state.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    entries = try container.decode([Entry].self, forKey: .entries)
    leaving = try container.decode([NotificationRequest].self, forKey: .leaving)
    shown = try container.decodeIfPresent([Shown].self, forKey: .shown) ?? []
    updatedMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .updatedMilliseconds)
  }
}

/// Where a scheduler keeps its state.
public struct SchedulerStore: Sendable {
  let load: @Sendable () async throws -> SchedulerState?
  let save: @Sendable (SchedulerState) async throws -> Void
  let takeTurn: @Sendable () async throws -> (any Sendable)?

  /// A store made of closures.
  ///
  /// - Parameters:
  ///   - load: Returns what was saved last, or nil where nothing ever was.
  ///   - save: Saves durably: when it returns, nothing may be lost any more.
  ///   - takeTurn: Waits until no other scheduler is within an update of the same state, and returns
  ///     what keeps the others out for as long as anything refers to it. Leave it out only where one
  ///     scheduler has the state to itself.
  public init(
    load: @escaping @Sendable () async throws -> SchedulerState?,
    save: @escaping @Sendable (SchedulerState) async throws -> Void,
    takeTurn: @escaping @Sendable () async throws -> (any Sendable)? = { nil }
  ) {
    self.load = load
    self.save = save
    self.takeTurn = takeTurn
  }
}
