package import FencepostAnalysis
import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

extension OutputBuffer {
  /// Appends the settings, the first line of an analysis, without a line end.
  package mutating func append(jsonObject settings: AnalysisSettings) {
    let rule = settings.monitoring
    appendObject {
      $0.member("type", "settings")
      $0.member("version", 1)
      $0.member("stories", settings.storyCount)
      $0.member("limit", rule.limit)
      $0.member("refresh", rule.refresh.rawValue)
      $0.member("significantChange", rule.significantChangeMeters, decimals: 3)
      $0.member("rank", rule.rank.rawValue)
      $0.member("minInterval", Int(rule.minIntervalMilliseconds))
      $0.member("tripwire", rule.hasTripwire)
      $0.member("refreshFloor", rule.refreshFloorMeters, decimals: 3)
      $0.member("initial", rule.initial.rawValue)
      $0.member("exitMargin", rule.exitMarginMeters, decimals: 3)
      $0.member("maxGap", rule.maxGapMilliseconds.map { Int($0) })
      $0.member("maxSpeed", rule.maxSpeedMetersPerSecond, decimals: 3)
      $0.member("joinSegments", rule.joinsSegments)
      $0.members(ofStagesIn: settings)
      $0.members(of: settings.alerts)
      $0.member("timeZone", settings.zoneIdentifier)
      if let chance = settings.chance { $0.members(of: chance) }
      if let rule = settings.personRule { $0.member("personBy", rule) }
      if settings.fatigueLimit != Fatigue.usualLimit { $0.member("fatigue", settings.fatigueLimit) }
      if let reach = settings.reach { $0.member(of: reach) }
      $0.members(ofSelectionIn: settings)
      if let reminders = settings.reminders { $0.member("reminders", reminders) }
      if settings.namesOnlyCrossed { $0.member("verdicts", "crossed") }
    }
  }

  private mutating func members(ofStagesIn settings: AnalysisSettings) {
    let rule = settings.monitoring
    let confirmation = rule.confirmation
    if rule.test != .path { member("test", rule.test.rawValue) }
    if rule.accuracy != .ignore { member("accuracy", rule.accuracy.rawValue) }
    if rule.trustsAccuracy { member("trustAccuracy", true) }
    if confirmation.holdMilliseconds > 0 { member("hold", Int(confirmation.holdMilliseconds)) }
    if let fixes = confirmation.fixes { member("confirmFixes", fixes) }
    if let dwell = confirmation.dwellMilliseconds { member("dwell", Int(dwell)) }
    if settings.alertsOn != .enter { member("alertOn", settings.alertsOn.rawValue) }
  }

  private mutating func members(of alerts: AlertPolicy.Options) {
    switch alerts.cooldown {
    case .none: member("cooldown", "none")
    case .forever: member("cooldown", "forever")
    case .seconds(let seconds): member("cooldown", Int(seconds))
    }
    member(
      "quietHours",
      alerts.quietHours.map {
        "\($0.start.secondOfDay)-\($0.end.secondOfDay) \($0.zone.identifier)"
      })
    member("maxAlertSpeed", alerts.maxAlertSpeedMetersPerSecond, decimals: 3)
    member("sameSecondLimit", alerts.sameSecondLimit)
    member("pendingSlots", alerts.pendingSlots)
    if let dates = alerts.dates { member("dates", dates.text) }
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

  private static func digest(of profile: PhoneProfile) -> String {
    let digits = String(subjectKey(profile.json), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension OutputBuffer {
  /// Appends the member `reach`: the rates and their product, with the lowest and the highest.
  mutating func member(of reach: Reach) {
    object("reach") {
      for permission in Reach.Permission.allCases {
        $0.key(named: permission.rawValue)
        $0.append(reach[permission].share, decimals: 6)
      }
      $0.member("share", reach.share, decimals: 6)
      $0.member("low", reach.range.lowerBound, decimals: 6)
      $0.member("high", reach.range.upperBound, decimals: 6)
      $0.member("published", reach.system?.rawValue)
    }
  }
}
