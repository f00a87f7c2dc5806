extension EntryCounts: NamedCounts {
  package static let ofPhone: [Count<Self>] = [
    ("entries", \.entries), ("found", \.found), ("late", \.late), ("missed", \.missed),
    ("extra", \.extra), ("alerts", \.alerts), ("delayed", \.delayed),
  ]
  package static let ofOracle: [Count<Self>] = [
    ("oracleAlerts", \.oracleAlerts), ("foundAlerts", \.foundAlerts),
  ]
  package static let counts = ofPhone + ofOracle

  package static func += (counts: inout EntryCounts, other: EntryCounts) {
    counts.addCounts(of: other)
    counts.suppressed.merge(other.suppressed, uniquingKeysWith: +)
  }
}
