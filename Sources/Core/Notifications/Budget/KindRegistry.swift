import FencepostMonitoring

/// A kind of notification, recognized by the prefix of its identifiers.
///
/// The app registers its kinds. Their priorities decide which requests get slots where a budget
/// ranks by priority, or where two requests fire at the same time.
public struct NotificationKind: Hashable, Codable, Sendable {
  /// The name in reports, such as `habit`.
  public let name: String
  /// The prefix of its identifiers, such as `habit.`.
  public let prefix: String
  /// The importance; a lower number is more important.
  public let priority: Int
  /// The clock that its reminders follow, whatever they say themselves; nil to let them say it.
  public let anchor: ClockAnchor?

  /// Creates a kind.
  public init(name: String, prefix: String, priority: Int, anchor: ClockAnchor? = nil) {
    self.name = name
    self.prefix = prefix
    self.priority = priority
    self.anchor = anchor
  }

  /// For notifications that a user set up, which must not be dropped.
  public static let userSetPriority = 0
  /// For notifications that help new users to stay.
  public static let retentionPriority = 1
  /// For notifications that keep users active.
  public static let engagementPriority = 2
  /// For notifications that bring users back.
  public static let reengagementPriority = 3

  /// The kind of identifiers without a registered prefix; less important than all others.
  public static let unknown = NotificationKind(name: "unknown", prefix: "", priority: 99)
}

/// The kinds of notifications of an app.
///
/// No prefix may begin with another, so an identifier has at most one kind.
public struct KindRegistry: Hashable, Sendable {
  /// The registered kinds, in order of registration.
  public private(set) var kinds: [NotificationKind] = []

  /// Creates an empty registry.
  public init() {}

  /// Creates a registry of kinds.
  ///
  /// - Throws: ``KindRegistryError`` for the first kind that cannot be registered.
  public init(_ kinds: [NotificationKind]) throws(KindRegistryError) {
    for kind in kinds { try register(kind) }
  }

  /// Adds a kind.
  ///
  /// - Throws: ``KindRegistryError`` if the prefix is empty or ambiguous, the name is taken, or the
  ///   priority is not within 0...98.
  public mutating func register(_ kind: NotificationKind) throws(KindRegistryError) {
    guard !kind.prefix.isEmpty else { throw .emptyPrefix(name: kind.name) }
    guard (0..<NotificationKind.unknown.priority).contains(kind.priority) else {
      throw .priorityOutOfRange(name: kind.name, priority: kind.priority)
    }
    for other in kinds {
      if other.prefix.utf8.starts(with: kind.prefix.utf8)
        || kind.prefix.utf8.starts(with: other.prefix.utf8)
      {
        throw .ambiguousPrefix(kind.prefix, other: other.prefix)
      }
      if other.name == kind.name { throw .nameTaken(kind.name) }
    }
    guard kind.name != NotificationKind.unknown.name else { throw .nameTaken(kind.name) }
    kinds.append(kind)
  }

  /// The kind of an identifier; ``NotificationKind/unknown`` if no prefix matches.
  ///
  /// - Complexity: O(k) for k kinds.
  public func kind(ofIdentifier identifier: String) -> NotificationKind {
    kinds.first { identifier.utf8.starts(with: $0.prefix.utf8) } ?? .unknown
  }

  /// Reminders on the clocks of their kinds; those of kinds without one stay as they are.
  public func anchoring(_ reminders: [Reminder]) -> [Reminder] {
    reminders.map { reminder in
      var reminder = reminder
      if let anchor = kind(ofIdentifier: reminder.id).anchor { reminder.anchor = anchor }
      return reminder
    }
  }
}

extension KindRegistry: Codable {
  /// Reads a list of kinds; throws if ``register(_:)`` does.
  public init(from decoder: any Decoder) throws {
    try self.init(try [NotificationKind](from: decoder))
  }

  /// Writes the kinds in order of registration.
  public func encode(to encoder: any Encoder) throws { try kinds.encode(to: encoder) }
}

/// The reason a kind cannot be registered.
///
/// ``KindRegistry/register(_:)`` throws it and leaves the registry as it was.
public enum KindRegistryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The prefix is empty, so every identifier would match.
  case emptyPrefix(name: String)
  /// One prefix starts with the other.
  case ambiguousPrefix(String, other: String)
  /// Another kind has the same name.
  case nameTaken(String)
  /// The priority is not within 0...98.
  case priorityOutOfRange(name: String, priority: Int)

  /// The error as one sentence.
  public var description: String {
    switch self {
    case .emptyPrefix(let name): "the kind \"\(name)\" needs a prefix"
    case .ambiguousPrefix(let prefix, let other):
      "the prefixes \"\(prefix)\" and \"\(other)\" are ambiguous: one begins with the other"
    case .nameTaken(let name): "there is already a kind called \"\(name)\""
    case .priorityOutOfRange(let name, let priority):
      "the priority of the kind \"\(name)\" must be from 0 to 98, not \(priority)"
    }
  }
}

/// How often notifications of each kind were shown and tapped; used to adapt priorities.
///
/// The app records the counts. ``adapting(_:minimumObservations:)`` makes a registry from them.
public struct TapRates: Codable, Hashable, Sendable {
  /// What happened to the notifications of a kind.
  ///
  /// Both are 0 until something is recorded.
  public struct Counts: Codable, Hashable, Sendable {
    /// How many were shown.
    public internal(set) var shown = 0
    /// How many of them were tapped.
    public internal(set) var tapped = 0
  }

  /// What was recorded, by the name of the kind.
  public private(set) var counts: [String: Counts] = [:]

  /// Creates rates without a record.
  public init() {}

  /// Records how many notifications of a kind were shown, and how many of these were tapped.
  public mutating func record(kind: NotificationKind, shown: Int, tapped: Int) {
    counts[kind.name, default: Counts()].shown += shown
    counts[kind.name, default: Counts()].tapped += tapped
  }

  /// Adapts the priorities of kinds to their tap rates.
  ///
  /// A kind moves one step up if its whole 95 % Wilson interval is above the tap rate of all kinds,
  /// and one step down if it is below. It must have been shown at least `minimumObservations`
  /// times. User-set kinds stay at 0, and no other kind reaches 0.
  public func adapting(_ registry: KindRegistry, minimumObservations: Int = 50) -> KindRegistry {
    let known = registry.kinds.compactMap { counts[$0.name] }
    let shown = known.reduce(0) { $0 + $1.shown }
    guard shown > 0 else { return registry }
    let overall = Double(known.reduce(0) { $0 + $1.tapped }) / Double(shown)
    let kinds = registry.kinds.map { kind in
      guard kind.priority != NotificationKind.userSetPriority, let own = counts[kind.name],
        own.shown >= max(minimumObservations, 1)
      else { return kind }
      let interval = WilsonInterval(own.tapped, of: own.shown)
      var priority = kind.priority
      if interval.low > overall {
        priority = max(priority - 1, NotificationKind.userSetPriority + 1)
      } else if interval.high < overall {
        priority = min(priority + 1, NotificationKind.unknown.priority - 1)
      }
      return NotificationKind(
        name: kind.name, prefix: kind.prefix, priority: priority, anchor: kind.anchor)
    }
    return KindRegistry(unchecked: kinds)
  }
}

extension KindRegistry {
  fileprivate init(unchecked kinds: [NotificationKind]) { self.kinds = kinds }
}
