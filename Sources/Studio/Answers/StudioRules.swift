import Fencepost
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting

/// The rules that the studio's page can change, and the simulated phone, as the page sends them.
struct StudioRules: Equatable, Sendable {
  /// How many places are monitored at a time; nil for all.
  var limit: Int?
  /// The significant change in meters.
  var distance: Double
  /// `center` or `edge`.
  var rank: String
  /// `fixed` or `adaptive`.
  var refresh: String
  /// `silent` or `enter`.
  var initial: String
  /// The exit margin in meters.
  var margin: Double
  /// The minimum time between two refreshes in seconds.
  var interval: Double
  /// How long the path must stay on the new side before a crossing counts, in seconds.
  var hold: Double
  /// How many fixes must lie on the new side; 1 requires no confirmation.
  var fixes: Int
  /// How long a stay lasts before it is a dwell, in seconds; nil for no dwells.
  var dwell: Double?
  /// `enter`, `dwell` or `exit`.
  var alertOn: String
  /// `path` or `fixes`.
  var test: String
  /// `ignore`, `contains` or `intersects`; applies only if fixes are tested.
  var accuracy: String
  /// The cool-down in seconds, `none` or `forever`.
  var cooldown: String
  /// The quiet hours as `22:00-07:00`; empty for none.
  var quiet: String
  /// The time zone of the quiet hours and of the day in `dates`.
  var zone: String
  /// The speed in m/s above which nothing alerts; nil for no limit.
  var speed: Double?
  /// `recorded`, `ignore` or a day, such as `2026-03-04`.
  var dates: String
  /// The phone or engine by its command-line name; empty for none.
  var profile: String
  /// How often to simulate each track, 1 to 100,000.
  var trials: Int
  /// The random seed, 0 or more.
  var seed: Int64

  init(_ node: JSONNode) throws(JSONPathError) {
    limit = try node.optionalMember("limit")?.integer()
    distance = try node.member("distance").double()
    rank = try node.member("rank").string()
    refresh = try node.member("refresh").string()
    initial = try node.member("initial").string()
    margin = try node.member("margin").double()
    interval = try node.member("interval").double()
    hold = try node.member("hold").double()
    fixes = try node.member("fixes").integer()
    dwell = try node.optionalMember("dwell")?.double()
    alertOn = try node.member("alertOn").string()
    test = try node.member("test").string()
    accuracy = try node.member("accuracy").string()
    cooldown = try node.member("cooldown").string()
    quiet = try node.member("quiet").string()
    zone = try node.member("zone").string()
    speed = try node.optionalMember("speed")?.double()
    dates = try node.member("dates").string()
    profile = try node.member("profile").string()
    trials = try node.member("trials").integer()
    seed = try node.member("seed").wholeNumber()
  }

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
    quiet = session.alerts.quietHours?.text ?? ""
    self.zone = (session.alerts.quietHours?.zone ?? zone).identifier
    dates = session.alerts.dates?.text ?? "recorded"
    speed = session.alerts.maxAlertSpeedMetersPerSecond
  }

  /// The session with these rules and otherwise unchanged.
  func applied(to session: TrackSession.Options) throws(StudioRefusal) -> TrackSession.Options {
    guard let rank = MonitoringOptions.Rank(rawValue: rank),
      let refresh = MonitoringOptions.RefreshRule(rawValue: refresh),
      let initial = MonitoringOptions.InitialState(rawValue: initial),
      let test = SideTest(rawValue: test), let accuracy = AccuracyRule(rawValue: accuracy),
      let trigger = AlertTrigger(rawValue: alertOn)
    else { throw StudioRefusal(description: "a rule has an unknown value") }
    var session = session
    try check(hasTripwire: session.monitoring.hasTripwire)
    session.monitoring.limit = limit
    session.monitoring.significantChangeMeters = distance
    session.monitoring.rank = rank
    session.monitoring.refresh = refresh
    session.monitoring.initial = initial
    session.monitoring.exitMarginMeters = margin
    session.monitoring.minIntervalMilliseconds = Self.milliseconds(interval)
    session.monitoring.test = test
    // A path has no accuracy.
    session.monitoring.accuracy = test == .fixes ? accuracy : .ignore
    session.monitoring.confirmation.holdMilliseconds = Self.milliseconds(hold)
    session.monitoring.confirmation.fixes = fixes > 1 ? fixes : nil
    session.monitoring.confirmation.dwellMilliseconds = dwell.map(Self.milliseconds)
    session.alertsOn = trigger
    session.alerts.maxAlertSpeedMetersPerSecond = speed
    session.alerts.cooldown = try parsedCooldown()
    session.alerts.quietHours = try quietHours()
    session.alerts.dates = try storyDates()
    return session
  }

  /// Checks that every number is in its range.
  private func check(hasTripwire: Bool) throws(StudioRefusal) {
    let (lengths, times) = (0.0...21_000_000, 0.0...1_000_000_000)
    for (isMet, fault) in [
      (limit ?? 1 >= 1, "the limit must be at least 1"),
      (
        limit != 1 || !hasTripwire,
        "the tripwire takes the only circle, so no story is watched; raise the limit"
      ),
      (lengths.contains(distance), "the distance between lookups must be from 0 to 21,000 km"),
      (lengths.contains(margin), "the exit margin must be from 0 to 21,000 km"),
      (
        times.contains(interval),
        "the least time between lookups must be from 0 to 1,000,000,000 s"
      ),
      (fixes >= 1, "the number of fixes that confirm must be at least 1"),
      (
        alertOn != AlertTrigger.dwell.rawValue || dwell != nil,
        "to alert on dwells, set how long a dwell is"
      ),
      (times.contains(hold), "the hold must be from 0 to 1,000,000,000 s"),
      (times.contains(dwell ?? 0), "the dwell must be from 0 to 1,000,000,000 s"),
      (
        (0...Double.greatestFiniteMagnitude).contains(speed ?? 0),
        "the speed above which nothing alerts must not be negative"
      ),
      ((1...100_000).contains(trials), "the runs per walk must be from 1 to 100,000"),
    ] where !isMet {
      throw StudioRefusal(description: fault)
    }
  }

  private static func milliseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1000).rounded())
  }

  /// A session with these rules, and their phone, which is one of `phones`.
  func setting(
    from session: TrackSession.Options, _ phones: [StudioPhone]
  ) throws(StudioRefusal) -> StudioSetting {
    guard profile.isEmpty || phones.contains(where: { $0.word == profile }) else {
      let words = phones.map { $0.word }.joined(separator: ", ")
      throw StudioRefusal(
        description: "there is no profile “\(profile)”; use one of these: \(words)")
    }
    return StudioSetting(session: try applied(to: session), self, phones)
  }

  private func parsedCooldown() throws(StudioRefusal) -> Cooldown {
    switch cooldown {
    case "none": return .none
    case "forever": return .forever
    default:
      guard let seconds = Int64(cooldown), (0...1_000_000_000_000).contains(seconds) else {
        throw StudioRefusal(
          description: "the cool-down must be a number of seconds, none or forever")
      }
      return .seconds(seconds)
    }
  }

  private func quietHours() throws(StudioRefusal) -> QuietHours? {
    guard !quiet.isEmpty else { return nil }
    let parts = quiet.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = TimeOfDay(String(parts[0])),
      let end = TimeOfDay(String(parts[1]))
    else {
      throw StudioRefusal(description: "quiet hours must be two times of day, such as 22:00-07:00")
    }
    guard let hours = QuietHours(start: start, end: end, zone: try clock()) else {
      throw StudioRefusal(description: "quiet hours must not end when they start")
    }
    return hours
  }

  private func storyDates() throws(StudioRefusal) -> StoryDates? {
    guard dates != "recorded" else { return nil }
    guard let found = StoryDates(dates, in: try clock()) else {
      throw StudioRefusal(description: "the dates of stories must be recorded, ignore or a day")
    }
    return found
  }

  private func clock() throws(StudioRefusal) -> ClockZone {
    guard let found = ClockZone(identifier: zone) else {
      throw StudioRefusal(description: "“\(zone)” is not a time zone")
    }
    return found
  }
}

extension OutputBuffer {
  /// Appends rules in the form in which the page sends them back.
  mutating func append(_ rules: StudioRules) {
    appendObject {
      $0.member("limit", rules.limit)
      $0.member("distance", exactly: rules.distance)
      $0.member("rank", rules.rank)
      $0.member("refresh", rules.refresh)
      $0.member("initial", rules.initial)
      $0.member("margin", exactly: rules.margin)
      $0.member("cooldown", rules.cooldown)
      $0.member("quiet", rules.quiet)
      $0.member("zone", rules.zone)
      $0.member("dates", rules.dates)
      $0.member("speed", exactly: rules.speed)
      $0.member("interval", exactly: rules.interval)
      $0.member("hold", exactly: rules.hold)
      $0.member("fixes", rules.fixes)
      $0.member("dwell", exactly: rules.dwell)
      $0.member("alertOn", rules.alertOn)
      $0.member("test", rules.test)
      $0.member("accuracy", rules.accuracy)
      $0.member("profile", rules.profile)
      $0.member("trials", rules.trials)
      $0.key("seed")
      $0.append(decimal: rules.seed)
    }
  }

  /// Appends the members that a monitoring rule determines.
  mutating func members(of rule: MonitoringOptions) {
    member("limit", rule.limit)
    member("distance", exactly: rule.significantChangeMeters)
    member("rank", rule.rank.rawValue)
    member("refresh", rule.refresh.rawValue)
  }

  private mutating func member(_ key: StaticString, exactly number: Double?) {
    self.key(key)
    append(verbatim: number?.description ?? "null")
  }
}
