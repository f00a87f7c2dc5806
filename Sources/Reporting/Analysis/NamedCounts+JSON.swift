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

  /// Appends what was left out or not followed, where there was any.
  mutating func append(membersOfBreaksIn sums: TrackSums) {
    for (name, path) in TrackSums.ofBreaks where sums[keyPath: path] > 0 {
      member(name, sums[keyPath: path])
    }
  }

  package mutating func members(of counts: EntryCounts) {
    members(of: counts, EntryCounts.ofPhone)
    object("suppressed") {
      for (reason, count) in counts.suppressed.nonZero { $0.member(named: reason.rawValue, count) }
    }
    members(of: counts, EntryCounts.ofUnlimited)
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
    for (name, path) in Self.ofBreaks {
      self[keyPath: path] += try node.optional("\(name)", JSONNode.integer) ?? 0
    }
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

// Writes the sums behind the totals, and reads them back. With them, totals can be added without
// the lines about tracks.

extension OutputBuffer {
  /// Appends the sums of the whole, of each person, and of each story that alerted.
  mutating func append(jsonLinesOfSumsIn totals: AnalysisTotals, _ stories: [Story]) {
    appendLine {
      $0.member("type", "sums")
      for (name, path) in AnalysisTotals.ratios {
        $0.member(name, integers: totals[keyPath: path].terms)
      }
      $0.member("loneTracks", totals.persons.loneTracks)
      $0.member("loneDays", keyed: totals.persons.loneDays)
      $0.members(of: totals.calendar)
      $0.members(of: totals.sums.measures)
      $0.array("profiles", totals.profiles) { profiles, profile in
        profiles.appendObject {
          $0.member("profile", profile.name)
          $0.member("trials", profile.trials)
          $0.member("byTrack", integers: profile.byTrack.terms)
          $0.member("heldBack", profile.heldBack)
          $0.member("untimedTracks", profile.untimedTracks)
        }
      }
    }
    for (name, person) in totals.persons.persons.sorted(by: { $0.key < $1.key }) {
      appendLine {
        $0.member("type", "sums-person")
        $0.member("person", name)
        $0.member("days", keyed: person.alertsByDay)
        for (name, path) in PersonTotals.Person.ratios {
          $0.member(name, integers: [person[keyPath: path].found, person[keyPath: path].all])
        }
      }
    }
    for story in totals.stories.crossedStories where totals.stories[story].moments > 0 {
      let account = totals.stories[story]
      appendLine {
        $0.member("type", "sums-story")
        $0.member("place", stories[story].id)
        $0.member("moments", account.moments)
        // Text, because other readers would round so large a number.
        $0.member("signature", String(account.signature, radix: 16))
      }
    }
  }
}

extension AnalysisTotals {
  fileprivate static var ratios: [(name: StaticString, path: WritableKeyPath<Self, RatioSum>)] {
    [("recall", \.recall), ("entryRecall", \.entryRecall), ("storyRecall", \.storyRecall)]
  }

  mutating func add(sums node: JSONNode) throws(JSONPathError) {
    for (name, path) in Self.ratios {
      self[keyPath: path].add(terms: try node.member("\(name)").integers(count: 6))
    }
    persons.add(
      loneTracks: try node.integer("loneTracks"),
      days: try node.member("loneDays").countsByNumber())
    try calendar.add(node)
    try sums.measures.add(node)
    for profile in try node.member("profiles").elements() {
      let number = self.profile(
        named: try profile.string("profile"), trials: try profile.integer("trials"))
      profiles[number].add(byTrack: try profile.member("byTrack").integers(count: 6))
      profiles[number].add(
        heldBack: try profile.integer("heldBack"),
        untimedTracks: try profile.integer("untimedTracks"))
    }
  }

  mutating func add(person node: JSONNode) throws(JSONPathError) {
    var person = PersonTotals.Person()
    person.alertsByDay = try node.member("days").countsByNumber()
    for (name, path) in PersonTotals.Person.ratios {
      let numbers = try node.member("\(name)").integers(count: 2)
      person[keyPath: path] = PersonTotals.Ratio(found: numbers[0], all: numbers[1])
    }
    persons.add(person, named: try node.string("person"))
  }
}

extension PersonTotals.Person {
  fileprivate static var ratios:
    [(name: StaticString, path: WritableKeyPath<Self, PersonTotals.Ratio>)]
  { [("recall", \.recall), ("entryRecall", \.entryRecall), ("storyRecall", \.storyRecall)] }
}

extension StoryAccount {
  mutating func add(sums node: JSONNode) throws(JSONPathError) {
    let member = try node.member("signature")
    guard let signature = UInt64(try member.string(), radix: 16) else {
      throw member.error("expected up to sixteen hexadecimal digits")
    }
    moments += try node.integer("moments")
    self.signature &+= signature
  }
}

extension JSONNode {
  /// The counts of an object whose keys are integers.
  func countsByNumber() throws(JSONPathError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for key in try keys() {
      guard let number = Int(key) else { throw error("“\(key)” must be a whole number") }
      counts[number] = try integer(key)
    }
    return counts
  }
}
