import FencepostAnalysis
import FencepostFormats

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
