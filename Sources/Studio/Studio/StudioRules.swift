import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// What the studio's page can change of a session's rules, and the phone that is simulated, as it travels.
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
  /// The least time between two refreshes in seconds.
  var interval: Double
  /// How long the path must stay on the new side before a crossing counts, in seconds.
  var hold: Double
  /// How many fixes must lie on the new side, at least 1; 1 for none.
  var fixes: Int
  /// How long a stay lasts before it is a dwell, in seconds; nil for no dwells.
  var dwell: Double?
  /// `enter`, `dwell` or `exit`.
  var alertOn: String
  /// `path` or `fixes`.
  var test: String
  /// `ignore`, `contains` or `intersects`; counts only where fixes are tested.
  var accuracy: String
  /// The cool-down in seconds, `none` or `forever`.
  var cooldown: String
  /// The quiet hours as `22:00-07:00`; empty for none.
  var quiet: String
  /// Whose clock the quiet hours mean.
  var zone: String
  /// The speed in metres a second above which nothing alerts; nil for none.
  var speed: Double?
  /// The phone or engine, by the word that names it on the command line; empty for none.
  var profile: String
  /// How often each track is run on the simulated phone, 1 … 100,000.
  var trials: Int
  /// What its random numbers are made from.
  var seed: Int

  /// Why rules cannot be followed: a sentence without a full stop.
  struct Fault: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// The rules of a session.
  init(_ setting: StudioSetting, zone: ClockZone) {
    let session = setting.session
    let rule = session.monitoring
    limit = rule.limit
    distance = rule.significantChangeMeters
    rank = rule.rank.rawValue
    refresh = rule.refresh.rawValue
    initial = rule.initial.rawValue
    margin = rule.exitMarginMeters
    interval = Double(rule.minIntervalMilliseconds) / 1000
    hold = Double(rule.confirmation.holdMilliseconds) / 1000
    fixes = rule.confirmation.fixes ?? 1
    dwell = rule.confirmation.dwellMilliseconds.map { Double($0) / 1000 }
    alertOn = session.alertsOn.rawValue
    test = rule.test.rawValue
    accuracy = rule.accuracy.rawValue
    (profile, trials, seed) = (setting.profile ?? "", setting.trials, setting.seed)
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
    try applyConfirmation(to: &session)
    try apply(to: &session.alerts)
    return session
  }

  /// The session with these rules, and the phone among those of a scene.
  ///
  /// - Throws: ``Fault`` for the first rule that makes no sense.
  func setting(in scene: StudioScene) throws(Fault) -> StudioSetting {
    var setting = StudioSetting(session: try applied(to: scene.setting.session))
    guard (1...100_000).contains(trials) else {
      throw Fault(description: "the trials are from 1 to 100,000")
    }
    guard seed >= 0 else { throw Fault(description: "the seed is 0 or more") }
    (setting.trials, setting.seed) = (trials, seed)
    guard !profile.isEmpty else { return setting }
    guard let phone = scene.phones.first(where: { $0.word == profile }) else {
      let words = scene.phones.map(\.word).joined(separator: ", ")
      throw Fault(description: "there is no profile ‘\(profile)’ here; the profiles are \(words)")
    }
    (setting.profile, setting.phone) = (phone.word, PhoneRules(phone.profile))
    return setting
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
    rule.minIntervalMilliseconds = try Self.milliseconds(
      interval, "the least time between refreshes")
  }

  private func applyConfirmation(to session: inout TrackSession.Options) throws(Fault) {
    guard let test = SideTest(rawValue: test), let accuracy = AccuracyRule(rawValue: accuracy),
      let trigger = AlertTrigger(rawValue: alertOn)
    else { throw Fault(description: "a rule has a word that is unknown here") }
    guard fixes >= 1 else { throw Fault(description: "the fixes that confirm are at least 1") }
    guard trigger != .dwell || dwell != nil else {
      throw Fault(description: "an alert on a dwell needs to know how long a dwell is")
    }
    session.alertsOn = trigger
    session.monitoring.test = test
    // A path has no accuracy.
    session.monitoring.accuracy = test == .fixes ? accuracy : .ignore
    session.monitoring.confirmation.holdMilliseconds = try Self.milliseconds(hold, "the hold")
    session.monitoring.confirmation.fixes = fixes > 1 ? fixes : nil
    session.monitoring.confirmation.dwellMilliseconds = nil
    if let dwell {
      session.monitoring.confirmation.dwellMilliseconds = try Self.milliseconds(dwell, "the dwell")
    }
  }

  private static func milliseconds(_ seconds: Double, _ name: String) throws(Fault) -> Int64 {
    guard seconds >= 0, seconds <= 1_000_000_000 else {
      throw Fault(description: "\(name) is from 0 to 1,000,000,000 s")
    }
    return Int64((seconds * 1000).rounded())
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
