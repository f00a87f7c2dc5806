import FencepostSession
package import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostTime

// Writes what nothing reads back: entries, and the settings of an analysis.
extension OutputBuffer {
  /// Appends a story's place among the nearest, from 1, and its distance in meters.
  ///
  /// `lastDistance` is that of the farthest story that was watched.
  mutating func members(of ranking: EntryRecord.Ranking) {
    member("rank", ranking.rank)
    member("distance", ranking.distanceMeters, decimals: 2)
    member("lastDistance", ranking.lastDistanceMeters, decimals: 2)
  }

  /// Appends one entry of a track: where, when, whether it alerted, and why not.
  ///
  /// `oracleAlert` tells whether it would alert with every story watched.
  mutating func members(of entry: EntryRecord) {
    member("fix", entry.fix)
    member("fraction", entry.fraction, decimals: 6)
    member("time", jsonTime: entry.timeMilliseconds)
    members(of: entry.coordinate)
    if entry.isAcrossBreak { member("across", "break") }
    member("cause", entry.cause.rawValue)
    member("alert", entry.isAlert)
    if let delivery = entry.deliveryMilliseconds { member("delivery", jsonTime: delivery) }
    if let reason = entry.suppression { member("reason", reason.rawValue) }
    member("oracleAlert", entry.isDue)
    if entry.cause == .late || entry.cause == .missed { members(ofLossOf: entry) }
  }

  /// Appends why an entry was not monitored, and when the phone noticed it.
  mutating func members(ofLossOf entry: EntryRecord) {
    if let fix = entry.foundFix {
      member("foundFix", fix)
      member("foundTime", jsonTime: entry.foundMilliseconds)
    }
    if let ranking = entry.atRefresh { object("atRefresh") { $0.members(of: ranking) } }
    if let ranking = entry.atEntry { object("atEntry") { $0.members(of: ranking) } }
  }
}

extension OutputBuffer {
  /// Appends the settings, the first line of an analysis, without a line end.
  package mutating func append(jsonObject settings: AnalysisSettings) {
    appendObject {
      $0.member("type", "settings")
      $0.member("version", 1)
      $0.member("stories", settings.storyCount)
      for rule in Rules.table { $0.member(rule, in: settings.session) }
      $0.member("sameSecondLimit", settings.session.alerts.sameSecondLimit)
      $0.member("pendingSlots", settings.session.alerts.pendingSlots)
      $0.member("timeZone", settings.zoneIdentifier)
      if let chance = settings.chance { $0.members(of: chance) }
      if let rule = settings.personRule { $0.member("personBy", rule) }
      if settings.fatigueLimit != Fatigue.usualLimit { $0.member("fatigue", settings.fatigueLimit) }
      $0.members(ofSelectionIn: settings)
      if let reminders = settings.reminders { $0.member("reminders", reminders) }
      if settings.namesOnlyCrossed { $0.member("verdicts", "crossed") }
    }
  }

  /// Appends a rule's value; rules of later versions only where they differ from the default.
  private mutating func member(_ rule: Rule, in session: TrackSessionOptions) {
    let value = rule.value(session)
    if rule.isLater, value == rule.usual { return }
    key(named: rule.memberName)
    switch value {
    case .nothing: append("null")
    case .whole(let number), .cooldown(.seconds(let number)): append(decimal: number)
    case .number(let number): append(number, decimals: 3)
    case .flag(let flag): append(verbatim: "\(flag)")
    case .quietHours(let hours):
      append(
        json: "\(hours.start.secondOfDay)-\(hours.end.secondOfDay) \(hours.zone.identifier)")
    case .word, .cooldown, .dates: append(json: rule.argument(for: value))
    }
  }

  /// Appends which fixes count, unless all do.
  mutating func members(ofSelectionIn settings: AnalysisSettings) {
    let selection = settings.selection
    if let from = selection.fromMilliseconds { member("from", jsonTime: from) }
    if let to = selection.toMilliseconds { member("to", jsonTime: to) }
    if let box = selection.box {
      array("bbox", [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees]) {
        $0.append($1, decimals: 7)
      }
    }
  }

  /// Appends which phones were simulated and how, so that the same trials can be run again.
  mutating func members(of chance: ChanceOptions) {
    array("profiles", chance.profiles) { array, profile in
      array.appendObject {
        $0.member("name", profile.name)
        $0.member("regions", profile.limits.regions.value.value)
        $0.member("refreshDistance", profile.refresh.distanceMeters.value, decimals: 3)
        // Profiles of the same name may differ.
        $0.member("digest", Self.digest(of: profile))
      }
    }
    member("trials", chance.simulation.trials)
    member("seed", Int(clamping: chance.simulation.seed))
    member("surroundings", chance.simulation.surroundings.rawValue)
    member("phoneState", chance.simulation.state.rawValue)
  }

  /// Sixteen hexadecimal digits that differ where any value of two profiles does.
  private static func digest(of profile: PhoneProfile) -> String {
    let digits = String(subjectKey(profile.json), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
