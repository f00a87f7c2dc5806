import FencepostMonitoring

/// How often notifications of each kind were shown and tapped, from which priorities adapt.
public struct TapRates: Codable, Hashable, Sendable {
  /// Counts of one kind.
  public struct Counts: Codable, Hashable, Sendable {
    /// How many were shown.
    public var shown = 0
    /// How many of those were tapped.
    public var tapped = 0
  }

  /// The counts by the kinds' names.
  public private(set) var counts: [String: Counts] = [:]

  /// Empty counts.
  public init() {}

  /// Counts a notification that was shown, and whether it was tapped.
  public mutating func note(kind: NotificationKind, tapped: Bool) {
    note(kind: kind, shown: 1, tapped: tapped ? 1 : 0)
  }

  /// Counts notifications that were shown, and how many of them were tapped.
  public mutating func note(kind: NotificationKind, shown: Int, tapped: Int) {
    counts[kind.name, default: Counts()].shown += shown
    counts[kind.name, default: Counts()].tapped += tapped
  }

  /// The registry with priorities that follow the tap rates.
  ///
  /// A kind moves one step up if its tap rate is higher than that of all kinds together, and one step
  /// down if it is lower, in both cases by its whole 95 % Wilson interval. Kinds that a user has set up
  /// stay at 0, which no other kind reaches; unknown kinds stay last.
  ///
  /// - Parameters:
  ///   - registry: The kinds with their own priorities.
  ///   - minimumObservations: How many of a kind must have been shown before it moves.
  /// - Returns: The same kinds, some one step up or down.
  public func adapting(_ registry: KindRegistry, minimumObservations: Int = 50) -> KindRegistry {
    let known = registry.kinds.compactMap { counts[$0.name] }
    let shown = known.reduce(0) { $0 + $1.shown }
    guard shown > 0 else { return registry }
    let overall = Double(known.reduce(0) { $0 + $1.tapped }) / Double(shown)
    var priorities: [String: Int] = [:]
    for kind in registry.kinds where kind.priority != NotificationKind.userSetPriority {
      guard let own = counts[kind.name], own.shown >= max(minimumObservations, 1) else { continue }
      let interval = WilsonInterval(own.tapped, of: own.shown)
      if interval.low > overall {
        priorities[kind.name] = max(kind.priority - 1, NotificationKind.userSetPriority + 1)
      } else if interval.high < overall {
        priorities[kind.name] = min(kind.priority + 1, NotificationKind.unknown.priority - 1)
      }
    }
    return registry.withPriorities(priorities)
  }
}
