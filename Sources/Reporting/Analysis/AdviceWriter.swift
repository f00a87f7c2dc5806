import Fencepost
public import FencepostAnalysis
import FencepostGeodesy
public import FencepostMonitoring
import FencepostNotifications

/// Writes advice.
///
/// As NDJSON: a line `proposal` for each change, a line `story` for each story that alerts more or less often, and a
/// line `advice` with the totals.
public struct AdviceWriter: Sendable {
  private let advice: Advice

  /// Makes a writer.
  public init(_ advice: Advice) {
    self.advice = advice
  }

  // MARK: NDJSON

  /// Appends one JSON object a line.
  public func writeNDJSON(to output: inout OutputBuffer) {
    for number in advice.proposals.indices {
      output.appendLine { write(number, to: &$0) }
    }
    let titles = Dictionary(
      (advice.places + advice.proposals.flatMap(\.change.before)).map { ($0.id, $0.title) }
    ) { first, _ in first }
    for id in advice.changedStories {
      let (before, after) = (advice.whole.before.stories[id], advice.whole.after.stories[id])
      output.appendLine {
        $0.member("type", "story")
        $0.member("place", id)
        $0.member("title", titles[id] ?? "")
        $0.member("alertsBefore", before?.alerts ?? 0)
        $0.member("alertsAfter", after?.alerts ?? 0)
        $0.member("personsBefore", before?.persons ?? 0)
        $0.member("personsAfter", after?.persons ?? 0)
      }
    }
    output.appendLine { writeTotals(to: &$0) }
  }

  /// Appends the members of a proposal.
  func write(_ number: Int, to output: inout OutputBuffer) {
    let proposal = advice.proposals[number]
    let sentences = AdviceSentences(proposal)
    output.member("type", "proposal")
    output.member("number", number + 1)
    output.member("kind", proposal.change.kind.rawValue)
    output.member("change", sentences.change)
    output.member("why", sentences.why)
    Self.write(proposal.effect, to: &output)
    if let keptBack = proposal.keptBack {
      output.object("keptBack") { Self.write(keptBack, to: &$0) }
    }
    let after = proposal.change.after
    output.array("places", proposal.change.before) { output, place in
      output.appendObject {
        $0.member("place", place.id)
        $0.member("title", place.title)
        $0.members(of: place.coordinate)
        $0.member("radius", place.radiusMeters, decimals: 3)
        guard let after, after.id == place.id else { return $0.member("removed", true) }
        if after.coordinate != place.coordinate {
          $0.member("newLat", after.coordinate.latitudeDegrees, decimals: 7)
          $0.member("newLon", after.coordinate.longitudeDegrees, decimals: 7)
        }
        if after.radiusMeters != place.radiusMeters {
          $0.member("newRadius", after.radiusMeters, decimals: 3)
        }
        if after.blurb != place.blurb { $0.member("newBlurb", after.blurb) }
      }
    }
    guard let rule = proposal.change.rule else { return }
    output.object("rule") {
      $0.member("limit", rule.limit)
      $0.member("refresh", rule.refresh.rawValue)
      $0.member(
        "significantChange", rule.refresh == .fixed ? rule.significantChangeMeters : nil,
        decimals: 3)
      $0.member("rank", rule.refresh == .adaptive ? "edge" : rule.rank.rawValue)
    }
  }

  private static func write(_ effect: Advice.Effect, to output: inout OutputBuffer) {
    output.member("alerts", effect.alerts)
    output.member("persons", effect.persons)
    output.member("refreshes", effect.refreshes)
    output.member("mostAlertsPerDay", effect.after.fatigue.most)
  }

  /// Appends the members of the totals.
  func writeTotals(to output: inout OutputBuffer) {
    output.member("type", "advice")
    output.member("proposals", advice.proposals.count)
    output.member("tried", advice.tried)
    if advice.isInterrupted { output.member("interrupted", true) }
    output.array("options", optionsOfRule) { $0.append(json: $1) }
    output.array("removed", advice.removedIDs) { $0.append(json: $1) }
    output.object("before") { Self.write(advice.whole.before, to: &$0) }
    output.object("after") { Self.write(advice.whole.after, to: &$0) }
    guard let keptBack = advice.keptBack else { return }
    for (key, effect) in [("advised", advice.effect), ("keptBack", keptBack)] {
      output.key(named: key)
      output.appendObject {
        $0.object("before") { Self.write(effect.before, to: &$0) }
        $0.object("after") { Self.write(effect.after, to: &$0) }
      }
    }
  }

  private static func write(_ tally: AdviceTally, to output: inout OutputBuffer) {
    output.member("tracks", tally.tracks)
    output.member("persons", tally.persons)
    output.members(of: tally.counts)
    output.member("recall", tally.counts.recall, decimals: 6)
    output.member("reached", tally.reached)
    output.member("refreshes", tally.refreshes)
    output.member("lengthMillimeters", tally.lengthMillimeters)
    output.member("refreshesPerKilometer", tally.refreshesPerKilometer, decimals: 4)
    output.member("personDays", tally.fatigue.days)
    output.member("mostAlertsPerDay", tally.fatigue.most)
  }

  /// The options that make the rule after all changes of the one before.
  public var optionsOfRule: [String] {
    advice.session.monitoring.arguments(insteadOf: advice.options.session.monitoring)
  }

  // MARK: CSV

  /// Appends a table for spreadsheets.
  public func writeCSV(to output: inout OutputBuffer) {
    output.append("number,kind,places,change,why,alerts,persons,refreshes,most_alerts_per_day,")
    output.append("kept_back_alerts,kept_back_persons\r\n")
    for (number, proposal) in advice.proposals.enumerated() {
      let sentences = AdviceSentences(proposal)
      output.append(decimal: number + 1)
      output.field(proposal.change.kind.rawValue)
      output.field(proposal.change.before.map(\.id).joined(separator: " "))
      output.field(sentences.change)
      output.field(sentences.why)
      output.field(proposal.effect.alerts)
      output.field(proposal.effect.persons)
      output.field(proposal.effect.refreshes)
      output.field(proposal.effect.after.fatigue.most)
      output.field(proposal.keptBack?.alerts)
      output.field(proposal.keptBack?.persons)
      output.append("\r\n")
    }
  }

  // MARK: Text

  /// Appends tables and sentences for people.
  public func writeText(to output: inout OutputBuffer, layout: TextLayout) {
    if !advice.proposals.isEmpty {
      writeTable(to: &output, layout)
      layout.writeHeading("Why", to: &output)
      for (number, proposal) in advice.proposals.enumerated() {
        output.append(verbatim: "\(number + 1)  \(AdviceSentences(proposal).why.forTerminal)\n")
      }
      output.append("\n")
    }
    for line in lines { output.append(verbatim: line.forTerminal + "\n") }
  }

  private func writeTable(to output: inout OutputBuffer, _ layout: TextLayout) {
    let hasTest = advice.keptBack != nil
    var columns: [TextTable.Column] = [
      .left("Change"), "alerts", "persons", "refreshes", "most a day",
    ]
    if hasTest { columns.append("kept back") }
    var table = TextTable(columns)
    for (number, proposal) in advice.proposals.enumerated() {
      let effect = proposal.effect
      var row = [
        "\(number + 1)  \(AdviceSentences(proposal).change)", Self.signed(effect.alerts),
        Self.signed(effect.persons), Self.signed(effect.refreshes),
        effect.after.fatigue.most.map(String.init) ?? "–",
      ]
      if hasTest { row.append(Self.signed(proposal.keptBack?.alerts ?? 0)) }
      table.append(row)
    }
    table.write(to: &output, layout: layout)
  }

  /// The totals in sentences, without a full stop.
  public var lines: [String] {
    let whole = advice.whole
    var lines: [String] = []
    if advice.proposals.isEmpty {
      lines.append(
        "Nothing that may be changed gains \(gainWanted); the stories can stay as they are")
    }
    lines.append(
      "\(ReportNumber.counted(whole.before.tracks, "track")) of "
        + "\(ReportNumber.counted(whole.before.persons, "person")); rule: "
        + AdviceSentences.rule(advice.options.session.monitoring))
    guard !advice.proposals.isEmpty else { return lines }
    lines += Self.lines(whole)
    if let keptBack = advice.keptBack {
      lines.append(
        "On the \(ReportNumber.counted(keptBack.before.tracks, "track")) kept back "
          + "\(Self.alerts(keptBack)), on the "
          + "\(ReportNumber.counted(advice.effect.before.tracks, "track")) that the changes were "
          + "chosen by \(Self.alerts(advice.effect))")
    } else {
      lines.append(
        "Measured on the tracks that the changes were chosen by; --test-share 0.3 keeps some back "
          + "to measure on")
    }
    return lines
  }

  private var gainWanted: String {
    advice.options.leastGain == 1
      ? "an alert" : ReportNumber.counted(advice.options.leastGain, "alert")
  }

  /// `42 alerts become 55`.
  private static func alerts(_ effect: Advice.Effect) -> String {
    ReportNumber.counted(effect.before.counts.alerts, "alert") + " become "
      + ReportNumber.count(effect.after.counts.alerts)
  }

  private static func lines(_ effect: Advice.Effect) -> [String] {
    let (before, after) = (effect.before, effect.after)
    func recall(_ tally: AdviceTally) -> String { ReportNumber.percent(tally.counts.recall) }
    func most(_ tally: AdviceTally) -> String { tally.fatigue.most.map(String.init) ?? "–" }
    return [
      "\(ReportNumber.counted(before.counts.alerts, "alert")) become "
        + "\(ReportNumber.count(after.counts.alerts)); recall \(recall(before)) becomes "
        + recall(after),
      "Stories reach \(ReportNumber.counted(after.reached, "person")) instead of "
        + "\(ReportNumber.count(before.reached)); a person counts once for each story",
      "\(ReportNumber.counted(before.refreshes, "refresh", "refreshes")) become "
        + ReportNumber.count(after.refreshes) + "; most alerts a person-day \(most(before)), then "
        + most(after),
    ]
  }

  /// A difference with its sign.
  private static func signed(_ value: Int) -> String {
    value == 0
      ? "0" : (value < 0 ? "−" : "+") + ReportNumber.count(Int(value.magnitude))
  }
}

/// What a proposal changes, and why, in an editor's words; sentences without a full stop.
public struct AdviceSentences: Sendable {
  private static let mostNames = 3

  private let proposal: Advice.Proposal

  /// Makes the sentences of a proposal.
  public init(_ proposal: Advice.Proposal) {
    self.proposal = proposal
  }

  /// What to do: `Radius 60 m to 115 m: Christ Church`.
  public var change: String {
    let change = proposal.change
    return switch change.kind {
    case .radius:
      "Radius \(radius(change.before[0])) to \(radius(change.after)): \(names(change.before))"
    case .position: "Move \(way): \(names(change.before))"
    case .merge: "Merge: \(names(change.before))"
    case .drop: "Drop: \(names(change.before))"
    case .rule: "Rule: \(change.rule.map { Self.rule($0) } ?? "")"
    }
  }

  /// What the tracks say for it.
  public var why: String {
    switch proposal.change.kind {
    case .radius, .position: circleReason
    case .merge:
      "They stand at one spot and took slots \(times(proposal.reason.monitored)) for what can be one; "
        + "as one story they leave room for others. " + losses
    case .drop:
      "No track comes within \(ReportNumber.distance(proposal.reason.farMeters ?? 0)) of "
        + "\(proposal.change.before.count == 1 ? "it, yet it took a slot" : "them, yet they took slots") "
        + "\(times(proposal.reason.monitored)), in place of stories that were passed. " + losses
    case .rule: losses
    }
  }

  private var circleReason: String {
    let (reason, change) = (proposal.reason, proposal.change)
    let isShrunk = (change.after?.radiusMeters ?? 0) < change.before[0].radiusMeters
    if isShrunk {
      return "The phone was inside already when it began to watch the circle, "
        + "\(times(reason.insideUnnoticed)); a smaller one is entered later"
    }
    let apart =
      reason.sharesSpot && proposal.effect.alerts > reason.passing
      ? "; it then alerts apart from the others at its spot" : ""
    guard reason.passing > 0, let meters = reason.passingMeters else { return rankReason + apart }
    let passing = ReportNumber.counted(reason.passing, "track")
    let isOne = reason.passing == 1
    let span = Self.span(meters)
    let reach =
      change.kind == .radius
      ? "a radius of \(radius(change.after)) reaches \(isOne ? "it" : "them")"
      : "from there the same circle reaches \(isOne ? "it" : "them")"
    return "\(passing) \(isOne ? "passes" : "pass") it at \(span), outside its circle of "
      + "\(radius(change.before[0])); \(reach)\(apart)"
  }

  /// Why a story on the way was not watched.
  private var rankReason: String {
    let tracks = ReportNumber.counted(proposal.reason.lost, "track")
    guard let rank = proposal.reason.rank, rank > 1 else {
      return
        "It was watched too late or not at all on \(tracks); this way it is met when it is watched"
    }
    return "It was watched too late or not at all on \(tracks): at best "
      + "\(ReportNumber.counted(rank - 1, "place")) were nearer; this way it is watched in time"
  }

  /// What is lost before and after: `5 entries were missed and 2 noticed late; with this it is 0 and 0`.
  private var losses: String {
    let (before, after) = (proposal.effect.before.counts, proposal.effect.after.counts)
    let missed = ReportNumber.counted(before.missed, "entry", "entries")
    return "\(missed) \(before.missed == 1 ? "was" : "were") missed and "
      + "\(ReportNumber.count(before.late)) noticed late; with this it is "
      + "\(ReportNumber.count(after.missed)) and \(ReportNumber.count(after.late))"
  }

  // MARK: Words

  /// A rule in a few words.
  static func rule(_ rule: MonitoringOptions) -> String {
    AnalysisSettings(
      monitoring: rule, alerts: .init(), zoneIdentifier: "UTC", storyCount: 0
    ).sentence
  }

  private static func span(_ meters: ClosedRange<Double>) -> String {
    let (least, greatest) = (
      ReportNumber.distance(meters.lowerBound), ReportNumber.distance(meters.upperBound)
    )
    return least == greatest ? least : "\(least) to \(greatest)"
  }

  private func times(_ count: Int) -> String { ReportNumber.counted(count, "time") }

  private func radius(_ place: Place?) -> String {
    ReportNumber.text(place?.radiusMeters ?? .nan, decimals: 2) + " m"
  }

  /// Up to three names: `A, B and 4 more`.
  private func names(_ places: [Place]) -> String {
    let names = places.map { $0.title.isEmpty ? $0.id : $0.title }
    if names.count == 1 { return names[0] }
    let more = names.count - Self.mostNames
    guard more > 0 else {
      return names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
    }
    return names.prefix(Self.mostNames).joined(separator: ", ") + " and \(more) more"
  }

  /// How far and whereto: `32 m north-east`.
  private var way: String {
    guard let after = proposal.change.after else { return "" }
    let course = Geodesic.inverse(
      from: proposal.change.before[0].coordinate, to: after.coordinate)
    let points = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    let turn = (course.startAzimuthDegrees + 360).truncatingRemainder(dividingBy: 360)
    let point = points[Int((turn / 45).rounded()) % 8]
    return "\(ReportNumber.distance(course.distanceMeters)) \(point)"
  }
}

extension MonitoringOptions {
  /// The options of a command that make this rule of another: `--refresh adaptive`.
  ///
  /// Only what advice changes: limit, significant change, ranking and refresh.
  public func arguments(insteadOf other: MonitoringOptions) -> [String] {
    var arguments: [String] = []
    if limit != other.limit { arguments += ["--limit", limit.map(String.init) ?? "none"] }
    if refresh != other.refresh { arguments += ["--refresh", refresh.rawValue] }
    guard refresh == .fixed else { return arguments }
    if significantChangeMeters != other.significantChangeMeters {
      arguments += [
        "--significant-change", ReportNumber.text(significantChangeMeters, decimals: 3),
      ]
    }
    if rank != other.rank { arguments += ["--rank", rank.rawValue] }
    return arguments
  }
}
