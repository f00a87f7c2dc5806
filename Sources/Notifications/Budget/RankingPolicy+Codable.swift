extension RankingPolicy: Codable {
  private enum Named: Codable {
    case fireDateThenPriority, priorityThenFireDate
    case quotas(slots: [String: Int])
  }

  private enum Numbered: Codable {
    case quotas([String: Int])
  }

  /// Reads a policy, also as earlier versions wrote it, with `_0` for a name.
  public init(from decoder: any Decoder) throws {
    if case .quotas(let slots) = try? Numbered(from: decoder) {
      self = .quotas(slots)
      return
    }
    switch try Named(from: decoder) {
    case .fireDateThenPriority: self = .fireDateThenPriority
    case .priorityThenFireDate: self = .priorityThenFireDate
    case .quotas(let slots): self = .quotas(slots)
    }
  }

  /// Writes the policy.
  public func encode(to encoder: any Encoder) throws {
    let named: Named =
      switch self {
      case .fireDateThenPriority: .fireDateThenPriority
      case .priorityThenFireDate: .priorityThenFireDate
      case .quotas(let slots): .quotas(slots: slots)
      }
    try named.encode(to: encoder)
  }
}
