import FencepostSession
import FencepostFormats
import FencepostNotifications

/// Files of reminders and of zone changes, and a week of what they ask for on a simulated phone.
enum ReminderTarget {
  /// It is 2026-03-04T17:00:00Z.
  private static let startMilliseconds: Int64 = 1_772_643_600_000
  /// Each is a timer of its own; more of them only take longer.
  private static let mostReminders = 12

  static func check(_ bytes: [UInt8]) throws(Finding) {
    try checkChanges(bytes)
    let document: ReminderDocument
    do throws(ReminderFileError) {
      document = try ReminderDocument(parsing: bytes.span)
    } catch {
      try check(error, of: bytes)
      return
    }
    let ids = document.reminders.map(\.id)
    try demand(Set(ids).count == ids.count, "an id is there twice")
    try demand(!ids.contains(""), "an id is empty")
    if ids.count <= mostReminders { try simulate(document) }
  }

  private static func checkChanges(_ bytes: [UInt8]) throws(Finding) {
    do throws(ReminderFileError) {
      _ = try ZoneChange.list(parsing: bytes.span)
    } catch {
      try check(error, of: bytes)
    }
  }

  private static func check(_ error: ReminderFileError, of bytes: [UInt8]) throws(Finding) {
    switch error {
    case .syntax(let error):
      try FixRules.check(line: error.line, byteOffset: error.byteOffset, of: bytes)
    case .document(let error):
      try demand(!error.sentence.isEmpty, "an error says nothing")
    case .table(let line, let sentence):
      try FixRules.check(line: line, byteOffset: nil, of: bytes)
      try demand(!sentence.isEmpty, "an error says nothing")
    }
  }

  private static func simulate(_ document: ReminderDocument) throws(Finding) {
    let end = startMilliseconds + 8 * 86_400_000
    var options = ScheduleSimulationOptions(
      fromMilliseconds: startMilliseconds, toMilliseconds: end)
    options.adaptsPriorities = document.reminders.count % 2 == 0
    let budgets = document.reminders.map { reminder in
      reminder.occurrences(
        after: startMilliseconds, before: end, in: document.zone,
        askedMilliseconds: startMilliseconds
      ).count
    }
    // A timer of a minute is due 11,520 times in the period.
    guard budgets.reduce(0, +) < 2000 else { return }
    for result in ScheduleSimulation(document: document, options: options).run() {
      let total = result.total
      try demand(
        total.due == total.onTime + total.late + total.dropped,
        "\(result.strategy): what was due is not what was shown and dropped")
      try demand(
        total.due == result.occurrences.count, "\(result.strategy): occurrences are lost")
      try demand(
        result.reminders.count == document.reminders.count,
        "\(result.strategy): reminders are lost")
    }
  }
}
