import FencepostSession
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
    try options.read(node)
    session = options
    keepsNullIsland = try node.optionalMember("keepsNullIsland")?.boolean() ?? false
    reorderMilliseconds = try node.optionalMember("reorderMilliseconds")?.wholeNumber()
    profile = try node.optionalMember("profile")?.string()
  }
}

extension TrackSessionOptions {
  /// Reads the rules at the members that the table names.
  ///
  /// A rule keeps its usual value in a document without its part, and without its member if it
  /// cannot be none.
  fileprivate mutating func read(_ node: JSONNode) throws(JSONPathError) {
    for rule in Rules.table {
      var part: JSONNode? = node
      for name in rule.path.dropLast() { part = try part?.optionalMember(name) }
      guard let part, let name = rule.path.last else { continue }
      guard let member = try part.optionalMember(name) else {
        _ = rule.set(.nothing, &self)
        continue
      }
      let fault = rule.take(try member.value(of: rule.kind), into: &self)
      if let fault { throw member.error(fault) }
    }
    guard let rules = try node.optionalMember("alerts") else { return }
    alerts.sameSecondLimit = try rules.optionalMember("sameSecondLimit")?.integer()
    alerts.spotMeters = try rules.member("spotMeters").double()
    alerts.pendingSlots = try rules.optionalMember("pendingSlots")?.integer()
  }
}

extension JSONNode {
  /// The value of a rule as documents write it; `infinite` is a number, too.
  fileprivate func value(of kind: Rule.Kind) throws(JSONPathError) -> RuleValue {
    switch kind {
    case .word: .word(try string())
    case .count, .milliseconds: .whole(try wholeNumber())
    case .meters, .metersPerSecond:
      .number(value == .string("infinite") ? .infinity : try double())
    case .flag: .flag(try boolean())
    case .cooldown: .cooldown(try Cooldown(self))
    case .quietHours: .quietHours(try QuietHours(self))
    case .dates: .dates(try StoryDates(self))
    }
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
      if let number = try seconds.optionalMember("seconds") {
        self = .seconds(try number.wholeNumber())
      } else {
        // Earlier versions wrote no name.
        self = .seconds(try seconds.member("_0").wholeNumber())
      }
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
}
