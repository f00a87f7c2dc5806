import Fencepost
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

// The documents that a coder reads elsewhere: what is accepted, and what it means, is the same.

extension SessionRules {
  /// Reads the rules in force, as `fencepost rules --format json` prints them.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    var options = session
    if let rule = try node.optionalMember("monitoring") { try options.monitoring.read(rule) }
    if let rules = try node.optionalMember("alerts") { try options.alerts.read(rules) }
    if let word = try node.optionalMember("alertsOn") { options.alertsOn = try word.word() }
    session = options
    keepsNullIsland = try node.optionalMember("keepsNullIsland")?.boolean() ?? false
    reorderMilliseconds = try node.optionalMember("reorderMilliseconds")?.wholeNumber()
    profile = try node.optionalMember("profile")?.string()
  }
}

extension MonitoringOptions {
  fileprivate mutating func read(_ node: JSONNode) throws(JSONPathError) {
    limit = try node.optionalMember("limit")?.integer()
    significantChangeMeters = try node.member("significantChangeMeters").meters()
    minIntervalMilliseconds = try node.member("minIntervalMilliseconds").wholeNumber()
    rank = try node.member("rank").word()
    refresh = try node.member("refresh").word()
    initial = try node.member("initial").word()
    exitMarginMeters = try node.member("exitMarginMeters").meters()
    maxGapMilliseconds = try node.optionalMember("maxGapMilliseconds")?.wholeNumber()
    maxSpeedMetersPerSecond = try node.optionalMember("maxSpeedMetersPerSecond")?.meters()
    joinsSegments = try node.member("joinsSegments").boolean()
    hasTripwire = try node.member("hasTripwire").boolean()
    refreshFloorMeters = try node.member("refreshFloorMeters").meters()
    test = try node.member("test").word()
    accuracy = try node.member("accuracy").word()
    trustsAccuracy = try node.member("trustsAccuracy").boolean()
    let held = try node.member("confirmation")
    confirmation.holdMilliseconds = try held.member("holdMilliseconds").wholeNumber()
    confirmation.fixes = try held.optionalMember("fixes")?.integer()
    confirmation.dwellMilliseconds = try held.optionalMember("dwellMilliseconds")?.wholeNumber()
  }
}

extension AlertPolicy.Options {
  fileprivate mutating func read(_ node: JSONNode) throws(JSONPathError) {
    if let hours = try node.optionalMember("quietHours") { quietHours = try QuietHours(hours) }
    maxAlertSpeedMetersPerSecond =
      try node.optionalMember("maxAlertSpeedMetersPerSecond")?.double()
    cooldown = try Cooldown(node.member("cooldown"))
    sameSecondLimit = try node.optionalMember("sameSecondLimit")?.integer()
    spotMeters = try node.member("spotMeters").double()
    pendingSlots = try node.optionalMember("pendingSlots")?.integer()
    if let found = try node.optionalMember("dates") { dates = try StoryDates(found) }
  }
}

extension QuietHours {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    guard let start = TimeOfDay(try node.member("start").string()),
      let end = TimeOfDay(try node.member("end").string()),
      let hours = QuietHours(start: start, end: end, zone: try node.member("zone").zone())
    else { throw node.error("expected two different times of day") }
    self = hours
  }
}

extension Cooldown {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    if let seconds = try node.optionalMember("seconds") {
      self = .seconds(try seconds.member("_0").wholeNumber())
    } else {
      self = try node.optionalMember("forever") == nil ? .none : .forever
    }
  }
}

extension StoryDates {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    guard let day = try node.optionalMember("day") else {
      self = .ignored
      return
    }
    self = .day(
      sinceEpoch: try day.member("sinceEpoch").integer(), zone: try day.member("zone").zone())
  }
}

extension JSONNode {
  /// The profile that a string holds as JSON.
  func phoneProfile() throws(JSONPathError) -> PhoneProfile {
    let text = Array(try string().utf8)
    do throws(ProfileError) {
      return try text.withSpan { text throws(ProfileError) in try PhoneProfile(parsing: text) }
    } catch {
      throw self.error(error.sentence)
    }
  }

  fileprivate func word<Word: RawRepresentable>() throws(JSONPathError) -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: try string()) else { throw error("unknown word") }
    return word
  }

  func zone() throws(JSONPathError) -> ClockZone {
    guard let zone = ClockZone(identifier: try string()) else { throw error("unknown time zone") }
    return zone
  }

  /// A distance of at least 0 m, which may be `infinite`.
  fileprivate func meters() throws(JSONPathError) -> Double {
    if value == .string("infinite") { return .infinity }
    let meters = try double()
    guard meters >= 0 else { throw error("must be a distance of at least 0 m") }
    return meters
  }
}
