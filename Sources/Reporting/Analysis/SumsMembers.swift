import FencepostAnalysis

// Writes the sums behind the totals. With them, totals can be added without the lines about tracks.
// `SumsParsing` reads them back.
extension OutputBuffer {
  /// Appends the sums of the whole, of each person, and of each story that alerted.
  mutating func append(jsonLinesOfSumsIn totals: AnalysisTotals, _ stories: [Story]) {
    append(jsonLineOfSumsIn: totals)
    for (name, person) in totals.persons.persons.sorted(by: { $0.key < $1.key }) {
      appendLine {
        $0.member("type", "sums-person")
        $0.member("person", name)
        $0.member("days", keyed: person.alertsByDay)
        $0.member("recall", person.recall)
        $0.member("entryRecall", person.entryRecall)
        $0.member("storyRecall", person.storyRecall)
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

  private mutating func append(jsonLineOfSumsIn totals: AnalysisTotals) {
    appendLine {
      $0.member("type", "sums")
      $0.member("recall", totals.recall)
      $0.member("entryRecall", totals.entryRecall)
      $0.member("storyRecall", totals.storyRecall)
      $0.member("loneTracks", totals.persons.loneTracks)
      $0.member("loneDays", keyed: totals.persons.loneDays)
      $0.members(of: totals.calendar)
      $0.members(of: totals.measures)
      $0.array("profiles", totals.profiles) { profiles, profile in
        profiles.appendObject {
          $0.member("profile", profile.name)
          $0.member("trials", profile.trials)
          $0.member("byTrack", profile.byTrack)
          $0.member("heldBack", profile.heldBack)
          $0.member("untimedTracks", profile.untimedTracks)
        }
      }
    }
  }

  private mutating func member(_ key: StaticString, _ sum: RatioSum) {
    array(key, sum.terms) { $0.append(decimal: $1) }
  }

  private mutating func member(_ key: StaticString, _ ratio: PersonTotals.Ratio) {
    array(key, [ratio.found, ratio.all]) { $0.append(decimal: $1) }
  }

  mutating func member(_ key: StaticString, keyed counts: [Int: Int]) {
    object(key) { object in
      for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
        object.member(named: String(number), count)
      }
    }
  }
}
