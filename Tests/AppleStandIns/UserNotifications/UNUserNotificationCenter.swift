// Apple documents its own names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocationStandIn
public import Foundation

open class UNNotificationRequest: NSObject {
  public let identifier: String
  public let content: UNNotificationContent
  public let trigger: UNNotificationTrigger?

  public init(
    identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
  }
}

open class UNNotification: NSObject {
  public let date: Date
  public let request: UNNotificationRequest

  fileprivate init(date: Date, request: UNNotificationRequest) {
    self.date = date
    self.request = request
  }
}

public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case denied = 1
  case authorized = 2
  case provisional = 3
  case ephemeral = 4
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
  public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
  public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
}

public enum UNNotificationSetting: Int, Sendable {
  case notSupported = 0
  case disabled = 1
  case enabled = 2
}

open class UNNotificationSettings: NSObject {
  public let authorizationStatus: UNAuthorizationStatus
  public let alertSetting: UNNotificationSetting

  fileprivate init(_ status: UNAuthorizationStatus, _ alerts: UNNotificationSetting) {
    authorizationStatus = status
    alertSetting = alerts
  }
}

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
  public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
  public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
  public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}

public protocol UNUserNotificationCenterDelegate: AnyObject {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler:
      @escaping (UNNotificationPresentationOptions) -> Void)
}

public struct UNError: LocalizedError, Sendable {
  public enum Code: Int, Sendable {
    case notificationsNotAllowed = 1
  }

  public let code: Code

  public var errorDescription: String? { "Notifications are not allowed for this application" }
}

/// Holds at most 64 requests, those that were added last, and shows at most two in one second.
///
/// It says nothing when it drops one. There is one for the process.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private static let shared = UNUserNotificationCenter()
  private let lock = NSLock()

  private struct Held {
    var request: UNNotificationRequest
    /// Nil for a region.
    var fires: Date?
  }

  private var held: [Held] = []
  private var displayed: [UNNotification] = []
  private var everShown: [UNNotification] = []
  private var settings = UNAuthorizationStatus.authorized
  private var alerts = UNNotificationSetting.enabled
  private var inFront = false
  private weak var presenter: (any UNUserNotificationCenterDelegate)?
  private var failures = 0
  private var most = 0
  private var dropped: [String] = []

  private override init() {
    super.init()
    SimulatedDevice.current.onTime { [weak self] in self?.advance(to: $0) }
  }

  open class func current() -> UNUserNotificationCenter { shared }

  open var delegate: (any UNUserNotificationCenterDelegate)? {
    get { lock.withLock { presenter } }
    set { lock.withLock { presenter = newValue } }
  }

  open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    lock.withLock {
      if settings == .notDetermined { settings = .authorized }
      return settings == .authorized
    }
  }

  open func notificationSettings() async -> UNNotificationSettings {
    lock.withLock { UNNotificationSettings(settings, alerts) }
  }

  open func add(_ request: UNNotificationRequest) async throws {
    let now = SimulatedDevice.current.now
    try lock.withLock {
      if failures > 0 || settings == .denied {
        failures = max(0, failures - 1)
        throw UNError(code: .notificationsNotAllowed)
      }
      held.removeAll { $0.request.identifier == request.identifier }
      let fires: Date?
      switch request.trigger {
      case nil: return show(request, at: now)
      case let trigger as UNTimeIntervalNotificationTrigger: fires = trigger.nextTriggerDate()
      case let trigger as UNCalendarNotificationTrigger: fires = trigger.nextTriggerDate()
      default: fires = nil
      }
      held.append(Held(request: request, fires: fires))
      while held.count > 64 { dropped.append(held.removeFirst().request.identifier) }
      most = max(most, held.count)
    }
  }

  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    lock.withLock { held.removeAll { identifiers.contains($0.request.identifier) } }
  }

  open func pendingNotificationRequests() async -> [UNNotificationRequest] {
    lock.withLock { held.map(\.request) }
  }

  open func deliveredNotifications() async -> [UNNotification] { lock.withLock { displayed } }

  private func advance(to date: Date) {
    lock.withLock {
      let due = held.filter { $0.fires.map { $0 <= date } ?? false }
      held.removeAll { $0.fires.map { $0 <= date } ?? false }
      for one in due.sorted(by: { ($0.fires ?? date) < ($1.fires ?? date) }) {
        show(one.request, at: one.fires ?? date)
        if let next = nextFire(of: one, after: date) {
          held.append(Held(request: one.request, fires: next))
        }
      }
    }
  }

  private func nextFire(of one: Held, after date: Date) -> Date? {
    guard let trigger = one.request.trigger, trigger.repeats else { return nil }
    switch trigger {
    case let interval as UNTimeIntervalNotificationTrigger:
      return date.addingTimeInterval(interval.timeInterval)
    case let calendar as UNCalendarNotificationTrigger:
      return calendar.nextDate(after: date, on: .current)
    default: return nil
    }
  }

  private func show(_ request: UNNotificationRequest, at date: Date) {
    let second = date.timeIntervalSince1970.rounded(.down)
    guard everShown.count(where: { $0.date.timeIntervalSince1970.rounded(.down) == second }) < 2
    else {
      dropped.append(request.identifier)
      return
    }
    let notification = UNNotification(date: date, request: request)
    if inFront {
      var options: UNNotificationPresentationOptions = []
      presenter?.userNotificationCenter(self, willPresent: notification) { options = $0 }
      guard options.contains(.banner) else { return }
    }
    displayed.removeAll { $0.request.identifier == request.identifier }
    displayed.append(notification)
    everShown.append(notification)
  }
}

// MARK: What only the simulation has

extension UNUserNotificationCenter {
  /// Everything that was shown, also what a later notification replaced, in order.
  package var shown: [UNNotification] { lock.withLock { everShown } }
  /// The identifiers of requests that were dropped without a word.
  package var lost: [String] { lock.withLock { dropped } }
  /// The most requests that were pending at a time.
  package var mostPending: Int { lock.withLock { most } }

  /// Shows a pending request.
  package func show(_ identifier: String, at date: Date) {
    lock.withLock {
      guard let index = held.firstIndex(where: { $0.request.identifier == identifier }) else {
        return
      }
      show(held.remove(at: index).request, at: date)
    }
  }

  /// Lets the next calls of `add` fail.
  package func fail(_ count: Int) { lock.withLock { failures = count } }

  /// Lets the user change what the app may do.
  package func permit(_ status: UNAuthorizationStatus) { lock.withLock { settings = status } }

  /// Lets the user change whether notifications are shown.
  package func permitAlerts(_ setting: UNNotificationSetting) { lock.withLock { alerts = setting } }

  /// Brings the app to the front: what is due is shown only if the app's delegate says so.
  package var isInFront: Bool {
    get { lock.withLock { inFront } }
    set { lock.withLock { inFront = newValue } }
  }

  /// Forgets everything.
  package func reset() {
    lock.withLock {
      (held, displayed, everShown, dropped) = ([], [], [], [])
      (settings, failures, most) = (.authorized, 0, 0)
      (alerts, inFront, presenter) = (.enabled, false, nil)
    }
  }
}
