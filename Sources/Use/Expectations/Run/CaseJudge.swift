import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting

/// Holds the walks of one case to its expectations.
///
/// The runs are over before it is made; only phones are simulated when an expectation needs it.
struct CaseJudge {
  /// An alert, or an entry that was held back.
  ///
  /// Missed entries are not among them, as no one noticed them.
  struct Happening {
    /// The id of the story.
    var story: String
    /// The index of the story among all.
    var index: Int
    /// The index of the walk.
    var walk: Int
    /// In milliseconds since 1970-01-01T00:00:00Z; nil if the walk has no times.
    var milliseconds: Int64?
    var coordinate: Coordinate
    /// Why there was no alert; nil for an alert.
    var suppression: SuppressionReason?
  }

  let runs: [WhatIf.Kept]
  let tracks: [RecordedTrack]
  let rules: CaseRules
  /// Alerts and entries held back, in the order of the walks.
  let happenings: [Happening]
  private let whatIf: WhatIf
  /// The most simulations that decide a probability.
  private let mostTrials: Int
  private let simulations = Simulations()

  init(
    _ whatIf: WhatIf, _ runs: [WhatIf.Kept], _ tracks: [RecordedTrack], _ rules: CaseRules,
    mostTrials: Int = 0
  ) {
    (self.whatIf, self.runs, self.tracks) = (whatIf, runs, tracks)
    (self.rules, self.mostTrials) = (rules, mostTrials)
    happenings = runs.enumerated().flatMap { walk, kept in
      kept.run.entries.compactMap { entry in
        guard entry.isAlert || entry.suppression != nil else { return nil }
        return Happening(
          story: kept.stories.stories[entry.story].id, index: entry.story, walk: walk,
          milliseconds: entry.deliveryMilliseconds ?? entry.foundMilliseconds
            ?? entry.timeMilliseconds,
          coordinate: Self.coordinate(of: entry, kept.run, tracks[walk]),
          suppression: entry.isAlert ? nil : entry.suppression)
      }
    }
  }

  var stories: StoryIndex { whatIf.stories }

  var alerts: [Happening] { happenings.filter { $0.suppression == nil } }

  /// Where the phone noticed an entry, which a lookup may have found later.
  private static func coordinate(
    of entry: EntryRecord, _ run: TrackRun, _ track: RecordedTrack
  ) -> Coordinate {
    guard let fix = entry.foundFix else { return entry.coordinate }
    let lookup = run.refreshLog.first {
      $0.fix == fix && $0.timeMilliseconds == entry.foundMilliseconds
    }
    return lookup?.coordinate ?? track.fixes[fix].coordinate
  }

  // MARK: Findings

  /// What an expectation found, and why it failed.
  func finding(of expectation: StoryExpectation) throws -> CaseResult.Finding {
    do {
      switch expectation.kind {
      case .alert(let subject, let bounds) where rules.chance != nil:
        // Where and when phones alert depends on chance, so bounds hold for the path itself.
        let finding = try finding(expectation, subject, .half)
        guard finding.outcome == .passed, !bounds.isEmpty else { return finding }
        let alerts = try self.alerts(of: subject)
        return try self.finding(
          expectation, alerts.contains { meets($0, bounds) }, alerts, about: subject)
      case .noAlert(let subject) where rules.chance != nil:
        return try finding(expectation, subject, .fewerThanHalf)
      case .alert(let subject, let bounds):
        let alerts = try self.alerts(of: subject)
        let isMet = alerts.contains { meets($0, bounds) }
        return try finding(expectation, isMet, alerts, about: subject)
      case .noAlert(let subject):
        let alerts = try self.alerts(of: subject)
        return try finding(expectation, alerts.isEmpty, alerts, about: subject)
      case .suppressed(let subject, let reason, let bounds):
        let matches = try subject.matcher(in: stories)
        let isMet = happenings.contains {
          matches($0.index) && $0.suppression != nil
            && (reason == nil || reason == $0.suppression) && meets($0, bounds)
        }
        let others = happenings.filter { matches($0.index) }
        return try finding(expectation, isMet, others, about: subject)
      case .count(let count):
        guard let chance = rules.chance else { return try finding(expectation, of: count) }
        return try finding(expectation, of: count, chance)
      case .order(let subjects):
        if rules.chance != nil {
          // The order is that of the path itself, but phones must alert at all.
          for subject in subjects {
            let finding = try finding(expectation, subject, .half)
            guard finding.outcome == .passed else { return finding }
          }
        }
        return try finding(expectation, inOrder: subjects)
      case .certified(let isWanted):
        let isCertified = runs.allSatisfy { $0.run.isCertified == true }
        let hasReason = runs.contains { $0.run.isCertified != nil }
        let lack = hasReason ? "no certificate" : "no certificate, which needs refresh: adaptive"
        return isCertified == isWanted
          ? expectation.passed : expectation.failed(isCertified ? "a certificate" : lack)
      case .reminder(let id, let isShown, let bounds):
        return try finding(expectation, reminder: id, isShown: isShown, bounds)
      case .probability(let subject, let bound):
        return try finding(expectation, subject, bound)
      }
    } catch let unfit as StorySubject.Unfit { return expectation.failed(unfit.sentence) }
  }

  private func alerts(of subject: StorySubject) throws(StorySubject.Unfit) -> [Happening] {
    let matches = try subject.matcher(in: stories)
    return alerts.filter { matches($0.index) }
  }

  /// Whether an alert came between the times and within the distance.
  private func meets(_ alert: Happening, _ bounds: AlertBounds) -> Bool {
    guard bounds.contain(alert.milliseconds, in: rules.zone) else { return false }
    guard let within = bounds.within else { return true }
    let point = within.point ?? stories.stories[alert.index].coordinate
    // An entry lies on the edge up to rounding, which must not decide.
    return Geodesic.distanceMeters(alert.coordinate, point) <= within.meters + 0.01
  }

  private func finding(
    _ expectation: StoryExpectation, _ isMet: Bool, _ happenings: [Happening],
    about subject: StorySubject
  ) throws(StorySubject.Unfit) -> CaseResult.Finding {
    guard !isMet else { return expectation.passed }
    let story = try subject.index(in: stories) ?? happenings.first?.index
    return expectation.failed(list(happenings), reasons(story))
  }

  private func finding(
    _ expectation: StoryExpectation, of count: AlertCount
  ) throws(StorySubject.Unfit) -> CaseResult.Finding {
    var alerts = self.alerts
    if let subject = count.subject { alerts = try self.alerts(of: subject) }
    let groups = count.isPerDay ? days(alerts) : walks(alerts)
    let wrong = groups.first {
      count.isMost ? $0.1.count > count.alerts : $0.1.count < count.alerts
    }
    guard let (place, counted) = wrong else { return expectation.passed }
    let number = ReportNumber.counted(counted.count, "alert")
    let listed = counted.isEmpty ? "" : ": \(list(counted))"
    return expectation.failed(
      [number, place].filter { !$0.isEmpty }.joined(separator: " ") + listed)
  }

  /// The alerts of each walk, which is named only if there are several.
  private func walks(_ alerts: [Happening]) -> [(String, [Happening])] {
    tracks.indices.map { walk in
      (tracks.count > 1 ? "on \(tracks[walk].name)" : "", alerts.filter { $0.walk == walk })
    }
  }

  /// The alerts of each local day with a fix, in order.
  private func days(_ alerts: [Happening]) -> [(String, [Happening])] {
    var counter = DayCounter(zone: rules.zone)
    for track in tracks { for fix in track.fixes { counter.take(fix.timeMilliseconds) } }
    return counter.alerts(of: []).keys.sorted().map { day in
      (
        Self.words(ofDay: day),
        alerts.filter {
          $0.milliseconds.map { DayCounter.day(of: $0, in: rules.zone) } == day
        }
      )
    }
  }

  /// A day since 1970 in words, such as `on 2026-03-04`.
  private static func words(ofDay day: Int) -> String {
    "on \(ExplanationWriter.instant(Int64(day) * 86_400_000, in: .utc).prefix(10))"
  }

  private func finding(
    _ expectation: StoryExpectation, inOrder subjects: [StorySubject]
  ) throws(StorySubject.Unfit) -> CaseResult.Finding {
    var firsts: [(Int, Happening)] = []
    for subject in subjects {
      let matches = try subject.matcher(in: stories)
      let alerts = self.alerts.enumerated()
      guard let first = alerts.first(where: { matches($0.element.index) }) else {
        return expectation.failed("no alert of \(subject)", reasons(try subject.index(in: stories)))
      }
      firsts.append((first.offset, first.element))
    }
    if zip(firsts, firsts.dropFirst()).allSatisfy({ $0.0 < $1.0 }) { return expectation.passed }
    return expectation.failed(list(firsts.sorted { $0.0 < $1.0 }.map(\.1)))
  }

  private func finding(
    _ expectation: StoryExpectation, reminder id: String, isShown: Bool, _ bounds: AlertBounds
  ) throws(StorySubject.Unfit) -> CaseResult.Finding {
    guard let reminders = rules.reminders else {
      throw StorySubject.Unfit(sentence: "no reminders. Name their file, as in reminders: r.json")
    }
    guard reminders.document.reminders.contains(where: { $0.id == id }) else {
      throw StorySubject.Unfit(sentence: "no reminder \(id) in the file of reminders")
    }
    let moments = tracks.flatMap { whatIf.moments(of: id, among: reminders, on: $0) }
      .filter { bounds.contain($0.timeMilliseconds, in: rules.zone) }
    let outcomes = moments.compactMap(\.isShown)
    let isLost = outcomes.contains(false)
    guard outcomes.isEmpty || isLost == isShown else { return expectation.passed }
    return expectation.failed(
      outcomes.isEmpty ? "neither due nor crossed" : isLost ? "lost" : "shown",
      moments.suffix(3).map { moment in
        (moment.timeMilliseconds.map { clock($0) + " " } ?? "") + moment.sentence + "."
      })
  }

  // MARK: Words

  /// Up to eight happenings in a line, with the local time of each.
  private func list(_ happenings: [Happening]) -> String {
    guard !happenings.isEmpty else { return "no alert" }
    let shown = happenings.prefix(8).map { one in
      var words = one.story
      if let reason = one.suppression { words += " held back (\(reason.rawValue))" }
      guard let time = one.milliseconds else { return words }
      return "\(words) at \(clock(time))"
    }
    let rest = happenings.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The time of day, or the instant if the walks cover more than one day.
  private func clock(_ milliseconds: Int64) -> String {
    guard !spansDays,
      let time = TimeOfDay(secondOfDay: rules.zone.secondOfDay(atMilliseconds: milliseconds))
    else { return ExplanationWriter.instant(milliseconds, in: rules.zone) }
    return time.description
  }

  var spansDays: Bool {
    let ends = tracks.flatMap { [$0.fixes.first, $0.fixes.last] }
    let days = ends.compactMap { $0?.timeMilliseconds }
      .map { DayCounter.day(of: $0, in: rules.zone) }
    return Set(days).count > 1
  }

  /// Why a story did what it did, on the walk where it was entered, or else on the first.
  private func reasons(_ story: Int?, chance: Bool = false) -> [String] {
    guard let story else { return [] }
    let walk = self.walk(of: story)
    // The walk has just been followed, so the only failure is an interruption.
    let explanation = try? whatIf.explain(
      story, on: tracks[walk], after: Array(tracks[..<walk]), chance: chance ? rules.chance : nil)
    return explanation.map { ExplanationWriter($0, zone: rules.zone).sentences.map(\.text) } ?? []
  }

  private func walk(of story: Int) -> Int {
    runs.firstIndex { $0.run.entries.contains { $0.story == story } } ?? 0
  }
}

extension StoryExpectation {
  fileprivate var passed: CaseResult.Finding { .init(expectation: self, outcome: .passed) }

  fileprivate func failed(_ found: String, _ reasons: [String] = []) -> CaseResult.Finding {
    .init(expectation: self, outcome: .failed, found: found, reasons: reasons)
  }
}

// MARK: - Phones

extension CaseJudge {
  /// Simulates until the interval lies on one side of the bound, with twice the trials each time.
  ///
  /// The story that most phones alert for decides, on the walk where most do.
  private func finding(
    _ expectation: StoryExpectation, _ subject: StorySubject, _ bound: ProbabilityBound
  ) throws -> CaseResult.Finding {
    let matches: (Int) -> Bool
    do throws(StorySubject.Unfit) { matches = try subject.matcher(in: stories) } catch {
      return expectation.failed(error.sentence)
    }
    guard var chance = rules.chance else {
      return expectation.failed(
        "no simulated phone. A probability needs one, such as profile: iphone in a file, or phone: "
          + ".iphone in code")
    }
    while true {
      let shown = try shownAlerts(chance).compactMap(\.self)
      guard !shown.isEmpty else { return expectation.failed(Self.untimed) }
      var best = (
        story: try subject.index(in: stories), ShownAlerts(trials: chance.simulation.trials)
      )
      for (story, alerts) in shown.flatMap({ $0 }).sorted(by: { $0.key < $1.key })
      where matches(story) && alerts.phones > best.1.phones {
        best = (story, alerts)
      }
      let interval = best.1.interval
      let words =
        "\(ReportNumber.phones(best.1.share, of: best.1.trials)) of "
        + "\(ReportNumber.counted(best.1.trials, "simulation")) alerted "
        + "(\(ReportNumber.interval(interval.low...interval.high, of: best.1.trials)))"
      let isAbove = interval.low >= bound.share
      if isAbove || interval.high < bound.share {
        guard isAbove != bound.isLeast else { return expectation.passed }
        return expectation.failed(words, reasons(best.story, chance: true))
      }
      guard chance.simulation.trials < mostTrials else {
        return CaseResult.Finding(
          expectation: expectation, outcome: .undecided,
          found: words + ", which does not decide it")
      }
      chance.simulation.trials = min(2 * chance.simulation.trials, mostTrials)
    }
  }

  private static let untimed = "a walk without times, on which no phone can be simulated"

  /// Counts the alerts that a phone shows on average: on each walk, or on the day of the walk.
  private func finding(
    _ expectation: StoryExpectation, of count: AlertCount, _ chance: ChanceOptions
  ) throws -> CaseResult.Finding {
    let matches = try count.subject?.matcher(in: stories)
    var groups: [(place: String, alerts: Int)] = []
    var days: [Int: Int] = [:]
    for (track, shown) in zip(tracks, try shownAlerts(chance)) {
      guard let shown else { return expectation.failed(Self.untimed) }
      let alerts = shown.reduce(0) { sum, story in
        matches?(story.key) == false ? sum : sum + story.value.alerts
      }
      groups.append((tracks.count > 1 ? "on \(track.name)" : "", alerts))
      guard count.isPerDay else { continue }
      let ends = [track.fixes.first, track.fixes.last].compactMap { $0?.timeMilliseconds }
      let walked = Set(ends.map { DayCounter.day(of: $0, in: rules.zone) })
      guard walked.count == 1, let day = walked.first else {
        return expectation.failed(
          "a walk over several days, whose alerts on a phone are not counted day by day")
      }
      days[day, default: 0] += alerts
    }
    if count.isPerDay {
      groups = days.sorted { $0.key < $1.key }.map { (Self.words(ofDay: $0.key), $0.value) }
    }
    let wrong = groups.first {
      let most = count.alerts * chance.simulation.trials
      return count.isMost ? $0.alerts > most : $0.alerts < most
    }
    guard let wrong else { return expectation.passed }
    let mean = ReportNumber.mean(Double(wrong.alerts) / Double(chance.simulation.trials))
    return expectation.failed(
      ["\(mean) alerts on average", wrong.place].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// What the first phone shows of each story on each walk; nil for a walk without times.
  func shownAlerts(_ chance: ChanceOptions) throws -> [[Int: ShownAlerts]?] {
    let trials = chance.simulation.trials
    if let known = simulations.byTrials[trials] { return known }
    var found: [[Int: ShownAlerts]?] = []
    for track in tracks {
      guard let phone = try whatIf.chances(on: track, chance)?.phones.first else {
        throw CancellationError()
      }
      let stories = phone.stories.map { ($0.story, $0.chance.shown) }
      found.append(phone.isTimed ? Dictionary(uniqueKeysWithValues: stories) : nil)
    }
    simulations.byTrials[trials] = found
    return found
  }

  /// The simulations of a case's walks, each made once.
  ///
  /// It is a class because a judge is a value that does not change.
  final class Simulations {
    fileprivate var byTrials: [Int: [[Int: ShownAlerts]?]] = [:]
  }
}
