import FencepostNotifications
import FencepostFormats

extension ReminderFileReader {
  static func schedule(_ node: JSONNode) throws(JSONPathError) -> Reminder.Schedule {
    let anchor = try node.optionalMember("anchor").map(anchor) ?? .floating
    try refuse("weekdays", without: ["times"], in: node)
    try refuse("repeats", without: ["after", "region"], in: node)
    try refuse("anchor", without: ["at", "times", "every"], in: node)
    try refuse("skip", without: ["at", "times", "every", "after"], in: node)
    var schedule: Reminder.Schedule?
    for name in ["at", "times", "every", "after", "region"] {
      guard let member = try node.optionalMember(name) else { continue }
      guard schedule == nil else {
        throw member.error("a reminder must have only one of at, times, every, after and region")
      }
      schedule =
        switch name {
        case "at": try at(member, anchor)
        case "times": try weekly(member, weekdays: try node.optionalMember("weekdays"), anchor)
        case "every": try every(member, anchor)
        case "after": try interval(member, in: node)
        default: try region(member, in: node)
        }
    }
    guard let schedule else {
      throw node.error("one of at, times, every, after and region is missing")
    }
    return schedule
  }

  /// Rejects a member that this kind of reminder would otherwise ignore.
  private static func refuse(
    _ name: String, without others: [String], in node: JSONNode
  ) throws(JSONPathError) {
    guard let member = try node.optionalMember(name) else { return }
    for other in others where try node.optionalMember(other) != nil { return }
    throw member.error("only allowed with \(others.joined(separator: " or "))")
  }

  private static func anchor(_ node: JSONNode) throws(JSONPathError) -> ClockAnchor {
    try node.string() == "floating" ? .floating : .fixed(try zone(node))
  }

  private static func at(
    _ node: JSONNode, _ anchor: ClockAnchor
  ) throws(JSONPathError) -> Reminder.Schedule {
    let elements = try list(node)
    guard let first = elements.first else { throw node.error("at least one time is needed") }
    let isInstant = isInstant(try first.string())
    var times: [LocalTime] = []
    for element in elements {
      if isInstant {
        guard self.isInstant(try element.string()) else {
          throw element.error("expected a time with a UTC offset, like the first one")
        }
        times.append(LocalTime(atMilliseconds: try element.instantMilliseconds(), in: .utc))
      } else {
        times.append(try localTime(element))
      }
    }
    return .at(times, anchor: isInstant ? .fixed(.utc) : anchor)
  }

  /// Whether a time has a UTC offset, as in `2026-03-04T09:00:00Z` or `2026-03-04T09:00-05:00`.
  private static func isInstant(_ text: String) -> Bool {
    let time = text.dropFirst(11)
    return time.hasSuffix("Z") || time.contains { $0 == "+" || $0 == "-" }
  }

  private static func weekly(
    _ node: JSONNode, weekdays: JSONNode?, _ anchor: ClockAnchor
  ) throws(JSONPathError) -> Reminder.Schedule {
    var times: [TimeOfDay] = []
    for element in try list(node) {
      guard let time = TimeOfDay(try element.string()) else {
        throw element.error("expected a time of day such as 08:30")
      }
      if !times.contains(time) { times.append(time) }
    }
    guard !times.isEmpty else { throw node.error("at least one time is needed") }
    guard let weekdays else { return .weekly(Set(Weekday.allCases), times, anchor: anchor) }
    var days: Set<Weekday> = []
    for element in try list(weekdays) {
      let name = try element.string()
      guard let weekday = Weekday(name) else {
        throw element.error(
          "\"\(name)\" is not a weekday; expected mon, tue, wed, thu, fri, sat or sun")
      }
      days.insert(weekday)
    }
    guard !days.isEmpty else { throw weekdays.error("at least one weekday is needed") }
    return .weekly(days, times, anchor: anchor)
  }

  private static func every(
    _ node: JSONNode, _ anchor: ClockAnchor
  ) throws(JSONPathError) -> Reminder.Schedule {
    try only(["month", "day", "weekday", "hour", "minute", "second"], in: node)
    var weekday: Weekday?
    if let member = try node.optionalMember("weekday") {
      weekday = Weekday(try member.string())
      if weekday == nil { throw member.error("expected a weekday such as mon") }
    }
    let (month, day) = (try number("month", node), try number("day", node))
    let (hour, minute) = (try number("hour", node), try number("minute", node))
    let second = try number("second", node)
    do throws(CalendarPatternError) {
      let pattern = try CalendarPattern(
        month: month, day: day, weekday: weekday, hour: hour, minute: minute, second: second)
      return .repeating(pattern, anchor: anchor)
    } catch {
      throw node.error(error.description)
    }
  }

  private static func number(_ key: String, _ node: JSONNode) throws(JSONPathError) -> Int? {
    guard let member = try node.optionalMember(key) else { return nil }
    return try member.integer()
  }

  private static func interval(
    _ after: JSONNode, in node: JSONNode
  ) throws(JSONPathError) -> Reminder.Schedule {
    let seconds = try after.double()
    let repeats = try repeats(node)
    guard seconds > 0, seconds < 1e12,
      let interval = IntervalTrigger(
        milliseconds: Int64((seconds * 1000).rounded()), repeats: repeats)
    else {
      throw after.error(
        repeats ? "a repeating interval must be at least 60 seconds" : "expected positive seconds")
    }
    return .interval(interval)
  }

  private static func region(
    _ region: JSONNode, in node: JSONNode
  ) throws(JSONPathError) -> Reminder.Schedule {
    try only(["lat", "lon", "radius", "entry", "exit"], in: region)
    let trigger = RegionTrigger(
      center: try coordinate(region),
      radiusMeters: try region.optionalMember("radius").map { node throws(JSONPathError) in
        try node.double()
      } ?? 100,
      firesOnEntry: try flag("entry", region) ?? true,
      firesOnExit: try flag("exit", region) ?? false, repeats: try repeats(node))
    guard let trigger else {
      throw region.error(
        "the radius must be above 0 and at most 20,000,000 m, and entry or exit must be true")
    }
    return .region(trigger)
  }

  private static func repeats(_ node: JSONNode) throws(JSONPathError) -> Bool {
    try flag("repeats", node) ?? false
  }

  private static func flag(_ key: String, _ node: JSONNode) throws(JSONPathError) -> Bool? {
    guard let member = try node.optionalMember(key) else { return nil }
    return try member.boolean()
  }
}
