/// An app's kinds of notifications, found by the prefix of an identifier.
public struct KindRegistry: Hashable, Sendable {
  /// The registered kinds, in the order of registration.
  public private(set) var kinds: [NotificationKind]
  private var prefixes: [[UInt8]]

  /// A registry without kinds: every identifier is ``NotificationKind/unknown``.
  public init() {
    kinds = []
    prefixes = []
  }

  /// A registry of kinds.
  ///
  /// - Throws: ``KindRegistryError``, as ``register(_:)`` does.
  public init(_ kinds: [NotificationKind]) throws(KindRegistryError) {
    self.init()
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
    prefixes.append(Array(kind.prefix.utf8))
  }

  /// The kind of an identifier; ``NotificationKind/unknown`` if no prefix matches.
  public func kind(ofIdentifier identifier: String) -> NotificationKind {
    let index = prefixes.firstIndex { identifier.utf8.starts(with: $0) }
    return index.map { kinds[$0] } ?? .unknown
  }

  /// The same kinds, some with other priorities.
  func withPriorities(_ priorities: [String: Int]) -> KindRegistry {
    var copy = self
    copy.kinds = kinds.map {
      NotificationKind(
        name: $0.name, prefix: $0.prefix, priority: priorities[$0.name] ?? $0.priority)
    }
    return copy
  }
}

extension KindRegistry: Codable {
  /// Reads a list of kinds; fails if ``register(_:)`` does.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode([NotificationKind].self))
  }

  /// Writes the kinds in the order of registration.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(kinds)
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
