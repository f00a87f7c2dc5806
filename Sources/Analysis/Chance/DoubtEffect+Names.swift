extension DoubtEffect: NamedCounts {
  package static let counts: [Count<Self>] = [
    ("trials", \.trials), ("lowAlerts", \.lowAlerts), ("alerts", \.alerts),
    ("highAlerts", \.highAlerts),
  ]
}
