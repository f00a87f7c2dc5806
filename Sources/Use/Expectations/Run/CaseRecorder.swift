package import FencepostAnalysis
package import FencepostFormats
import FencepostMonitoring
package import FencepostNotifications
import FencepostTime
import FencepostPhones

extension CaseRunner {
  /// What a case without expectations brings, written as expectations.
  ///
  /// An alert must come again within half a minute. Everything recorded must be read before it is
  /// kept: it says what happens now, not what should happen.
  ///
  /// - Returns: The expectations by the path of their case.
  /// - Throws: As ``run()`` does, and for a case with a table of parameters.
  package func recorded() throws -> [String: [JSONValue]] {
    let stand = CaseStand()
    var recorded: [String: [JSONValue]] = [:]
    for story in file.cases where story.expectations.isEmpty {
      guard recorded[story.path] == nil else {
        throw JSONPathError(
          path: story.path, sentence: "a table of parameters cannot be recorded")
      }
      recorded[story.path] = try judge(story, stand).recorded()
    }
    return recorded
  }

  /// The title of the story that a recorded expectation is about, to be written beside it.
  package func title(of recorded: JSONValue) -> String? {
    guard let id = recorded.recordedStory,
      let title = base.first(where: { $0.id == id })?.title, !title.isEmpty
    else { return nil }
    return title.oneLine
  }
}

extension WhatIf {
  /// A file with one case: what a track brings now, to the story with an id or to all.
  ///
  /// `places` is the file of the stories, `rules` has the what-if's rules by the names of their
  /// options, and times of day are on the clock of `zone`. With a phone to simulate, the case holds
  /// the share of phones that alert.
  ///
  /// - Throws: ``TrackFailure`` if the store fails, and `CancellationError`.
  package func caseText(
    on track: RecordedTrack, path: String, of story: String?, places: String,
    rules: [(name: String, value: String)], zone: ClockZone, chance: ChanceOptions?
  ) throws -> String {
    guard let runs = try follow([track]) else { throw CancellationError() }
    let judge = CaseJudge(
      self, runs, [track], CaseRules(session: options, zone: zone, chance: chance))
    // Another machine may have another zone.
    let others = rules.filter { $0.name != "time-zone" }
    let rules = others + [("time-zone", zone == .utc ? "UTC" : zone.identifier)]
    let title = story.flatMap { stories.index(ofID: $0) }.map { "\(stories.stories[$0].name) on " }
    let expect = try judge.recorded(of: story).map { value in
      let title =
        value.recordedStory.flatMap { stories.index(ofID: $0) }
        .map { stories.stories[$0].title.oneLine } ?? ""
      return "      - \(value.flowText)\(title.isEmpty ? "" : "  # \(title)")\n"
    }.joined()
    return """
      places: \(JSONValue.string(places).flowText)
      rules: \(JSONValue.members(rules.map { ($0.name, .string($0.value)) }).flowText)
      cases:
        - name: \(JSONValue.string((title ?? "") + track.name).flowText)
          track: \(JSONValue.string(path).flowText)
          expect:

      """ + expect
  }
}

extension CaseJudge {
  /// What happened, as expectations: to all stories, or only to the one with an id.
  fileprivate func recorded(of story: String? = nil) throws -> [JSONValue] {
    if let chance = rules.chance { return try recorded(of: story, chance) }
    let happenings = happenings.filter { story == nil || $0.story == story }
    var list = happenings.map { one -> JSONValue in
      var members = [
        (one.suppression == nil ? "alert" : "suppressed", JSONValue.string(one.story))
      ]
      if let reason = one.suppression { members.append(("reason", .string(reason.rawValue))) }
      if let time = one.milliseconds { members.append(("between", between(time))) }
      return .members(members)
    }
    if let story {
      let alerts = happenings.contains { $0.suppression == nil }
      return alerts ? list : list + [.members([("no-alert", .string(story))])]
    }
    if tracks.count == 1 {
      list.append(
        .members([("at-most", .number(Double(alerts.count), text: "\(alerts.count)"))]))
    }
    if runs.allSatisfy({ $0.run.isCertified == true }) {
      list.append(.members([("certified", .boolean(true))]))
    }
    return list
  }

  /// The share of phones that alert, for each story that some alert for, or only for one.
  ///
  /// The bound is the lower end of the interval, which the same simulation keeps.
  private func recorded(of story: String?, _ chance: ChanceOptions) throws -> [JSONValue] {
    let walks = try shownAlerts(chance).compactMap(\.self)
    let shown = walks.reduce(into: [Int: ShownAlerts]()) { sum, walk in
      for (story, alerts) in walk { sum[story, default: ShownAlerts()] += alerts }
    }
    let indices =
      story.flatMap { stories.index(ofID: $0) }.map { [$0] }
      ?? shown.filter { !$0.value.isNever }.keys.sorted()
    return indices.map { index in
      let alerts = shown[index] ?? ShownAlerts(trials: chance.simulation.trials)
      let hundredths = Int((alerts.interval.low * 100).rounded(.down))
      let id = JSONValue.string(stories.stories[index].id)
      guard !alerts.isNever, hundredths > 0 else { return .members([("no-alert", id)]) }
      let bound = ">= 0.\(hundredths < 10 ? "0" : "")\(hundredths)"
      return .members([("alert", id), ("probability", .string(bound))])
    }
  }

  /// The half minutes before and after a time, in whole seconds.
  private func between(_ milliseconds: Int64) -> JSONValue {
    let second = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    return .array(
      [second - 30, second + 30].map { second in
        guard !spansDays,
          let time = TimeOfDay(
            secondOfDay: rules.zone.secondOfDay(atMilliseconds: second * 1000))
        else { return .string(ISO8601.string(milliseconds: second * 1000)) }
        return .string(time.description)
      })
  }
}

extension String {
  /// The text without line breaks and other control characters, as a comment needs it.
  package var oneLine: String {
    let lines = split { $0.isNewline }.joined(separator: " ")
    return String(
      String.UnicodeScalarView(
        lines.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}

extension JSONValue {
  /// The story that a recorded expectation is about, if any.
  fileprivate var recordedStory: String? {
    (self["alert"] ?? self["no-alert"] ?? self["suppressed"])?.string
  }

  fileprivate static func members(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { Member(key: $0.0, value: $0.1) })
  }
}
