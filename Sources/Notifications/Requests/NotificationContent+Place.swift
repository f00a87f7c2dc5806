public import FencepostMonitoring

extension NotificationContent {
  /// A story's title and blurb; its id and address are in ``userInfo`` for when the notification is tapped.
  public init(_ story: Place) {
    var userInfo = ["story": story.id]
    if !story.url.isEmpty { userInfo["url"] = story.url }
    self.init(
      title: story.title.isEmpty ? story.id : story.title, body: story.blurb,
      category: story.category, userInfo: userInfo)
  }
}
