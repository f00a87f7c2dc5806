import FencepostApple

/// The rules by which the app alerts.
public func storyRules() -> StoryAlerts.Options {
  var rules = StoryAlerts.Options()
  rules.watch.monitoring.limit = 20
  rules.watch.monitoring.significantChangeMeters = 500
  return rules
}
