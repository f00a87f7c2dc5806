package import FencepostAnalysis
package import FencepostFormats
import FencepostMonitoring
package import FencepostNotifications
import FencepostTime

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
}

extension WhatIf {
  /// A file with one case: what a track brings now, to the story with an id or to all.
  ///
  /// `places` is the file of the stories, `rules` has the what-if's rules by the names of their
  /// options, and times of day are on the clock of `zone`.
  ///
  /// - Throws: ``TrackFailure`` if the store fails, and `CancellationError`.
  package func caseText(
    on track: RecordedTrack, of story: String?, places: String,
    rules: [(name: String, value: String)], zone: ClockZone
  ) throws -> String {
    guard let runs = try follow([track]) else { throw CancellationError() }
    let judge = CaseJudge(self, runs, [track], CaseRules(session: options, zone: zone))
    var rules = rules
    if zone != .utc, !rules.contains(where: { $0.name == "time-zone" }) {
      rules.append(("time-zone", zone.identifier))
    }
    let title = story.flatMap { stories.index(ofID: $0) }.map { "\(stories.stories[$0].name) on " }
    let expect = judge.recorded(of: story).map { "      - \($0.flowText)\n" }.joined()
    return """
      places: \(JSONValue.string(places).flowText)
      rules: \(JSONValue.members(rules.map { ($0.name, .string($0.value)) }).flowText)
      cases:
        - name: \(JSONValue.string((title ?? "") + track.name).flowText)
          track: \(JSONValue.string(track.name).flowText)
          expect:

      """ + expect
  }
}

extension CaseJudge {
  /// What happened, as expectations: to all stories, or only to the one with an id.
  fileprivate func recorded(of story: String? = nil) -> [JSONValue] {
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

extension JSONValue {
  fileprivate static func members(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { Member(key: $0.0, value: $0.1) })
  }
}
