import FencepostMonitoring
import FencepostNotifications

/// All rules of a session, as a document that another program can keep.
package struct SessionRules: Codable, Sendable {
  private var monitoring = MonitoringOptions()
  private var alerts = AlertPolicy.Options()
  private var alertsOn = AlertTrigger.enter
  /// Whether to accept fixes at latitude and longitude 0.
  package var keepsNullIsland = false
  /// How late a fix may come and still be sorted in, in milliseconds; nil keeps arrival order.
  package var reorderMilliseconds: Int64?
  /// The JSON of the phone's profile, which may change circles; nil without a phone.
  package var profile: String?

  /// Creates the default rules.
  package init() {}

  /// The rules of a session.
  package var session: TrackSession.Options {
    get {
      var options = TrackSession.Options()
      (options.monitoring, options.alerts, options.alertsOn) = (monitoring, alerts, alertsOn)
      return options
    }
    set {
      (monitoring, alerts, alertsOn) = (newValue.monitoring, newValue.alerts, newValue.alertsOn)
    }
  }
}

extension AlertTrigger: Codable {}
