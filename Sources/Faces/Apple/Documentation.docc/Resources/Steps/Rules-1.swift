import FencepostApple

/// The rules by which the app alerts.
public func storyRules() -> StoryAlertsOptions {
  var rules = StoryAlertsOptions()
  rules.watch.alerts.maxAlertSpeedMetersPerSecond = 15
  rules.content = { entry in
    var content = NotificationContent(entry.story)
    content.subtitle = entry.story.category
    content.sound = entry.story.priority == 0 ? .standard : nil
    return content
  }
  return rules
}
