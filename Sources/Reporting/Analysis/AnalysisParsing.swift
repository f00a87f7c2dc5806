import Analysis
import Formats
import Geodesy
import Notifications

extension TrackAccount {
  /// Reads the numbers of a `track` line.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(track: try node.member("track").string())
    fixes = try node.member("fixes").integer()
    rejected = try node.member("rejected").integer()
    if let reasons = try node.optionalMember("rejectedByReason") {
      for reason in try reasons.keys() {
        rejectedByReason[reason] = try reasons.member(reason).integer()
      }
    }
    firstMilliseconds = try node.optionalMember("first").map {
      (node) throws(JSONPathError) in try node.instantMilliseconds()
    }
    lastMilliseconds = try node.optionalMember("last").map {
      (node) throws(JSONPathError) in try node.instantMilliseconds()
    }
    lengthMillimeters = try node.member("lengthMillimeters").integer()
    travelMilliseconds = try node.member("travelMilliseconds").integer()
    refreshes = try node.member("refreshes").integer()
    failedRefreshes = try node.member("failedRefreshes").integer()
    counts = try EntryCounts(node)
    stories = try VerdictCounts(try node.member("stories"))
    oracleStories = try node.member("oracleStories").integer()
    foundStories = try node.member("foundStories").integer()
    mostCircles = try node.member("mostCircles").integer()
    isCertified = try node.optionalMember("certified").map {
      (node) throws(JSONPathError) in try node.boolean()
    }
    let hours = try node.member("alertsByHour").elements()
    guard hours.count == 24 else { throw node.error("a day has 24 hours") }
    for (hour, count) in hours.enumerated() { alertsByHour[hour] = try count.integer() }
  }
}

extension EntryCounts {
  /// Reads the counts among the fields of a line.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    entries = try node.member("entries").integer()
    found = try node.member("found").integer()
    late = try node.member("late").integer()
    missed = try node.member("missed").integer()
    extra = try node.member("extra").integer()
    alerts = try node.member("alerts").integer()
    delayed = try node.member("delayed").integer()
    let held = try node.member("suppressed")
    for reason in SuppressionReason.allCases {
      if let count = try held.optionalMember(reason.rawValue) {
        suppressed[reason] = try count.integer()
      }
    }
    oracleAlerts = try node.member("oracleAlerts").integer()
    foundAlerts = try node.member("foundAlerts").integer()
  }
}

extension VerdictCounts {
  /// Reads an object of counts by verdict.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    for verdict in Verdict.allCases {
      self[verdict] = try node.member(verdict.rawValue).integer()
    }
  }
}

extension Story {
  /// Reads a `story` line.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      id: try node.member("place").string(), title: try node.member("title").string(),
      category: try node.member("category").string(), coordinate: try Coordinate(node),
      radiusMeters: try node.member("radius").double())
  }
}

extension StoryAccount {
  /// Reads the numbers of a `story` line; its moments are those of its tracks.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    tracks = try VerdictCounts(try node.member("tracks"))
    counts = try EntryCounts(node)
    oracleTracks = try node.member("oracleTracks").integer()
    nearestMillimeters = try node.optionalMember("nearestMillimeters").map {
      (node) throws(JSONPathError) in try node.integer()
    }
    nearestTrack = try node.member("nearestTrack").string()
  }
}

extension Coordinate {
  /// Reads the fields `lat` and `lon`.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      latitudeDegrees: try node.member("lat").double(),
      longitudeDegrees: try node.member("lon").double())
  }
}
