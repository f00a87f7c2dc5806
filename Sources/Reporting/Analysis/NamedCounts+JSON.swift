package import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications
import FencepostPhones
import FencepostTime

// Writes numbers that analyses add up, and adds what was written to others.

extension OutputBuffer {
  mutating func members<Root: NamedCounts>(of root: Root, _ counts: [Count<Root>] = Root.counts) {
    for (name, path) in counts { member(name, root[keyPath: path]) }
  }

  package mutating func members(of counts: EntryCounts) {
    members(of: counts, EntryCounts.ofPhone)
    object("suppressed") {
      for (reason, count) in counts.suppressed.nonZero { $0.member(named: reason.rawValue, count) }
    }
    members(of: counts, EntryCounts.ofOracle)
  }

  mutating func member(_ key: StaticString, _ counts: VerdictCounts) {
    object(key) {
      for verdict in Verdict.allCases { $0.member(named: verdict.rawValue, counts[verdict]) }
    }
  }

  mutating func member(_ key: StaticString, integers: some Sequence<Int>) {
    array(key, integers) { $0.append(decimal: $1) }
  }

  /// Appends counts by number, ascending, under the names of the numbers.
  mutating func member(
    _ key: StaticString, keyed counts: [Int: Int], name: (Int) -> String = { String($0) }
  ) {
    object(key) { object in
      for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
        object.member(named: name(number), count)
      }
    }
  }

  /// Appends both ends of an interval, or `null`.
  mutating func member(_ key: StaticString, _ interval: ClosedRange<Double>?, decimals: Int = 6) {
    self.key(key)
    guard let interval else { return append("null") }
    appendArray([interval.lowerBound, interval.upperBound]) { $0.append($1, decimals: decimals) }
  }

  /// Appends a ratio and its interval, such as `"recall":0.77,"recallInterval":[0.7,0.83]`.
  mutating func member(_ key: StaticString, intervalKey: StaticString, _ sum: RatioSum) {
    member(key, sum.ratio, decimals: 6)
    member(intervalKey, sum.interval)
  }

  mutating func member(_ key: StaticString, _ sketch: QuantileSketch) {
    let kept = sketch.kept
    object(key) {
      $0.member("first", kept.first)
      $0.member("thousandths", kept.thousandths)
      $0.member("counts", integers: kept.bins)
    }
  }

  mutating func members(of measures: EntryMeasures) {
    for (name, path) in EntryMeasures.sketches { member(name, measures[keyPath: path]) }
  }

  /// Appends a calendar as sums: alerts and days for each weekday and month.
  mutating func members(of calendar: AlertCalendar) {
    array("weekdays", calendar.weekdays) {
      $0.appendArray([$1.alerts, $1.trackDays]) { $0.append(decimal: $1) }
    }
    array("months", calendar.months.sorted { $0.key < $1.key }) {
      $0.appendArray([$1.key.year, $1.key.month, $1.value.alerts, $1.value.trackDays]) {
        $0.append(decimal: $1)
      }
    }
  }

  mutating func member(_ cost: ReminderCost) {
    object("reminders") {
      $0.members(of: cost.withStories)
      $0.object("withoutStories") { $0.members(of: cost.withoutStories) }
    }
  }
}

// MARK: - Reading

extension NamedCounts {
  mutating func add(_ node: JSONNode, _ counts: [Count<Self>] = Self.counts) throws(JSONPathError) {
    for (name, path) in counts { self[keyPath: path] += try node.integer("\(name)") }
  }
}

extension EntryCounts {
  mutating func add(_ node: JSONNode) throws(JSONPathError) {
    try add(node, Self.counts)
    let held = try node.member("suppressed")
    for reason in SuppressionReason.allCases {
      if let count = try held.optional(reason.rawValue, JSONNode.integer) {
        suppressed[reason, default: 0] += count
      }
    }
  }
}

extension VerdictCounts {
  mutating func add(_ node: JSONNode) throws(JSONPathError) {
    for verdict in Verdict.allCases { self[verdict] += try node.integer(verdict.rawValue) }
  }
}

extension QuantileSketch {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      bins: try node.member("counts").integers(), first: try node.integer("first"),
      thousandths: try node.integer("thousandths"))
  }
}

extension EntryMeasures {
  /// Adds the bins, which earlier versions did not write.
  mutating func add(_ node: JSONNode) throws(JSONPathError) {
    for (name, path) in Self.sketches {
      guard let bins = try node.optionalMember("\(name)") else { continue }
      self[keyPath: path].merge(try QuantileSketch(bins))
    }
  }
}

extension AlertCalendar {
  mutating func add(_ node: JSONNode) throws(JSONPathError) {
    for (weekday, count) in try node.member("weekdays").elements().prefix(7).enumerated() {
      let numbers = try count.integers(count: 2)
      add(Count(alerts: numbers[0], trackDays: numbers[1]), weekday: weekday)
    }
    for month in try node.member("months").elements() {
      let numbers = try month.integers(count: 4)
      add(
        Count(alerts: numbers[2], trackDays: numbers[3]),
        month: Month(year: numbers[0], month: numbers[1]))
    }
  }
}

extension ReminderCost {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    try withStories.add(node)
    try withoutStories.add(node.member("withoutStories"))
  }
}

extension TrackSums {
  /// Adds the numbers of a line about one track or about all, except for the verdicts.
  mutating func add(_ node: JSONNode) throws(JSONPathError) {
    try add(node, Self.ofFixes + Self.ofPaths)
    fixesOutside += try node.optional("fixesOutside", JSONNode.integer) ?? 0
    if let reasons = try node.optionalMember("rejectedByReason") {
      for reason in try reasons.keys() {
        rejectedByReason[reason, default: 0] += try reasons.integer(reason)
      }
    }
    try counts.add(node)
    mostCircles = max(mostCircles, try node.integer("mostCircles"))
    let hours = try node.member("alertsByHour").integers(count: 24)
    for (hour, alerts) in hours.enumerated() { alertsByHour[hour] += alerts }
    try measures.add(node)
    if let cost = try node.optionalMember("reminders") {
      reminders = (reminders ?? .init()) + (try ReminderCost(cost))
    }
  }
}

extension Coordinate {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(latitudeDegrees: try node.double("lat"), longitudeDegrees: try node.double("lon"))
  }
}

extension CivilDate {
  /// The date in ISO 8601, such as `2026-03-04`.
  var text: String {
    String(ISO8601.string(milliseconds: Int64(daysSince1970) * 86_400_000).prefix { $0 != "T" })
  }

  init?(text: String) {
    guard let milliseconds = ISO8601.milliseconds(parsing: text), text.utf8.count == 10 else {
      return nil
    }
    self.init(daysSince1970: Int(milliseconds / 86_400_000))
  }
}
