import FencepostMonitoring

/// A kind of notification, recognised by the prefix of its identifiers.
public struct NotificationKind: Hashable, Codable, Sendable {
  /// The name in reports, such as `habit`.
  public let name: String
  /// The beginning of its identifiers, such as `habit.`.
  public let prefix: String
  /// The importance; lower numbers are more important.
  public let priority: Int

  /// Makes a kind of its parts.
  public init(name: String, prefix: String, priority: Int) {
    self.name = name
    self.prefix = prefix
    self.priority = priority
  }

  /// For notifications that a user has set up: dropping them breaks trust.
  public static let userSetPriority = 0
  /// For notifications that keep new users.
  public static let retentionPriority = 1
  /// For notifications that keep users active.
  public static let engagementPriority = 2
  /// For notifications that bring users back.
  public static let reengagementPriority = 3

  /// The kind of identifiers without a registered prefix, less important than any other.
  public static let unknown = NotificationKind(name: "unknown", prefix: "", priority: 99)
}

/// An app's kinds of notifications, found by the prefix of an identifier.
public struct KindRegistry: Hashable, Sendable {
  /// The registered kinds, in the order of registration.
  public private(set) var kinds: [NotificationKind] = []

  /// A registry of kinds; without any, every identifier is ``NotificationKind/unknown``.
  public init() {}

  /// A registry of kinds.
  ///
  /// - Throws: ``KindRegistryError``, as ``register(_:)`` does.
  public init(_ kinds: [NotificationKind]) throws(KindRegistryError) {
    for kind in kinds { try register(kind) }
  }

  /// Adds a kind.
  ///
  /// - Throws: ``KindRegistryError`` if its prefix is empty, or it or another kind's begins with the
  ///   other; or if its name is taken or its priority is not within 0...98.
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
  public func kind(ofIdentifier identifier: String) -> NotificationKind {
    kinds.first { identifier.utf8.starts(with: $0.prefix.utf8) } ?? .unknown
  }
}

extension KindRegistry: Codable {
  /// Reads a list of kinds; fails if ``register(_:)`` does.
  public init(from decoder: any Decoder) throws {
    try self.init(try [NotificationKind](from: decoder))
  }

  /// Writes the kinds in the order of registration.
  public func encode(to encoder: any Encoder) throws {
    try kinds.encode(to: encoder)
  }
}

/// Why a kind cannot be registered.
public enum KindRegistryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Every identifier begins with an empty prefix.
  case emptyPrefix(name: String)
  /// One of the two prefixes begins with the other.
  case ambiguousPrefix(String, other: String)
  /// Two kinds would have one name.
  case nameTaken(String)
  /// A priority that is not within 0...98.
  case priorityOutOfRange(name: String, priority: Int)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .emptyPrefix(let name): "the kind \"\(name)\" needs a prefix"
    case .ambiguousPrefix(let prefix, let other):
      "the prefixes \"\(prefix)\" and \"\(other)\" are ambiguous: one begins with the other"
    case .nameTaken(let name): "there is already a kind called \"\(name)\""
    case .priorityOutOfRange(let name, let priority):
      "the priority \(priority) of the kind \"\(name)\" is not within 0 and 98"
    }
  }
}

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
    return registry.withPriorities { kind in
      guard kind.priority != NotificationKind.userSetPriority, let own = counts[kind.name],
        own.shown >= max(minimumObservations, 1)
      else { return kind.priority }
      let interval = WilsonInterval(own.tapped, of: own.shown)
      if interval.low > overall {
        return max(kind.priority - 1, NotificationKind.userSetPriority + 1)
      }
      let isLower = interval.high < overall
      return isLower ? min(kind.priority + 1, NotificationKind.unknown.priority - 1) : kind.priority
    }
  }
}

extension KindRegistry {
  /// The same kinds with other priorities.
  fileprivate func withPriorities(_ priority: (NotificationKind) -> Int) -> KindRegistry {
    var copy = self
    copy.kinds = kinds.map {
      NotificationKind(name: $0.name, prefix: $0.prefix, priority: priority($0))
    }
    return copy
  }
}
