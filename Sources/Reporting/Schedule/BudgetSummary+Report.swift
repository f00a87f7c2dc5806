import Fencepost

extension BudgetSummary {
  /// The summary in a sentence for people.
  var sentence: String {
    let limit = slots.map { "\($0) slots" } ?? "any number of slots"
    var text = "Reminders: \(limit); at most \(TextNumber.count(mostRegions, "region", "regions"))"
    text += " and \(TextNumber.count(mostReminders, "reminder", "reminders")) at a time"
    text += "; \(due) due, \(onTime) on time"
    if late > 0 { text += ", \(late) late" }
    if dropped > 0 { text += ", \(dropped) dropped" }
    if circlesFired > 0 { text += "; \(TextNumber.count(circlesFired, "circle", "circles")) fired" }
    return text + waitingParts
  }

  private var waitingParts: String {
    let forPlaces = displacements.count { $0.by == ["places"] }
    let forReminders = displacements.count { $0.by == ["reminders"] }
    let places = displacements.count - forPlaces - forReminders
    var text = ""
    if forPlaces > 0 {
      text += "; \(TextNumber.count(forPlaces, "reminder", "reminders")) waited for places"
    }
    if forReminders > 0 {
      text += "; \(TextNumber.count(forReminders, "reminder", "reminders")) for other reminders"
    }
    if places > 0 {
      text += "; \(TextNumber.count(places, "place", "places")) gave way to reminders' circles"
    }
    return text
  }
}

extension ByteBuffer {
  /// Appends the summary as a JSON object.
  mutating func append(json budget: BudgetSummary) {
    append("{\"slots\":")
    if let slots = budget.slots { append(decimal: slots) } else { append("null") }
    append(",\"plans\":")
    append(decimal: budget.plans)
    append(",\"mostRegions\":")
    append(decimal: budget.mostRegions)
    append(",\"mostReminders\":")
    append(decimal: budget.mostReminders)
    append(",\"due\":")
    append(decimal: budget.due)
    append(",\"onTime\":")
    append(decimal: budget.onTime)
    append(",\"late\":")
    append(decimal: budget.late)
    append(",\"dropped\":")
    append(decimal: budget.dropped)
    append(",\"circlesFired\":")
    append(decimal: budget.circlesFired)
    append(",\"displaced\":[")
    for (index, displacement) in budget.displacements.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(json: displacement)
    }
    append("]}")
  }

  private mutating func append(json displacement: BudgetSummary.Displacement) {
    switch displacement.displaced {
    case .reminder(let id):
      append("{\"reminder\":")
      append(json: id)
    case .place(let id):
      append("{\"place\":")
      append(json: id)
    }
    append(",\"by\":[")
    for (index, name) in displacement.by.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(json: name)
    }
    append("],\"times\":")
    append(decimal: displacement.times)
    if case .reminder = displacement.displaced {
      append(",\"dropped\":")
      append(decimal: displacement.dropped)
    }
    append("}")
  }
}
