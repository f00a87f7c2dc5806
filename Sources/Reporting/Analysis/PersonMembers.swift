import FencepostAnalysis
import FencepostFormats
import FencepostTime

// Writes the JSON members about persons and days, and reads them back.
extension OutputBuffer {
  mutating func members(ofPersonOf account: TrackAccount) {
    if let person = account.person { member("person", person) }
    object("days") { days in
      for (day, alerts) in account.alertsByDay.sorted(by: { $0.key < $1.key }) {
        days.member(named: CivilDate(daysSince1970: day).text, alerts)
      }
    }
  }

  mutating func members(ofPersonsOf account: StoryAccount) {
    member("persons", account.persons)
    member("personDays", account.personDays)
    member("repeats", account.repeats)
  }

  /// Appends the alerts per person and day.
  mutating func members(ofPersonsIn totals: AnalysisTotals) {
    let fatigue = totals.persons.fatigue
    member("copies", totals.copies)
    member("persons", totals.persons.count)
    member("loneTracks", totals.persons.loneTracks)
    member("personDays", fatigue.days)
    object("alertsPerPersonDay") {
      $0.member("median", fatigue.quantile(0.5))
      $0.member("p90", fatigue.quantile(0.9))
      $0.member("most", fatigue.most)
    }
    member("fatigue", totals.fatigueLimit)
    member("personDaysOverFatigue", fatigue.days(over: totals.fatigueLimit))
  }

  /// Appends the settings about persons that differ from the defaults.
  mutating func members(ofPersonsIn settings: AnalysisSettings) {
    if let rule = settings.personRule { member("personBy", rule) }
    if settings.fatigueLimit != Fatigue.usualLimit { member("fatigue", settings.fatigueLimit) }
  }

  mutating func append(jsonLineOf copy: RepeatedTracks.Copy) {
    appendLine {
      $0.member("type", "copy")
      $0.member("track", copy.path)
      $0.member("of", copy.original)
      $0.member("share", copy.share, decimals: 4)
    }
  }
}

extension TrackAccount {
  /// Reads the person and the alerts of each day, which earlier versions did not write.
  mutating func readPerson(_ node: JSONNode) throws(JSONPathError) {
    person = try node.optionalMember("person")?.string()
    guard let days = try node.optionalMember("days") else { return }
    for key in try days.keys() {
      guard let date = CivilDate(text: key) else { throw days.error("“\(key)” must be a date") }
      alertsByDay[date.daysSince1970] = try days.member(key).integer()
    }
  }
}

extension StoryAccount {
  mutating func readPersons(_ node: JSONNode) throws(JSONPathError) {
    persons = try node.optionalMember("persons")?.integer() ?? 0
    personDays = try node.optionalMember("personDays")?.integer() ?? 0
    repeats = try node.optionalMember("repeats")?.integer() ?? 0
  }
}

extension CivilDate {
  /// The date in ISO 8601, such as `2026-03-04`.
  fileprivate var text: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  fileprivate init?(text: String) {
    guard let milliseconds = ISO8601.milliseconds(parsing: text), text.utf8.count == 10 else {
      return nil
    }
    self.init(daysSince1970: Int(milliseconds / 86_400_000))
  }
}

extension AnalysisSummary {
  /// The alerts per person and day, and what counts as a person.
  static func personLines(_ totals: AnalysisTotals) -> [String] {
    var lines: [String] = []
    if totals.copies > 0 {
      lines.append(
        "\(ReportNumber.counted(totals.copies, "walk")) repeat\(totals.copies == 1 ? "s" : "") "
          + "the fixes of another and \(totals.copies == 1 ? "is" : "are") not counted")
    }
    let fatigue = totals.persons.fatigue
    guard let median = fatigue.quantile(0.5), let ninetieth = fatigue.quantile(0.9),
      let most = fatigue.most
    else { return lines }
    let over = fatigue.days(over: totals.fatigueLimit)
    let persons = totals.persons
    let who =
      persons.count == 0
      ? "each walk counts as a reader; group them with --person-by"
      : ReportNumber.counted(persons.count, "reader")
        + (persons.loneTracks > 0
          ? " and \(ReportNumber.counted(persons.loneTracks, "walk")) without one" : "")
    lines.append(
      "Alerts per reader and day: median \(median), 90th percentile \(ninetieth), most \(most); "
        + "over \(totals.fatigueLimit) on "
        + "\(ReportNumber.percent(Double(over) / Double(fatigue.days))) of "
        + "\(ReportNumber.counted(fatigue.days, "day")) (\(who))"
    )
    return lines
  }
}
