import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications

extension TrackAccount {
  /// Reads a `track` line.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(track: try node.string("track"))
    fixes = try node.integer("fixes")
    rejected = try node.integer("rejected")
    if let reasons = try node.optionalMember("rejectedByReason") {
      for reason in try reasons.keys() {
        rejectedByReason[reason] = try reasons.integer(reason)
      }
    }
    firstMilliseconds = try node.optional("first", JSONNode.instantMilliseconds)
    lastMilliseconds = try node.optional("last", JSONNode.instantMilliseconds)
    lengthMillimeters = try node.integer("lengthMillimeters")
    travelMilliseconds = try node.integer("travelMilliseconds")
    refreshes = try node.integer("refreshes")
    failedRefreshes = try node.integer("failedRefreshes")
    counts = try EntryCounts(node)
    stories = try VerdictCounts(try node.member("stories"))
    oracleStories = try node.integer("oracleStories")
    foundStories = try node.integer("foundStories")
    mostCircles = try node.integer("mostCircles")
    isCertified = try node.optional("certified", JSONNode.boolean)
    let hours = try node.member("alertsByHour").elements()
    guard hours.count == 24 else { throw node.error("alertsByHour must have 24 numbers") }
    for (hour, count) in hours.enumerated() { alertsByHour[hour] = try count.integer() }
    try readPerson(node)
    try readMeasures(node)
    reminders = try ReminderCost(in: node)
  }
}

extension ReminderCost {
  /// Reads the member `reminders`, which only analyses beside reminders have.
  init?(in node: JSONNode) throws(JSONPathError) {
    guard let member = try node.optionalMember("reminders") else { return nil }
    self.init()
    withStories = try Tally(member)
    withoutStories = try Tally(try member.member("withoutStories"))
  }
}

extension ReminderCost.Tally {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    due = try node.integer("due")
    lost = try node.integer("lost")
    waits = try node.integer("waits")
  }
}

extension EntryCounts {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    entries = try node.integer("entries")
    found = try node.integer("found")
    late = try node.integer("late")
    missed = try node.integer("missed")
    extra = try node.integer("extra")
    alerts = try node.integer("alerts")
    delayed = try node.integer("delayed")
    let held = try node.member("suppressed")
    for reason in SuppressionReason.allCases {
      if let count = try held.optionalMember(reason.rawValue) {
        suppressed[reason] = try count.integer()
      }
    }
    oracleAlerts = try node.integer("oracleAlerts")
    foundAlerts = try node.integer("foundAlerts")
  }
}

extension VerdictCounts {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    for verdict in Verdict.allCases {
      self[verdict] = try node.integer(verdict.rawValue)
    }
  }
}

extension Story {
  /// Reads a `story` line.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      id: try node.string("place"), title: try node.string("title"),
      category: try node.string("category"), url: try node.optionalMember("url")?.string() ?? "",
      coordinate: try Coordinate(node),
      radiusMeters: try node.double("radius"))
  }
}

extension StoryAccount {
  /// Reads the numbers of a `story` line; moments come from the lines of tracks.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    tracks = try VerdictCounts(try node.member("tracks"))
    counts = try EntryCounts(node)
    oracleTracks = try node.integer("oracleTracks")
    nearestMillimeters = try node.optional("nearestMillimeters", JSONNode.integer)
    nearestTrack = try node.string("nearestTrack")
    try readPersons(node)
  }
}

extension Coordinate {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      latitudeDegrees: try node.double("lat"),
      longitudeDegrees: try node.double("lon"))
  }
}

extension JSONNode {
  fileprivate func integer(_ key: String) throws(JSONPathError) -> Int {
    try member(key).integer()
  }

  fileprivate func string(_ key: String) throws(JSONPathError) -> String {
    try member(key).string()
  }

  fileprivate func double(_ key: String) throws(JSONPathError) -> Double {
    try member(key).double()
  }

  /// The value of a member, or nil if it is missing or `null`.
  fileprivate func optional<Value>(
    _ key: String, _ value: (JSONNode) -> () throws(JSONPathError) -> Value
  ) throws(JSONPathError) -> Value? {
    guard let node = try optionalMember(key) else { return nil }
    return try value(node)()
  }
}
