import FencepostNotifications
import FencepostPhones

/// What carries over from one track of a person to the next on one simulated phone.
struct PhoneCourse {
  /// What the alert rules remember, by run; empty before the first track.
  private var memories: [AlertPolicy.State] = []
  private var alertsByDay: [Int: [UInt16]] = [:]

  /// The memory of a run, from which the run can go on.
  mutating func takeMemory(of run: Int, in runs: Int) -> AlertPolicy.State {
    if memories.count < runs {
      memories += Array(repeating: AlertPolicy.State(), count: runs - memories.count)
    }
    defer { memories[run] = AlertPolicy.State() }
    return memories[run]
  }

  mutating func keepMemory(_ memory: AlertPolicy.State, of run: Int) { memories[run] = memory }

  /// Counts the days of a track, on which there may be no alert.
  mutating func add(days: Set<Int>, runs: Int) {
    for day in days where alertsByDay[day] == nil {
      alertsByDay[day] = [UInt16](repeating: 0, count: runs)
    }
  }

  mutating func noteAlert(onDay day: Int, run: Int, in runs: Int) {
    let count = alertsByDay[day, default: [UInt16](repeating: 0, count: runs)][run]
    if count < .max { alertsByDay[day]?[run] = count + 1 }
  }

  /// The number of days, over all trials, with each number of alerts.
  func daysByAlerts(trials: Int) -> [Int: Int] {
    var days: [Int: Int] = [:]
    for counts in alertsByDay.values where !counts.isEmpty {
      for alerts in counts { days[Int(alerts), default: 0] += trials / counts.count }
    }
    return days
  }
}
