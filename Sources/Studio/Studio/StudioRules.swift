import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// The part of a session's rules that the studio's page can change, as it travels.
struct StudioRules: Codable, Equatable, Sendable {
  /// How many places are monitored at a time; nil for all.
  var limit: Int?
  /// The significant change in metres.
  var distance: Double
  /// `center` or `edge`.
  var rank: String
  /// `fixed` or `adaptive`.
  var refresh: String
  /// `silent` or `enter`.
  var initial: String
  /// The exit margin in metres.
  var margin: Double
  /// The cool-down in seconds, `none` or `forever`.
  var cooldown: String
  /// The quiet hours as `22:00-07:00`; empty for none.
  var quiet: String
  /// Whose clock the quiet hours mean.
  var zone: String
  /// The speed in metres a second above which nothing alerts; nil for none.
  var speed: Double?

  /// Why rules cannot be followed: a sentence without a full stop.
  struct Fault: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// The rules of a session.
  init(_ session: TrackSession.Options, zone: ClockZone) {
    let rule = session.monitoring
    limit = rule.limit
    distance = rule.significantChangeMeters
    rank = rule.rank.rawValue
    refresh = rule.refresh.rawValue
    initial = rule.initial.rawValue
    margin = rule.exitMarginMeters
    cooldown =
      switch session.alerts.cooldown {
      case .none: "none"
      case .forever: "forever"
      case .seconds(let seconds): String(seconds)
      }
    quiet = session.alerts.quietHours.map { Self.text($0.start) + "-" + Self.text($0.end) } ?? ""
    self.zone = (session.alerts.quietHours?.zone ?? zone).identifier
    speed = session.alerts.maxAlertSpeedMetersPerSecond
  }

  /// A time of day as options take it.
  static func text(_ time: TimeOfDay) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(two(time.hour)):\(two(time.minute))"
    return time.second == 0 ? text : "\(text):\(two(time.second))"
  }

  /// The session with these rules; whatever they do not tell stays as it is.
  ///
  /// - Throws: ``Fault`` for the first rule that makes no sense.
  func applied(to session: TrackSession.Options) throws(Fault) -> TrackSession.Options {
    var session = session
    try apply(to: &session.monitoring)
    try apply(to: &session.alerts)
    return session
  }

  private func apply(to rule: inout MonitoringOptions) throws(Fault) {
    if let limit, limit < 1 { throw Fault(description: "the limit is at least 1") }
    if limit == 1, rule.hasTripwire {
      throw Fault(description: "the tripwire takes the only place, so that nothing is monitored")
    }
    guard distance >= 0, distance <= 21_000_000 else {
      throw Fault(description: "the distance is from 0 to 21,000 km")
    }
    guard margin >= 0, margin <= 21_000_000 else {
      throw Fault(description: "the exit margin is from 0 to 21,000 km")
    }
    guard let rank = MonitoringOptions.Rank(rawValue: rank),
      let refresh = MonitoringOptions.RefreshRule(rawValue: refresh),
      let initial = MonitoringOptions.InitialState(rawValue: initial)
    else { throw Fault(description: "a rule has a word that is unknown here") }
    rule.limit = limit
    rule.significantChangeMeters = distance
    rule.rank = rank
    rule.refresh = refresh
    rule.initial = initial
    rule.exitMarginMeters = margin
  }

  private func apply(to alerts: inout AlertPolicy.Options) throws(Fault) {
    switch cooldown {
    case "none": alerts.cooldown = .none
    case "forever": alerts.cooldown = .forever
    default:
      guard let seconds = Int64(cooldown), seconds >= 0, seconds <= 1_000_000_000_000 else {
        throw Fault(description: "the cool-down is a number of seconds, none or forever")
      }
      alerts.cooldown = .seconds(seconds)
    }
    if let speed, !(speed >= 0 && speed.isFinite) {
      throw Fault(description: "the speed of the driving gate is 0 or more")
    }
    alerts.maxAlertSpeedMetersPerSecond = speed
    alerts.quietHours = try quietHours()
  }

  private func quietHours() throws(Fault) -> QuietHours? {
    guard !quiet.isEmpty else { return nil }
    let parts = quiet.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = TimeOfDay(String(parts[0])),
      let end = TimeOfDay(String(parts[1]))
    else { throw Fault(description: "quiet hours are two times of day, such as 22:00-07:00") }
    guard let zone = ClockZone(identifier: zone) else {
      throw Fault(description: "‘\(zone)’ is no time zone")
    }
    guard let hours = QuietHours(start: start, end: end, zone: zone) else {
      throw Fault(description: "quiet hours end at another time than they start")
    }
    return hours
  }
}
