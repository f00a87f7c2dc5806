import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications

// Reads the totals of some tracks back from their sums.
extension AnalysisTotals {
  mutating func add(sums node: JSONNode) throws(JSONPathError) {
    recall.add(terms: try node.member("recall").integers(count: 6))
    entryRecall.add(terms: try node.member("entryRecall").integers(count: 6))
    storyRecall.add(terms: try node.member("storyRecall").integers(count: 6))
    persons.add(
      loneTracks: try node.member("loneTracks").integer(),
      days: try node.member("loneDays").countsByNumber())
    try calendar.add(node)
    measures += try EntryMeasures(node)
    for profile in try node.member("profiles").elements() {
      let number = self.profile(
        named: try profile.member("profile").string(),
        trials: try profile.member("trials").integer())
      profiles[number].add(byTrack: try profile.member("byTrack").integers(count: 6))
      profiles[number].add(
        heldBack: try profile.member("heldBack").integer(),
        untimedTracks: try profile.member("untimedTracks").integer())
    }
  }

  mutating func add(person node: JSONNode) throws(JSONPathError) {
    var person = PersonTotals.Person()
    person.alertsByDay = try node.member("days").countsByNumber()
    person.recall = try PersonTotals.Ratio(node.member("recall"))
    person.entryRecall = try PersonTotals.Ratio(node.member("entryRecall"))
    person.storyRecall = try PersonTotals.Ratio(node.member("storyRecall"))
    persons.add(person, named: try node.member("person").string())
  }

  /// Adds the numbers of a `totals` line that are sums themselves.
  mutating func add(totals node: JSONNode) throws(JSONPathError) {
    tracks += try node.member("tracks").integer()
    stories.trackCount = tracks
    skipped += try node.member("skipped").integer()
    copies += try node.member("copies").integer()
    fixes += try node.member("fixes").integer()
    fixesOutside += try node.optionalMember("fixesOutside")?.integer() ?? 0
    rejected += try node.member("rejected").integer()
    let reasons = try node.member("rejectedByReason")
    for reason in try reasons.keys() {
      rejectedByReason[reason, default: 0] += try reasons.member(reason).integer()
    }
    lengthMillimeters += try node.member("lengthMillimeters").integer()
    travelMilliseconds += try node.member("travelMilliseconds").integer()
    refreshes += try node.member("refreshes").integer()
    failedRefreshes += try node.member("failedRefreshes").integer()
    counts += try EntryCounts(node)
    verdicts += try VerdictCounts(node.member("verdicts"))
    mostCircles = max(mostCircles, try node.member("mostCircles").integer())
    certifiedTracks += try node.member("certifiedTracks").integer()
    uncertifiedTracks += try node.member("uncertifiedTracks").integer()
    if let cost = try ReminderCost(in: node) { add(cost) }
    let hours = try node.member("alertsByHour").integers(count: 24)
    for (hour, alerts) in hours.enumerated() { alertsByHour[hour] += alerts }
  }

  mutating func add(spot node: JSONNode) throws(JSONPathError) {
    add(
      CrowdedSpot(
        coordinate: try Coordinate(node), circles: try node.member("circles").integer(),
        tracks: try node.member("tracks").integer()))
  }
}

extension StoryAccount {
  mutating func add(sums node: JSONNode) throws(JSONPathError) {
    let member = try node.member("signature")
    guard let signature = UInt64(try member.string(), radix: 16) else {
      throw member.error("expected up to sixteen hexadecimal digits")
    }
    moments += try node.member("moments").integer()
    self.signature &+= signature
  }
}

extension PersonTotals.Ratio {
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    let numbers = try node.integers(count: 2)
    self.init(found: numbers[0], all: numbers[1])
  }
}

extension JSONNode {
  /// The integers of an array, which must have `count` elements.
  func integers(count: Int) throws(JSONPathError) -> [Int] {
    var numbers: [Int] = []
    for element in try elements() { numbers.append(try element.integer()) }
    guard numbers.count == count else { throw error("expected \(count) numbers") }
    return numbers
  }

  /// The counts of an object whose keys are integers.
  func countsByNumber() throws(JSONPathError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for key in try keys() {
      guard let number = Int(key) else { throw error("“\(key)” must be a whole number") }
      counts[number] = try member(key).integer()
    }
    return counts
  }
}
