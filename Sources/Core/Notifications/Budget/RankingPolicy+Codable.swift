import FencepostMonitoring

extension RankingPolicy: Codable {
  /// Reads a policy.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedCase(from: decoder)
    switch coded.name {
    case "fireDateThenPriority": self = .fireDateThenPriority
    case "priorityThenFireDate": self = .priorityThenFireDate
    case "quotas": self = .quotas(try coded.part("slots"))
    default: throw coded.unknown
    }
  }

  /// Writes the policy.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .fireDateThenPriority: try encoder.encode(case: "fireDateThenPriority")
    case .priorityThenFireDate: try encoder.encode(case: "priorityThenFireDate")
    case .quotas(let slots): try encoder.encode(case: "quotas", ["slots": slots])
    }
  }
}
