import Fencepost

extension BudgetSummary {
  var sentence: String {
    let limit = slots.map { "\($0) slots" } ?? "any number of slots"
    var text = "Reminders: \(limit); at most \(counted(mostRegions, "region", "regions"))"
    text += " and \(counted(mostReminders, "reminder", "reminders")) at a time"
    text += "; \(due) due, \(onTime) on time"
    if late > 0 { text += ", \(late) late" }
    if dropped > 0 { text += ", \(dropped) dropped" }
    if circlesFired > 0 { text += "; \(counted(circlesFired, "circle", "circles")) fired" }
    return text + waitingParts
  }

  private var waitingParts: String {
    let forPlaces = displacements.count { $0.by == ["places"] }
    let forReminders = displacements.count { $0.by == ["reminders"] }
    let places = displacements.count - forPlaces - forReminders
    var text = ""
    if forPlaces > 0 {
      text += "; \(counted(forPlaces, "reminder", "reminders")) waited for places"
    }
    if forReminders > 0 {
      text += "; \(counted(forReminders, "reminder", "reminders")) waited for other reminders"
    }
    if places > 0 {
      text += "; \(counted(places, "place", "places")) gave way to reminders' circles"
    }
    return text
  }
}

extension OutputBuffer {
  mutating func append(json budget: BudgetSummary) {
    appendObject {
      $0.member("slots", budget.slots)
      $0.member("plans", budget.plans)
      $0.member("mostRegions", budget.mostRegions)
      $0.member("mostReminders", budget.mostReminders)
      $0.member("due", budget.due)
      $0.member("onTime", budget.onTime)
      $0.member("late", budget.late)
      $0.member("dropped", budget.dropped)
      $0.member("circlesFired", budget.circlesFired)
      $0.array("displaced", budget.displacements) { $0.append(json: $1) }
    }
  }

  private mutating func append(json displacement: BudgetSummary.Displacement) {
    appendObject {
      switch displacement.displaced {
      case .reminder(let id): $0.member("reminder", id)
      case .place(let id): $0.member("place", id)
      }
      $0.array("by", displacement.by) { $0.append(json: $1) }
      $0.member("times", displacement.times)
      if case .reminder = displacement.displaced { $0.member("dropped", displacement.dropped) }
    }
  }
}
