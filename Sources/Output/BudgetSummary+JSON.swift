package import Fencepost

extension OutputBuffer {
  package mutating func append(json budget: BudgetSummary) {
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
      $0.member("circlesMissed", budget.circlesMissed)
      $0.member("droppedInSecond", budget.droppedInSecond)
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
