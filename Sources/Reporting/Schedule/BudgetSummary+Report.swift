import Fencepost

extension BudgetSummary {
  var sentence: String {
    let limit = slots.map { "\($0) slots" } ?? "any number of slots"
    var text = "Reminders: \(limit); at most \(counted(mostRegions, "region"))"
    text += " and \(counted(mostReminders, "reminder")) at a time"
    text += "; \(due) due, \(onTime) on time"
    if late > 0 { text += ", \(late) late" }
    if dropped > 0 { text += ", \(dropped) dropped" }
    if circlesFired > 0 { text += "; \(counted(circlesFired, "circle")) fired" }
    if circlesMissed > 0 {
      let were = circlesMissed == 1 ? "was" : "were"
      text += "; \(counted(circlesMissed, "circle")) \(were) crossed unwatched"
    }
    if droppedInSecond > 0 {
      text += "; \(droppedInSecond) not shown because their second was full"
    }
    return text + waitingParts
  }

  private var waitingParts: String {
    let reminders = displacements.filter { $0.place == nil && $0.times > 0 }
    let forPlaces = reminders.count { $0.by == ["places"] }
    let places = displacements.count { $0.place != nil }
    var text = ""
    if forPlaces > 0 { text += "; \(counted(forPlaces, "reminder")) waited for places" }
    if reminders.count > forPlaces {
      let others = counted(reminders.count - forPlaces, "reminder")
      text += "; \(others) waited for others"
    }
    if places > 0 { text += "; \(counted(places, "place")) gave way to reminders' circles" }
    return text
  }

  /// What was lost and what waited, each with what displaced it.
  var displacementSentences: [String] {
    func names(_ heading: String, _ some: [Displacement]) -> [String] {
      let names = some.map { one in
        one.name + (one.by.isEmpty ? "" : " (behind \(one.by.prefix(3).joined(separator: ", ")))")
      }
      return names.isEmpty ? [] : ["\(heading): \(ReportNumber.names(names))"]
    }
    return names("Lost", displacements.filter { $0.dropped > 0 })
      + names("Waited", displacements.filter { $0.dropped == 0 && $0.place == nil })
      + names("Gave way", displacements.filter { $0.place != nil })
  }
}

extension BudgetSummary.Displacement {
  fileprivate var place: String? { if case .place(let id) = displaced { id } else { nil } }

  fileprivate var name: String {
    switch displaced {
    case .place(let id), .reminder(let id): id
    }
  }
}
