import FencepostAnalysis
package import FencepostFormats
import FencepostNotifications
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
    let stand = CaseStand(PlaceChanges())
    var recorded: [String: [JSONValue]] = [:]
    for story in file.cases where story.expectations.isEmpty {
      guard recorded[story.path] == nil else {
        throw JSONPathError(
          path: story.path, sentence: "a table of parameters cannot be recorded")
      }
      recorded[story.path] = try judge(story, stand).recorded
    }
    return recorded
  }
}

extension CaseJudge {
  fileprivate var recorded: [JSONValue] {
    var list = happenings.map { one -> JSONValue in
      var members = [
        (one.suppression == nil ? "alert" : "suppressed", JSONValue.string(one.story))
      ]
      if let reason = one.suppression { members.append(("reason", .string(reason.rawValue))) }
      if let time = one.milliseconds { members.append(("between", between(time))) }
      return .members(members)
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
