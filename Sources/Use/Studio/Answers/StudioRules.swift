#if Command
import FencepostSession
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting

/// The rules that the studio's page can change, and the simulated phone, as the page sends them.
///
/// Each rule of the table that has a field is a member of its own. Lengths are in meters and
/// durations in seconds; where a rule can be none, `null` or a word says so.
struct StudioRules {
  /// The rules that the page has a field for; the others are the usual ones.
  private var session = TrackSessionOptions()
  /// The time zone of the quiet hours and of the day in `dates`.
  private(set) var zone: String
  /// The phone or engine by its command-line name; empty for none.
  private(set) var profile: String
  /// How often to simulate each track, 1 to 100,000.
  private(set) var trials: Int
  /// The random seed, 0 or more.
  private(set) var seed: Int64

  /// The rules of a setting; times of day are those of its quiet hours' zone, or else of `zone`.
  init(_ setting: StudioSetting, zone: ClockZone) {
    session = setting.session
    (profile, trials, seed) = (setting.profile ?? "", setting.trials, setting.seed)
    self.zone = (session.alerts.quietHours?.zone ?? zone).identifier
  }

  /// Reads rules as the page writes them: distances in meters, durations in seconds.
  init(_ node: JSONNode) throws(JSONPathError) {
    let zone = try node.member("zone")
    (self.zone, profile) = (try zone.string(), try node.member("profile").string())
    trials = try node.member("trials").integer()
    seed = try node.member("seed").wholeNumber()
    guard (1...100_000).contains(trials) else {
      throw try node.member("trials").error("must be from 1 to 100,000")
    }
    for rule in Rules.table {
      guard let field = rule.field else { continue }
      guard let member = try node.optionalMember(field.key) else {
        guard rule.set(.nothing, &session) else {
          throw node.error("\"\(field.key)\" is missing")
        }
        continue
      }
      let fault = rule.take(try member.value(of: rule, in: zone), into: &session)
      if let fault { throw member.error(fault) }
    }
    // One fix confirms at once. A path has no accuracy.
    if session.monitoring.confirmation.fixes == 1 { session.monitoring.confirmation.fixes = nil }
    if session.monitoring.test == .path { session.monitoring.accuracy = .ignore }
  }

  /// The session with these rules and otherwise unchanged.
  func applied(to session: TrackSessionOptions) throws(StudioRefusal) -> TrackSessionOptions {
    var session = session
    for rule in Rules.table where rule.field != nil {
      rule.copy(from: self.session, to: &session)
    }
    if session.monitoring.limit == 1, session.monitoring.hasTripwire {
      throw StudioRefusal(
        description:
          "the tripwire takes the only circle, so no story is watched; raise the limit")
    }
    if session.alertsOn == .dwell, session.monitoring.confirmation.dwellMilliseconds == nil {
      throw StudioRefusal(description: "to alert on dwells, set how long a dwell is")
    }
    return session
  }

  /// A session with these rules, and their phone, which is one of `phones`.
  func setting(
    from session: TrackSessionOptions, _ phones: [StudioPhone]
  ) throws(StudioRefusal) -> StudioSetting {
    guard profile.isEmpty || phones.contains(where: { $0.word == profile }) else {
      let words = phones.map { $0.word }.joined(separator: ", ")
      throw StudioRefusal(
        description: "there is no profile “\(profile)”; use one of these: \(words)")
    }
    return StudioSetting(session: try applied(to: session), self, phones)
  }

  /// The value of a rule as the page has it.
  fileprivate func append(_ rule: Rule, to output: inout OutputBuffer) {
    switch (rule.kind, rule.value(session)) {
    case (.quietHours, .nothing): output.append(json: "")
    case (.dates, .nothing): output.append(json: rule.none)
    case (_, .nothing): output.append("null")
    case (.milliseconds, .whole(let number)):
      output.append(verbatim: (Double(number) / 1000).description)
    case (_, .whole(let number)): output.append(decimal: number)
    case (_, .number(let number)): output.append(verbatim: number.description)
    case (_, .flag(let flag)): output.append(verbatim: flag ? "true" : "false")
    case (_, .cooldown(.seconds(let seconds))): output.append(json: String(seconds))
    case (_, let value): output.append(json: rule.argument(for: value))
    }
  }
}

extension JSONNode {
  /// Reads the value of a rule; times of day are those of the zone that another node names.
  fileprivate func value(
    of rule: Rule, in zone: JSONNode
  ) throws(JSONPathError) -> RuleValue {
    switch rule.kind {
    case .word: return .word(try string())
    case .count: return .whole(Int64(try integer()))
    case .milliseconds:
      guard let milliseconds = Int64(exactly: (try double() * 1000).rounded()) else {
        throw error("must be \(rule.kind.demand)")
      }
      return .whole(milliseconds)
    case .meters, .metersPerSecond: return .number(try double())
    case .flag: return .flag(try boolean())
    case .cooldown: return .cooldown(try cooldown())
    case .quietHours: return try quietHours(in: zone).map { .quietHours($0) } ?? .nothing
    case .dates:
      let text = try string()
      if text == rule.none { return .nothing }
      guard let dates = StoryDates(text, in: try zone.zone()) else {
        throw error("must be recorded, ignore or a day such as 2026-03-04")
      }
      return .dates(dates)
    }
  }

  /// A number of seconds as a text, or one of the words.
  private func cooldown() throws(JSONPathError) -> Cooldown {
    switch try string() {
    case "none": return .none
    case "forever": return .forever
    case let text:
      guard let seconds = Int64(text), (0...1_000_000_000_000).contains(seconds) else {
        throw error("must be a number of seconds, none or forever")
      }
      return .seconds(seconds)
    }
  }

  /// Two times of day such as `22:00-07:00`; nil for an empty text.
  private func quietHours(in zone: JSONNode) throws(JSONPathError) -> QuietHours? {
    let text = try string()
    if text.isEmpty { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = TimeOfDay(String(parts[0])),
      let end = TimeOfDay(String(parts[1]))
    else { throw error("must be two times of day, such as 22:00-07:00") }
    guard let hours = QuietHours(start: start, end: end, zone: try zone.zone()) else {
      throw error("must not end when they start")
    }
    return hours
  }

  /// The time zone that a string names.
  func zone() throws(JSONPathError) -> ClockZone {
    let name = try string()
    guard let zone = ClockZone(identifier: name) else {
      throw error("“\(name)” is not a time zone")
    }
    return zone
  }
}

extension OutputBuffer {
  /// Appends rules in the form in which the page sends them back.
  mutating func append(_ rules: StudioRules) {
    appendObject {
      for rule in Rules.table {
        guard let field = rule.field else { continue }
        $0.key(named: field.key)
        rules.append(rule, to: &$0)
      }
      $0.member("zone", rules.zone)
      $0.member("profile", rules.profile)
      $0.member("trials", rules.trials)
      $0.key("seed")
      $0.append(decimal: rules.seed)
    }
  }

  /// Appends the members that a monitoring rule determines.
  mutating func members(of rule: MonitoringOptions) {
    member("limit", rule.limit)
    key("distance")
    append(verbatim: rule.significantChangeMeters.description)
    member("rank", rule.rank.rawValue)
    member("refresh", rule.refresh.rawValue)
  }
}
#endif
