// Stand-ins for the parts of Apple's frameworks that the tutorial's adapter uses.
#if !canImport(UserNotifications)
  import Foundation
  import Synchronization

  class UNNotificationContent: @unchecked Sendable {
    var title = ""
    var subtitle = ""
    var body = ""
    var categoryIdentifier = ""
    var sound: UNNotificationSound?
    var userInfo: [AnyHashable: Any] = [:]
  }

  final class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {}

  struct UNNotificationSound: Sendable {
    static let `default` = UNNotificationSound()
  }

  class UNNotificationTrigger: @unchecked Sendable {
    let repeats: Bool

    init(repeats: Bool) {
      self.repeats = repeats
    }
  }

  final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    let timeInterval: Double

    init(timeInterval: Double, repeats: Bool) {
      self.timeInterval = timeInterval
      super.init(repeats: repeats)
    }
  }

  final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    let dateComponents: DateComponents

    init(dateMatching components: DateComponents, repeats: Bool) {
      dateComponents = components
      super.init(repeats: repeats)
    }

    /// When it fires on a phone that is set to a calendar: the components' own comes first.
    func nextDate(after date: Date, on phone: Calendar) -> Date? {
      let calendar = dateComponents.calendar ?? phone
      var components = dateComponents
      components.calendar = nil
      components.timeZone = nil
      return calendar.nextDate(after: date, matching: components, matchingPolicy: .nextTime)
    }
  }

  final class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    let region: CLRegion

    init(region: CLRegion, repeats: Bool) {
      self.region = region
      super.init(repeats: repeats)
    }
  }

  class CLRegion: @unchecked Sendable {
    var notifyOnEntry = true
    var notifyOnExit = true
  }

  struct CLLocationCoordinate2D: Sendable {
    var latitude: Double
    var longitude: Double
  }

  final class CLCircularRegion: CLRegion, @unchecked Sendable {
    let center: CLLocationCoordinate2D
    let radius: Double

    init(center: CLLocationCoordinate2D, radius: Double, identifier: String) {
      self.center = center
      self.radius = radius
    }
  }

  final class UNNotificationRequest: @unchecked Sendable {
    let identifier: String
    let content: UNNotificationContent
    let trigger: UNNotificationTrigger?

    init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
      self.identifier = identifier
      self.content = content
      self.trigger = trigger
    }
  }

  struct UNNotification: Sendable {
    var date: Date
    var request: UNNotificationRequest
  }

  /// One for the whole process, as the real one is.
  final class UNUserNotificationCenter: Sendable {
    private static let shared = UNUserNotificationCenter()
    private let held = Mutex<[UNNotificationRequest]>([])
    private let shown = Mutex<[UNNotification]>([])

    static func current() -> UNUserNotificationCenter { shared }

    func add(_ request: UNNotificationRequest) async throws {
      held.withLock { held in
        held.removeAll { $0.identifier == request.identifier }
        held.append(request)
      }
    }

    func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
      held.withLock { $0.removeAll { identifiers.contains($0.identifier) } }
    }

    func pendingNotificationRequests() async -> [UNNotificationRequest] { held.withLock { $0 } }

    func deliveredNotifications() async -> [UNNotification] { shown.withLock { $0 } }

    /// Shows a pending request.
    func show(_ identifier: String, at date: Date) {
      let request = held.withLock { held in
        held.firstIndex { $0.identifier == identifier }.map { held.remove(at: $0) }
      }
      guard let request else { return }
      shown.withLock { $0.append(UNNotification(date: date, request: request)) }
    }

    func reset() {
      held.withLock { $0 = [] }
      shown.withLock { $0 = [] }
    }
  }
#endif
