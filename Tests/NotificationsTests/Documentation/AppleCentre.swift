// The tutorial's adapter. It is compiled where the framework exists.
#if canImport(UserNotifications)
  // sample: adapter
  import CoreLocation
  import Foundation
  import Geodesy
  import Notifications
  import UserNotifications

  struct AppleCentre: NotificationCentre {
    func add(_ request: NotificationRequest) async throws {
      let content = UNMutableNotificationContent()
      content.title = request.content.title
      content.subtitle = request.content.subtitle
      content.body = request.content.body
      content.categoryIdentifier = request.content.category
      // What is pending is read back from here, complete.
      content.userInfo["request"] = try JSONEncoder().encode(request)
      let trigger = AppleTrigger.make(of: request.trigger)
      try await UNUserNotificationCenter.current().add(
        UNNotificationRequest(
          identifier: request.identifier, content: content, trigger: trigger))
    }

    func remove(identifiers: [String]) async throws {
      UNUserNotificationCenter.current()
        .removePendingNotificationRequests(withIdentifiers: identifiers)
    }

    func pending() async throws -> [NotificationRequest] {
      try await UNUserNotificationCenter.current().pendingNotificationRequests().map { held in
        guard let data = held.content.userInfo["request"] as? Data else {
          // Somebody else's: it counts against the limits and is left alone.
          return NotificationRequest(
            identifier: held.identifier, content: NotificationContent(title: held.content.title),
            trigger: AppleTrigger.foreign(held.trigger))
        }
        return try JSONDecoder().decode(NotificationRequest.self, from: data)
      }
    }
  }

  enum AppleTrigger {
    /// What a trigger of others counts as: a circle against both limits, all else against one.
    static func foreign(_ trigger: UNNotificationTrigger?) -> NotificationTrigger {
      guard let circle = (trigger as? UNLocationNotificationTrigger)?.region as? CLCircularRegion,
        let region = RegionTrigger(
          center: Coordinate(
            latitudeDegrees: circle.center.latitude, longitudeDegrees: circle.center.longitude),
          radiusMeters: circle.radius)
      else { return .immediate }
      return .region(region)
    }

    static func make(of trigger: NotificationTrigger) -> UNNotificationTrigger? {
      switch trigger {
      case .immediate:
        return nil
      case .interval(let interval):
        return UNTimeIntervalNotificationTrigger(
          timeInterval: Double(interval.milliseconds) / 1000, repeats: interval.repeats)
      case .calendar(let pattern, let repeats, let anchor):
        var components = DateComponents()
        (components.year, components.month, components.day) =
          (pattern.year, pattern.month, pattern.day)
        components.weekday = pattern.weekday?.rawValue
        (components.hour, components.minute, components.second) =
          (pattern.hour, pattern.minute, pattern.second)
        // Without a zone the phone takes its own, wherever it is.
        if case .fixed(let zone) = anchor {
          components.timeZone = zone.timeZone
        }
        return UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats)
      case .region(let circle):
        let region = CLCircularRegion(
          center: CLLocationCoordinate2D(
            latitude: circle.latitudeDegrees, longitude: circle.longitudeDegrees),
          radius: circle.radiusMeters, identifier: UUID().uuidString)
        region.notifyOnEntry = circle.firesOnEntry
        region.notifyOnExit = circle.firesOnExit
        return UNLocationNotificationTrigger(region: region, repeats: circle.repeats)
      }
    }
  }
// end
#endif
