/// A problem that may prevent alerts.
///
/// ``StoryAlerts/onProblem`` receives it, and the watch goes on. The cases tell when Fencepost
/// tries again.
public enum PhoneProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The user has not been asked for the phone's position yet.
  case locationNotAsked
  /// The user denied access to the position.
  case locationDenied
  /// A restriction denies access to the position.
  case locationRestricted
  /// The position is available only while the app is in use.
  case locationOnlyInUse
  /// Positions are only approximate.
  case locationImprecise
  /// The phone does not report significant changes.
  case significantChangesUnavailable
  /// The phone cannot monitor regions.
  case regionsUnavailable
  /// Other parts of the app use all regions.
  case noRegionLeft(foreign: Int)
  /// A region is not monitored; Fencepost tries again at the next fix.
  case regionFailed(identifier: String?, reason: String)
  /// The phone could not determine its position.
  case locationFailed(reason: String)
  /// The user has not been asked for notifications yet.
  case notificationsNotAsked
  /// The user denied notifications.
  case notificationsDenied
  /// The user allows notifications but has turned off showing them.
  case notificationsHidden
  /// A pending notification cannot be read; it stays and counts toward the limits.
  case requestUnreadable(identifier: String, reason: String)
  /// A notification could not be requested; Fencepost tries again at the next event.
  case notificationFailed(reason: String)
  /// The stories around the phone could not be fetched; Fencepost tries again at the next fix.
  case storiesNotFetched(reason: String)
  /// The identifier of the background task is not in the app's `Info.plist`.
  case refreshNotAllowed
  /// The next run in the background could not be requested; the next launch tries again.
  case refreshNotSubmitted(reason: String)
  /// The saved state cannot be read, so past alerts are unknown.
  ///
  /// Nothing is saved until it can be read or `StoryAlerts.replaceUnreadableState()` is called.
  case stateNotLoaded(reason: String)
  /// The state cannot be saved; if the app ends now, alerts may be lost or repeated.
  case stateNotSaved(reason: String)

  /// A message for the user or the log, without a final period.
  public var description: String {
    switch self {
    case .locationNotAsked: "the user was not asked for the phone's location yet"
    case .locationDenied:
      "the user does not allow the app to know the phone's location; alerts cannot come"
    case .locationRestricted:
      "a restriction on this phone keeps the app from knowing its location; alerts cannot come"
    case .locationOnlyInUse:
      "the app may know the phone's location only while it is used; other alerts need Always"
    case .locationImprecise:
      "the app may know the phone's location only approximately; alerts need Precise Location"
    case .significantChangesUnavailable:
      "this phone does not report significant changes of location"
    case .regionsUnavailable: "this phone cannot monitor regions"
    case .noRegionLeft(let foreign):
      "other parts of the app monitor \(foreign) regions and leave none for stories"
    case .regionFailed(let identifier?, let reason):
      "the region \(identifier) is not monitored: \(reason); the next fix tries again"
    case .regionFailed(nil, let reason): "a region is not monitored: \(reason)"
    case .locationFailed(let reason): "the phone could not find its location: \(reason)"
    case .notificationsNotAsked: "the user was not asked whether notifications may be shown"
    case .notificationsDenied: "the user does not allow notifications; alerts are not shown"
    case .notificationsHidden:
      "the user has turned off alerts among the notification settings; alerts are not shown"
    case .requestUnreadable(let identifier, let reason):
      "the pending request \(identifier) cannot be read: \(reason)"
    case .notificationFailed(let reason):
      "a notification was not requested: \(reason); the next event tries again"
    case .storiesNotFetched(let reason):
      "the stories around the phone were not fetched: \(reason); the next fix tries again"
    case .refreshNotAllowed:
      "the background task is not allowed: Info.plist does not name its identifier under "
        + "BGTaskSchedulerPermittedIdentifiers"
    case .refreshNotSubmitted(let reason):
      "the app's next run in the background was not requested: \(reason)"
    case .stateNotLoaded(let reason): "the saved state cannot be read: \(reason)"
    case .stateNotSaved(let reason): "the state cannot be saved: \(reason)"
    }
  }
}
