#if STAND_INS || canImport(UserNotifications) && !os(tvOS)
import FencepostGeodesy
public import FencepostNotifications
public import Foundation

#if STAND_INS
import CoreLocationStandIn
import UserNotificationsStandIn
#else
import CoreLocation
import UserNotifications
#endif

/// Apple's notification center, for use by a `NotificationScheduler`.
///
/// Each notification stores its request, which is read back exactly. Notifications of other parts
/// of the app are read with the date on which they fire next, count toward the limits and are
/// never rewritten. Unreadable ones, made by another version of the app, are reported, and the
/// scheduler replaces its own.
public struct UserNotificationCenter: PhoneNotificationCenter {
  private let report: @Sendable (PhoneProblem) -> Void

  /// The key in a notification's `userInfo` for the request, as JSON.
  private static let requestKey = "fencepost.request"

  /// Creates a notification center.
  ///
  /// Call this before the app finishes launching, and after setting your own delegate, if any.
  ///
  /// - Parameters:
  ///   - showsInFront: Shows notifications while the app is in front, unless it has a delegate.
  ///   - report: Receives each pending request that cannot be read.
  public init(
    showsInFront: Bool = true,
    report: @escaping @Sendable (PhoneProblem) -> Void = { problem in print(problem) }
  ) {
    self.report = report
    if showsInFront, system.delegate == nil { system.delegate = InFrontDelegate.shared }
  }

  private var system: UNUserNotificationCenter { .current() }

  /// Asks the user to allow notifications, and returns whether they did.
  public func requestPermission() async throws -> Bool {
    try await system.requestAuthorization(options: [.alert, .sound, .badge])
  }

  /// The reason why notifications are not shown; nil if they are.
  public func permissionProblem() async -> PhoneProblem? {
    let settings = await system.notificationSettings()
    return switch settings.authorizationStatus {
    case .notDetermined: .notificationsNotAsked
    case .denied: .notificationsDenied
    default: settings.alertSetting == .disabled ? .notificationsHidden : nil
    }
  }

  /// Ranks all pending notifications, including those of other code, and removes what does not fit.
  ///
  /// Call this once, after everything in your app that adds notifications, if the app has no
  /// `NotificationScheduler`. The system counts an interval anew whenever it is asked for its
  /// date, so requests with intervals rank a little too low.
  ///
  /// - Returns: The plan: what stays is scheduled, and what was removed is waiting or purged.
  @discardableResult
  public func enforce(
    _ budget: NotificationBudget, at now: Date = Date(), zone: TimeZone = .current
  ) async throws -> BudgetPlan {
    try await enforce(
      budget, nowMilliseconds: now.millisecondsSince1970, zone: ClockZone(zone))
  }

  /// Adds a request, replacing a pending one with the same identifier.
  ///
  /// - Throws: The system's error, or `MissingTriggerError` for a region, except on iOS.
  public func add(_ request: NotificationRequest) async throws {
    let content = UNMutableNotificationContent(request.content)
    content.userInfo[Self.requestKey] = try JSONEncoder().encode(request)
    try await system.add(
      UNNotificationRequest(
        identifier: request.identifier, content: content,
        trigger: try UNNotificationTrigger.make(request.trigger)))
  }

  /// Removes pending requests; identifiers that are not pending are ignored.
  public func remove(identifiers: [String]) async throws {
    system.removePendingNotificationRequests(withIdentifiers: identifiers)
  }

  /// Returns all pending requests of the app.
  public func pending() async throws -> [NotificationRequest] {
    await system.pendingNotificationRequests().map(read)
  }

  /// Returns the identifiers of notifications shown since an instant and not cleared by the user.
  public func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? {
    let start = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let shown = await system.deliveredNotifications()
    return Set(shown.filter { $0.date > start }.map(\.request.identifier))
  }

  private func read(_ held: UNNotificationRequest) -> NotificationRequest {
    if let data = held.content.userInfo[Self.requestKey] as? Data {
      do {
        return try JSONDecoder().decode(NotificationRequest.self, from: data)
      } catch {
        report(.requestUnreadable(identifier: held.identifier, reason: "\(error)"))
      }
    }
    return NotificationRequest(
      identifier: held.identifier, content: NotificationContent(title: held.content.title),
      trigger: NotificationTrigger(foreign: held.trigger))
  }
}

/// Shows notifications while the app is in front; shared because the system's reference is weak.
private final class InFrontDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
  static let shared = InFrontDelegate()

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler:
      @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([.list, .banner, .sound, .badge])
  }
}

extension UNMutableNotificationContent {
  fileprivate convenience init(_ content: NotificationContent) {
    self.init()
    title = content.title
    subtitle = content.subtitle
    body = content.body
    categoryIdentifier = content.category
    threadIdentifier = content.thread
    badge = content.badge.map { NSNumber(value: $0) }
    sound = content.sound.map(UNNotificationSound.make)
    interruptionLevel =
      switch content.interruptionLevel {
      case .passive: .passive
      case .active: .active
      case .timeSensitive: .timeSensitive
      case .critical: .critical
      }
    userInfo = content.userInfo
  }
}

extension UNNotificationSound {
  fileprivate static func make(_ sound: NotificationContent.Sound) -> UNNotificationSound {
    switch sound {
    case .standard: .default
    case .named(let name):
      #if os(watchOS)
      .default
      #else
      UNNotificationSound(named: UNNotificationSoundName(rawValue: name))
      #endif
    }
  }
}

extension UNNotificationTrigger {
  /// Returns the equivalent Apple trigger; nil to show the notification at once.
  static func make(_ trigger: NotificationTrigger) throws -> UNNotificationTrigger? {
    switch trigger {
    case .immediate: return nil
    case .interval(let interval):
      return UNTimeIntervalNotificationTrigger(
        timeInterval: Double(interval.milliseconds) / 1000, repeats: interval.repeats)
    case .calendar(let pattern, let repeats, let anchor):
      return UNCalendarNotificationTrigger(
        dateMatching: DateComponents(pattern, anchor), repeats: repeats)
    case .region(let circle):
      #if os(Linux) || (os(iOS) && !targetEnvironment(macCatalyst))
      let region = CLCircularRegion(
        center: CLLocationCoordinate2D(circle.center), radius: circle.radiusMeters,
        identifier: UUID().uuidString)
      region.notifyOnEntry = circle.firesOnEntry
      region.notifyOnExit = circle.firesOnExit
      return UNLocationNotificationTrigger(region: region, repeats: circle.repeats)
      #else
      throw MissingTriggerError()
      #endif
    }
  }
}

extension NotificationTrigger {
  /// Creates a trigger that fires when another owner's does next.
  init(foreign trigger: UNNotificationTrigger?) {
    self = .immediate
    switch trigger {
    case let trigger as UNCalendarNotificationTrigger: self.init(next: trigger.nextTriggerDate())
    case let trigger as UNTimeIntervalNotificationTrigger:
      self.init(next: trigger.nextTriggerDate())
    #if os(Linux) || (os(iOS) && !targetEnvironment(macCatalyst))
    case let trigger as UNLocationNotificationTrigger:
      guard let circle = trigger.region as? CLCircularRegion,
        let region = RegionTrigger(
          center: Coordinate(circle.center), radiusMeters: circle.radius,
          firesOnEntry: circle.notifyOnEntry, firesOnExit: circle.notifyOnExit,
          repeats: trigger.repeats)
      else { return }
      self = .region(region)
    #endif
    default: break
    }
  }

  /// A trigger for a date; without one it never fires again.
  private init(next date: Date?) {
    self = .at(milliseconds: date?.millisecondsSince1970 ?? 0)
  }
}

extension DateComponents {
  fileprivate init(_ pattern: CalendarPattern, _ anchor: ClockAnchor) {
    // With the Buddhist calendar, the year 2026 is in the past.
    var calendar = Calendar(identifier: .gregorian)
    self.init()
    switch anchor {
    case .fixed(let zone):
      calendar.timeZone = zone.timeZone
      timeZone = zone.timeZone
    case .floating:
      // The phone's own time zone, wherever it travels; an archive of it reads as its reader's.
      calendar.timeZone = .autoupdatingCurrent
    }
    self.calendar = calendar
    (year, month, day) = (pattern.year, pattern.month, pattern.day)
    weekday = pattern.weekday?.rawValue
    (hour, minute, second) = (pattern.hour, pattern.minute, pattern.second)
  }
}

extension ClockZone {
  /// Foundation's zone of the same name or offset.
  fileprivate var timeZone: TimeZone {
    TimeZone(identifier: identifier)
      ?? TimeZone(secondsFromGMT: Int(offsetSeconds(atMilliseconds: 0))) ?? .gmt
  }
}
#endif
