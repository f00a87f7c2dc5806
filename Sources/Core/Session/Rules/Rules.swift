import FencepostMonitoring
import FencepostNotifications

/// All rules of a session, each written once.
///
/// Arguments, files of rules, `fencepost rules`, documents of rules, their readers, the studio's form
/// and the state of a live session walk this table.
package enum Rules {
  /// All rules: what the phone does, what counts as a crossing, when it alerts, which fixes count.
  package static let table: [Rule] = monitoring + confirmation + alerts + reading

  /// What the phone does.
  private static let monitoring = [
    Rule(
      "limit", in: "monitoring.limit", .count,
      field: .init(.phone, "limit", "Circles watched at a time", none: "all"),
      "Watch at most N circles at a time, or \"none\" for no limit."
    ) { $1(&$0.monitoring.limit.ruleValue) },
    Rule(
      "refresh", in: "monitoring.refresh",
      .word([
        ("fixed", "after a fixed distance"),
        ("adaptive", "adaptive: before anything can be missed"),
      ]),
      field: .init(.phone, "refresh", "Lookups"),
      "fixed: look up after each significant change. adaptive: look up just before an "
        + "unwatched circle could be entered, so that nothing is missed.",
      "\"adaptive\" ranks by edge, and reports whether anything could have been missed."
    ) { $1(&$0.monitoring.refresh.ruleValue) },
    Rule(
      "significant-change", in: "monitoring.significantChangeMeters", .meters,
      field: .init(.phone, "distance", "Distance between lookups"),
      "Look up the nearest stories again after moving this far."
    ) { $1(&$0.monitoring.significantChangeMeters.ruleValue) },
    Rule(
      "rank", in: "monitoring.rank",
      .word([("center", "center"), ("edge", "edge of the circle")]), noun: "rank",
      field: .init(.phone, "rank", "Nearest by"),
      "center or edge: what makes a story near, its center or the edge of its circle.",
      "The edge is measured from inside as well as outside. --refresh adaptive ranks by edge."
    ) { $1(&$0.monitoring.rank.ruleValue) },
    Rule(
      "min-interval", in: "monitoring.minIntervalMilliseconds", .milliseconds, keepsWatched: true,
      field: .init(.phone, "interval", "Least time between lookups"),
      "Wait at least this long between two lookups."
    ) { $1(&$0.monitoring.minIntervalMilliseconds.ruleValue) },
    Rule(
      "tripwire", in: "monitoring.hasTripwire", .flag,
      "Use one slot for a circle around the phone. Leaving it triggers the next lookup."
    ) { $1(&$0.monitoring.hasTripwire.ruleValue) },
    Rule(
      "refresh-floor", in: "monitoring.refreshFloorMeters", .meters,
      "Keep adaptive lookups at least this far apart."
    ) { $1(&$0.monitoring.refreshFloorMeters.ruleValue) },
    Rule(
      "initial", in: "monitoring.initial",
      .word([("silent", "stays silent"), ("enter", "counts as an entry")]), keepsWatched: true,
      field: .init(.phone, "initial", "A new circle around the phone"),
      "enter: report an entry if the phone is already inside a newly watched circle. silent: do not."
    ) { $1(&$0.monitoring.initial.ruleValue) },
    Rule(
      "exit-margin", in: "monitoring.exitMarginMeters", .meters,
      field: .init(.phone, "margin", "Exit margin"),
      "Count an exit only this far beyond the edge. Above 20000km, there is no exit."
    ) { $1(&$0.monitoring.exitMarginMeters.ruleValue) },
    Rule(
      "max-gap", in: "monitoring.maxGapMilliseconds", .milliseconds, keepsWatched: true,
      "Break the path if two fixes are farther apart than this, or \"none\" for never."
    ) { $1(&$0.monitoring.maxGapMilliseconds.ruleValue) },
    Rule(
      "max-speed", in: "monitoring.maxSpeedMetersPerSecond", .metersPerSecond, keepsWatched: true,
      "Break the path if two fixes imply a higher speed, or \"none\" for never."
    ) { $1(&$0.monitoring.maxSpeedMetersPerSecond.ruleValue) },
    Rule(
      "join-segments", in: "monitoring.joinsSegments", .flag, keepsWatched: true,
      "Join the segments of a file into one path."
    ) { $1(&$0.monitoring.joinsSegments.ruleValue) },
  ]

  /// What counts as a crossing.
  private static let confirmation = [
    Rule(
      "test", in: "monitoring.test",
      .word([("path", "along the path"), ("fixes", "only at GPS fixes")]),
      isLater: true, field: .init(.crossing, "test", "Position is tested"),
      "path or fixes: look for entries along the path, or only at fixes, as most systems do."
    ) { $1(&$0.monitoring.test.ruleValue) },
    Rule(
      "accuracy", in: "monitoring.accuracy",
      .word([
        ("ignore", "is ignored"), ("contains", "must lie inside the circle"),
        ("intersects", "must touch the circle"),
      ]),
      isLater: true, field: .init(.crossing, "accuracy", "Accuracy of a fix"),
      "ignore, contains or intersects: how --test fixes uses accuracy.",
      """
      With "contains", a fix is inside when the circle contains its whole accuracy circle. \
      With "intersects", it is inside when the two meet. With both, it is outside when they \
      no longer meet.
      """
    ) { $1(&$0.monitoring.accuracy.ruleValue) },
    Rule(
      "trust-accuracy", in: "monitoring.trustsAccuracy", .flag, isLater: true,
      "Make --refresh adaptive miss nothing wherever the phone was within each fix's accuracy."
    ) { $1(&$0.monitoring.trustsAccuracy.ruleValue) },
    Rule(
      "hold", in: "monitoring.confirmation.holdMilliseconds", .milliseconds,
      isLater: true, field: .init(.crossing, "hold", "Wait before counting"),
      "Count an entry or exit only after the path stayed on the new side this long.",
      "If the path turns back earlier, neither counts."
    ) { $1(&$0.monitoring.confirmation.holdMilliseconds.ruleValue) },
    Rule(
      "confirm-fixes", in: "monitoring.confirmation.fixes", .count,
      isLater: true, field: .init(.crossing, "fixes", "Fixes on the new side", none: "1"),
      "Count an entry or exit only after N fixes on the new side."
    ) { $1(&$0.monitoring.confirmation.fixes.ruleValue) },
    Rule(
      "dwell", in: "monitoring.confirmation.dwellMilliseconds", .milliseconds,
      isLater: true,
      field: .init(.crossing, "dwell", "Dwell after", none: "no dwells"),
      "Report a dwell this long after each entry, if the phone is still inside."
    ) { $1(&$0.monitoring.confirmation.dwellMilliseconds.ruleValue) },
    Rule(
      "alert-on", in: "alertsOn",
      .word([("enter", "entry"), ("dwell", "dwell"), ("exit", "exit")]), noun: "event",
      keepsWatched: true, isLater: true, field: .init(.crossing, "alertOn", "Alert on"),
      "enter, dwell or exit: the event that alerts."
    ) { $1(&$0.alertsOn.ruleValue) },
  ]

  /// When it alerts.
  private static let alerts = [
    Rule(
      "cooldown", in: "alerts.cooldown", .cooldown, keepsWatched: true,
      field: .init(.alerts, "cooldown", "Repeat after"),
      "Stay quiet about a story for this long after it alerted, or \"forever\" or \"none\"."
    ) { $1(&$0.alerts.cooldown.ruleValue) },
    Rule(
      "quiet-hours", in: "alerts.quietHours", .quietHours, keepsWatched: true,
      field: .init(.alerts, "quiet", "Quiet hours", none: "22:00-07:00"),
      "Never alert between these times, such as 22:00-07:00.",
      "The times follow the clock of --time-zone."
    ) { $1(&$0.alerts.quietHours.ruleValue) },
    Rule(
      "max-alert-speed", in: "alerts.maxAlertSpeedMetersPerSecond", .metersPerSecond,
      keepsWatched: true, field: .init(.alerts, "speed", "Silent above", none: "any speed"),
      "Never alert above this speed, such as 30km/h, nor for 2 minutes afterwards."
    ) { $1(&$0.alerts.maxAlertSpeedMetersPerSecond.ruleValue) },
    Rule(
      "dates", in: "alerts.dates", .dates, none: "recorded", keepsWatched: true, isLater: true,
      field: .init(.alerts, "dates", "Judge dates as of"),
      "Judge story dates as if walked on this day, or as \"recorded\", or \"ignore\" them.",
      """
      On a day, such as 2026-03-04 or today, each entry keeps its time of day. So you can judge \
      stories that were published after the walk. Cooldowns, quiet hours and the times of the \
      output stay as recorded.
      """
    ) { $1(&$0.alerts.dates.ruleValue) },
  ]

  /// Which fixes count.
  private static let reading = [
    Rule(
      "max-accuracy", in: "maxAccuracyMeters", .meters, keepsWatched: true, isLater: true,
      "Leave out fixes whose stated accuracy is worse than this.",
      "Fixes that state no accuracy count."
    ) { $1(&$0.maxAccuracyMeters.ruleValue) }
  ]
}
