import FencepostFormats
import FencepostNotifications
import FencepostTime

extension ReminderDocument {
  /// Reads a table of reminders with a header, as a spreadsheet writes it.
  ///
  /// Columns are `title`, `time`, and any of `date`, `days`, `repeat`, `kind`, `priority` and `id`;
  /// or `title` and a column of times for each weekday.
  package init(parsingTable bytes: Span<UInt8>) throws(ReminderFileError) {
    var table = ReminderTable()
    do throws(CSVError) {
      try table.read(bytes)
    } catch {
      let sentence = error.description.split(separator: ": ", maxSplits: 1).last
      throw .table(line: error.line, sentence.map(String.init) ?? error.description)
    }
    self = try table.document()
  }
}

private struct ReminderTable {
  private var header: [String] = []
  private var rows: [Row] = []

  private typealias Row = (line: Int, cells: [String])

  private static let names: [String: [String]] = [
    "title": ["title", "summary", "name", "habit"], "time": ["time", "times", "at"],
    "date": ["date", "start", "day"], "days": ["days", "weekdays"],
    "repeat": ["repeat", "repeats", "every"], "kind": ["kind", "type", "category"],
    "priority": ["priority"], "id": ["id"],
  ]

  mutating func read(_ bytes: Span<UInt8>) throws(CSVError) {
    var head: CSVHead? = CSVHead()
    func namesColumns(_ reader: borrowing CSVReader) -> Bool {
      (0..<reader.fieldCount).contains { Self.column(reader.string($0)) == "title" }
    }
    var reader = CSVReader()
    _ = reader.push(bytes, after: &head, namesColumns: namesColumns)
    reader.finish(after: &head, namesColumns: namesColumns)
    while try reader.next() {
      let cells = (0..<reader.fieldCount).map { reader.string($0).trimmed }
      if header.isEmpty {
        header = cells.map(Self.column)
      } else if cells.contains(where: { !$0.isEmpty }) {
        rows.append((reader.line, cells))
      }
    }
  }

  /// The column that a heading names: one of ``names``, a weekday, or nothing.
  private static func column(_ heading: String) -> String {
    let word = heading.trimmed.lowercased()
    if let weekday = Weekday(word) { return weekday.name }
    return names.first { $0.value.contains(word) }?.key ?? ""
  }

  func document() throws(ReminderFileError) -> ReminderDocument {
    guard header.contains("title") else { throw .table(line: 1, "no column is called title") }
    let isGrid = header.contains { Weekday($0) != nil }
    guard isGrid || header.contains("time") else {
      throw .table(line: 1, "no column is called time, and none is a weekday")
    }
    var document = ReminderDocument(reminders: [])
    var ids: Set<String> = []
    for row in rows {
      let kind = try kind(of: row, in: &document)
      for (number, schedule) in try schedules(of: row).enumerated() {
        let written = cell("id", row)
        var id = kind.prefix + (written.isEmpty ? Self.slug(cell("title", row)) : written)
        if number > 0 { id += "-\(number + 1)" }
        let name = id
        // Titles may repeat; an id that was written may not.
        var suffix = 2
        while written.isEmpty, ids.contains(id) {
          id = "\(name)-\(suffix)"
          suffix += 1
        }
        guard ids.insert(id).inserted else {
          throw .table(line: row.line, "an earlier row has the id \(written)")
        }
        document.reminders.append(
          Reminder(
            id: id, content: NotificationContent(title: cell("title", row)), schedule: schedule))
      }
    }
    return document
  }

  private func cell(_ column: String, _ row: Row) -> String {
    guard let index = header.firstIndex(of: column), index < row.cells.count else { return "" }
    return row.cells[index]
  }

  private static func slug(_ title: String) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "reminder" : words.joined(separator: "-")
  }

  /// The kind of a row, registered at its first use with the priority of that row, or else 0.
  private func kind(
    of row: Row, in document: inout ReminderDocument
  ) throws(ReminderFileError) -> NotificationKind {
    let name = Self.slug(cell("kind", row))
    if let known = document.kinds.kinds.first(where: { $0.name == name }) { return known }
    let text = cell("priority", row)
    guard let priority = text.isEmpty ? NotificationKind.userSetPriority : Int(text) else {
      throw .table(line: row.line, "the priority must be a number, not \"\(text)\"")
    }
    let kind = NotificationKind(name: name, prefix: name + ".", priority: priority)
    do throws(KindRegistryError) {
      try document.kinds.register(kind)
    } catch {
      throw .table(line: row.line, error.description)
    }
    return kind
  }

  // MARK: Schedules

  private func schedules(of row: Row) throws(ReminderFileError) -> [Reminder.Schedule] {
    var days: [[TimeOfDay]: Set<Weekday>] = [:]
    for (index, name) in header.enumerated() where index < row.cells.count {
      guard let weekday = Weekday(name), !row.cells[index].isEmpty else { continue }
      days[try times(row.cells[index], row.line), default: []].insert(weekday)
    }
    if !days.isEmpty {
      return days.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
        .weekly($0.value, $0.key, anchor: .floating)
      }
    }
    let text = cell("time", row)
    guard !text.isEmpty else { throw .table(line: row.line, "a time is missing") }
    return [try schedule(text, row)]
  }

  private func schedule(_ text: String, _ row: Row) throws(ReminderFileError) -> Reminder.Schedule {
    var date = cell("date", row)
    var text = text
    // `2026-03-04 09:00` has the date and the time in one cell.
    if text.utf8.count >= 16, text.dropFirst(10).first == " " || text.dropFirst(10).first == "T" {
      date = String(text.prefix(10))
      text = String(text.dropFirst(11))
    }
    let times = try times(text, row.line)
    let listed = cell("days", row)
    if !listed.isEmpty { return .weekly(try weekdays(listed, row.line), times, anchor: .floating) }
    let interval = cell("repeat", row).lowercased()
    if date.isEmpty || interval == "daily" {
      guard ["", "daily"].contains(interval) else {
        throw .table(line: row.line, "repeat \"\(interval)\" needs a date")
      }
      return .weekly(Set(Weekday.allCases), times, anchor: .floating)
    }
    guard let first = times.first, let local = LocalTime("\(date)T\(first)") else {
      throw .table(line: row.line, "expected a date such as 2026-03-04, not \"\(date)\"")
    }
    return try schedule(every: interval, from: local.date, times, row.line)
  }

  private func schedule(
    every interval: String, from date: CivilDate, _ times: [TimeOfDay], _ line: Int
  ) throws(ReminderFileError) -> Reminder.Schedule {
    switch interval {
    case "", "never", "none", "once":
      return .at(times.map { LocalTime(date: date, time: $0) }, anchor: .floating)
    case "weekly":
      return .weekly([Weekday(daysSince1970: date.daysSince1970)], times, anchor: .floating)
    case "monthly", "yearly":
      guard times.count == 1 else {
        throw .table(line: line, "a \(interval) reminder must have one time")
      }
      do throws(CalendarPatternError) {
        let pattern = try CalendarPattern(
          month: interval == "yearly" ? date.month : nil, day: date.day, hour: times[0].hour,
          minute: times[0].minute, second: times[0].second)
        return .repeating(pattern, anchor: .floating)
      } catch {
        throw .table(line: line, error.description)
      }
    default:
      throw .table(
        line: line, "repeat must be daily, weekly, monthly, yearly or never, not \"\(interval)\"")
    }
  }

  /// Reads times such as `08:00`, or several with spaces, commas or semicolons in between.
  private func times(_ text: String, _ line: Int) throws(ReminderFileError) -> [TimeOfDay] {
    var times: Set<TimeOfDay> = []
    for word in text.split(whereSeparator: { " ,;/".contains($0) }) {
      // A spreadsheet writes 8:00.
      guard let time = TimeOfDay(String(word)) ?? TimeOfDay("0\(word)") else {
        throw .table(line: line, "expected a time such as 08:30, not \"\(word)\"")
      }
      times.insert(time)
    }
    guard !times.isEmpty else { throw .table(line: line, "a time is missing") }
    return times.sorted()
  }

  private func weekdays(_ text: String, _ line: Int) throws(ReminderFileError) -> Set<Weekday> {
    let weekend: Set<Weekday> = [.saturday, .sunday]
    var days: Set<Weekday> = []
    for word in text.split(whereSeparator: { " ,;/".contains($0) }) {
      switch word.lowercased() {
      case "daily", "all": days.formUnion(Weekday.allCases)
      case "weekdays", "workdays": days.formUnion(Set(Weekday.allCases).subtracting(weekend))
      case "weekend", "weekends": days.formUnion(weekend)
      default:
        guard let weekday = Weekday(String(word)) else {
          throw .table(line: line, "expected weekdays such as mon or weekdays, not \"\(word)\"")
        }
        days.insert(weekday)
      }
    }
    return days
  }
}
