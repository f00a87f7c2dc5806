// The tutorial's adapter. Where the frameworks do not exist, StandIns.swift has what it needs of them.
#if canImport(UserNotifications)
  // sample: imports
  import CoreLocation
  import Foundation
  import FencepostGeodesy
  import FencepostNotifications
  import UserNotifications
// end
#else
  import Foundation
  import FencepostGeodesy
  import FencepostNotifications
#endif

// sample: adapter
struct AppleCentre: NotificationCentre {
  /// Receives a sentence for each pending request that cannot be read.
  var report: @Sendable (String) -> Void = { print($0) }

  func add(_ request: NotificationRequest) async throws {
    let content = UNMutableNotificationContent()
    content.title = request.content.title
    content.subtitle = request.content.subtitle
    content.body = request.content.body
    content.categoryIdentifier = request.content.category
    // Without it the phone stays silent.
    content.sound = .default
    // The request is read back from here.
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
    await UNUserNotificationCenter.current().pendingNotificationRequests().map(read)
  }

  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? {
    let start = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let shown = await UNUserNotificationCenter.current().deliveredNotifications()
    return Set(shown.filter { $0.date > start }.map(\.request.identifier))
  }

  private func read(_ held: UNNotificationRequest) -> NotificationRequest {
    if let data = held.content.userInfo["request"] as? Data {
      do {
        return try JSONDecoder().decode(NotificationRequest.self, from: data)
      } catch {
        // Another version of the app may have made it. The others count nevertheless; if it is one
        // of the scheduler's, the next update puts it right.
        report("the pending request \(held.identifier) cannot be read: \(error)")
      }
    }
    // Somebody else's: it counts against the limits and is left alone.
    return NotificationRequest(
      identifier: held.identifier, content: NotificationContent(title: held.content.title),
      trigger: AppleTrigger.foreign(held.trigger))
  }
}
// end

// sample: triggers
enum AppleTrigger {
  /// A stand-in for a foreign trigger: a circle counts against both limits, all else against one.
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
      return UNCalendarNotificationTrigger(
        dateMatching: components(of: pattern, anchor), repeats: repeats)
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

  private static func components(
    of pattern: CalendarPattern, _ anchor: ClockAnchor
  ) -> DateComponents {
    // The year 2026 never comes by the calendar of a phone that is set to the Buddhist one.
    var calendar = Calendar(identifier: .gregorian)
    var components = DateComponents()
    switch anchor {
    case .fixed(let zone):
      calendar.timeZone = zone.timeZone
      components.timeZone = zone.timeZone
    case .floating:
      // The phone's zone, wherever it is.
      calendar.timeZone = .autoupdatingCurrent
    }
    components.calendar = calendar
    (components.year, components.month, components.day) =
      (pattern.year, pattern.month, pattern.day)
    components.weekday = pattern.weekday?.rawValue
    (components.hour, components.minute, components.second) =
      (pattern.hour, pattern.minute, pattern.second)
    return components
  }
}
// end
