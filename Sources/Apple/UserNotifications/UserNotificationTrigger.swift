#if canImport(UserNotifications) && !os(tvOS)
  import CoreLocation
  import FencepostGeodesy
  import FencepostNotifications
  import Foundation
  import UserNotifications

  /// A trigger that this system's notification centre does not have.
  public struct MissingTriggerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error as one sentence without a full stop.
    public var description: String { "this system shows no notification when a region is crossed" }

    init() {}
  }

  extension UNNotificationTrigger {
    /// Apple's trigger for one of ours; nil shows the notification at once.
    ///
    /// - Throws: ``MissingTriggerError`` for a region, except on iOS.
    static func make(_ trigger: NotificationTrigger) throws -> UNNotificationTrigger? {
      switch trigger {
      case .immediate: return nil
      case .interval(let interval):
        return UNTimeIntervalNotificationTrigger(
          timeInterval: Double(interval.milliseconds) / 1000, repeats: interval.repeats)
      case .calendar(let pattern, let repeats, let anchor):
        return UNCalendarNotificationTrigger(
          dateMatching: DateComponents(pattern, anchor), repeats: repeats)
      case .region(let circle): return try make(circle)
      }
    }

    private static func make(_ circle: RegionTrigger) throws -> UNNotificationTrigger {
      #if os(Linux) || (os(iOS) && !targetEnvironment(macCatalyst))
        let region = CLCircularRegion(
          center: CLLocationCoordinate2D(
            latitude: circle.latitudeDegrees, longitude: circle.longitudeDegrees),
          radius: circle.radiusMeters, identifier: UUID().uuidString)
        region.notifyOnEntry = circle.firesOnEntry
        region.notifyOnExit = circle.firesOnExit
        return UNLocationNotificationTrigger(region: region, repeats: circle.repeats)
      #else
        throw MissingTriggerError()
      #endif
    }
  }

  extension NotificationTrigger {
    /// A stand-in for a foreign trigger: a circle counts against both limits, all else against one.
    init(foreign trigger: UNNotificationTrigger?) {
      self = .immediate
      #if os(Linux) || (os(iOS) && !targetEnvironment(macCatalyst))
        guard let circle = (trigger as? UNLocationNotificationTrigger)?.region as? CLCircularRegion,
          let region = RegionTrigger(
            center: Coordinate(
              latitudeDegrees: circle.center.latitude, longitudeDegrees: circle.center.longitude),
            radiusMeters: circle.radius)
        else { return }
        self = .region(region)
      #endif
    }
  }

  extension DateComponents {
    fileprivate init(_ pattern: CalendarPattern, _ anchor: ClockAnchor) {
      // The year 2026 never comes by the calendar of a phone that is set to the Buddhist one.
      var calendar = Calendar(identifier: .gregorian)
      self.init()
      switch anchor {
      case .fixed(let zone):
        calendar.timeZone = zone.timeZone
        timeZone = zone.timeZone
      case .floating:
        // The phone's zone, wherever it is.
        calendar.timeZone = .autoupdatingCurrent
      }
      self.calendar = calendar
      (year, month, day) = (pattern.year, pattern.month, pattern.day)
      weekday = pattern.weekday?.rawValue
      (hour, minute, second) = (pattern.hour, pattern.minute, pattern.second)
    }
  }
#endif
