package import FencepostMonitoring
package import FencepostNotifications

/// All rules of a session, as a document that another program can keep.
///
/// ``Rule/path`` says where each rule stands in it.
package struct SessionRules: Codable, Sendable {
  private var monitoring = MonitoringOptions()
  private var alerts = AlertOptions()
  private var alertsOn = AlertTrigger.enter
  private var maxAccuracyMeters: Double?
  /// Whether to accept fixes at latitude and longitude 0.
  package var keepsNullIsland = false
  /// How late a fix may come and still be sorted in, in milliseconds; nil keeps arrival order.
  package var reorderMilliseconds: Int64?
  /// The zone of times that state none; nil for UTC.
  package var timeZone: ClockZone?
  /// The JSON of the phone's profile, which may change circles; nil without a phone.
  package var profile: String?

  /// Creates the default rules.
  package init() {}

  /// The rules as options of a session, without the properties beside it.
  package var session: TrackSessionOptions {
    get {
      var options = TrackSessionOptions()
      (options.monitoring, options.alerts, options.alertsOn) = (monitoring, alerts, alertsOn)
      options.maxAccuracyMeters = maxAccuracyMeters
      return options
    }
    set {
      (monitoring, alerts, alertsOn) = (newValue.monitoring, newValue.alerts, newValue.alertsOn)
      maxAccuracyMeters = newValue.maxAccuracyMeters
    }
  }
}

/// Time rules that are in effect but could not apply to entries without a time.
///
/// A message names them, so that a user knows why they had no effect.
package struct RulesWithoutTime: OptionSet, Hashable, Codable, Sendable, CustomStringConvertible {
  /// A bit for each rule; the set is coded as this number.
  package let rawValue: Int

  /// Creates a set from its bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The dates on which stories are published and expire.
  package static let dates = RulesWithoutTime(rawValue: 1)
  /// The quiet hours.
  package static let quietHours = RulesWithoutTime(rawValue: 2)
  /// The cooldown, if a story alerted more than once.
  package static let cooldown = RulesWithoutTime(rawValue: 4)

  /// The rules that apply to a place regardless of earlier alerts.
  package init(_ options: AlertOptions, place: Place) {
    self = []
    if options.dates != .ignored,
      place.publishedMilliseconds != nil || place.expiresMilliseconds != nil
    {
      insert(.dates)
    }
    if options.quietHours != nil { insert(.quietHours) }
  }

  /// The names of the rules, such as `the dates of stories and the cooldown`.
  package var description: String {
    let names = [
      (RulesWithoutTime.dates, "the dates of stories"), (.quietHours, "quiet hours"),
      (.cooldown, "the cooldown"),
    ].filter { contains($0.0) }.map { $0.1 }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
