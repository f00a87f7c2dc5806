import FencepostFormats
package import FencepostNotifications
import FencepostTime

extension ReminderDocument {
  /// Reads a table of reminders with a header, as a spreadsheet writes it.
  ///
  /// Columns are `title`, `time`, and any of `date`, `until`, `days`, `repeat`, `kind`, `priority`
  /// and `id`; or `title` and a column of times for each weekday. A table names no zone, so the
  /// phone begins in `zone`.
  ///
  /// - Throws: ``ReminderFileError`` for the first row or column that is not understood.
  package init(
    parsingTable bytes: Span<UInt8>, zone: ClockZone = .utc
  ) throws(ReminderFileError) {
    var table = ReminderTable()
    do throws(CSVError) {
      try table.read(bytes)
    } catch {
      let sentence = error.description.split(separator: ": ", maxSplits: 1).last
      throw .table(line: error.line, sentence.map(String.init) ?? error.description)
    }
    self = try table.document()
    self.zone = zone
  }
}

/// Reads a table of reminders in two steps: its cells, and then their meaning.
///
/// The second step checks everything, since a cell that is overlooked would be a reminder that
/// never fires.
private struct ReminderTable {
  /// What each column holds: one of ``names``, a weekday, `note`, or nothing that is known.
  private var header: [String] = []
  /// The headings as they are written.
  private var headings: [String] = []
  private var rows: [Row] = []

  private typealias Row = (line: Int, cells: [String])

  /// The headings of each column, in lower case; a column of notes is ignored.
  private static let names: [String: [String]] = [
    "title": ["title", "summary", "name", "habit"], "time": ["time", "times", "at"],
    "date": ["date", "start", "day", "start date", "first day", "starts"],
    "until": ["until", "end", "ends", "end date", "last day"], "days": ["days", "weekdays"],
    "repeat": ["repeat", "repeats", "every"], "kind": ["kind", "type", "category"],
    "priority": ["priority"], "id": ["id"],
    "note": [
      "note", "notes", "comment", "comments", "remark", "remarks", "description", "details", "body",
      "text", "color", "colour", "icon", "emoji", "url", "link", "tags", "author", "created",
      "updated", "no", "no.", "nr", "nr.", "number", "#",
    ],
  ]

  /// Reads header and rows; rows without any text are left out.
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
        headings = cells
      } else if cells.contains(where: { !$0.isEmpty }) {
        rows.append((reader.line, cells))
      }
    }
  }

  /// What a heading says that its column holds; see ``header``.
  private static func column(_ heading: String) -> String {
    let word = heading.trimmed.lowercased()
    if let weekday = Weekday(word) { return weekday.name }
    return names.first { $0.value.contains(word) }?.key ?? ""
  }

  /// Refuses a column that is not read, because it could change when reminders fire.
  private func checkColumns() throws(ReminderFileError) {
    for (index, name) in header.enumerated() {
      let isFilled = rows.contains { index < $0.cells.count && !$0.cells[index].isEmpty }
      guard isFilled, name != "note" else { continue }
      let heading = headings[index]
      if heading.isEmpty { throw .table(line: 1, "column \(index + 1) has no heading") }
      if name.isEmpty {
        throw .table(
          line: 1, "the column \"\(heading)\" is not read\(Self.suggestion(for: heading))")
      }
      if Weekday(name) == nil, let first = header.firstIndex(of: name), first < index {
        throw .table(
          line: 1, "the columns \"\(headings[first])\" and \"\(heading)\" both name the \(name)")
      }
    }
    if let extra = rows.first(where: { row in
      row.cells.dropFirst(header.count).contains { !$0.isEmpty }
    }) {
      throw .table(line: extra.line, "a cell has no heading")
    }
  }

  /// The column that was probably meant, such as `Tue` for `Tues`.
  private static func suggestion(for heading: String) -> String {
    let word = heading.lowercased()
    let weekday = Weekday.allCases.first { day in
      word.count > 1 && (day.name.hasPrefix(word) || word.hasPrefix(day.name.prefix(3)))
    }
    if let weekday {
      return
        "; did you mean \(weekday.name.prefix(1).uppercased())\(weekday.name.dropFirst().prefix(2))?"
    }
    if ["zone", "time zone", "timezone", "tz"].contains(word) {
      return "; name the phone's zone with --time-zone"
    }
    let known = names.filter { $0.key != "note" }.flatMap(\.value)
    return NearWord.nearest(to: word, among: known, within: min(2, word.count / 3))
      .map { "; did you mean \($0)?" } ?? ""
  }

  /// Makes reminders of the rows, one for each schedule of a row.
  ///
  /// A reminder without an id gets one from its kind and title, with a number behind it if needed.
  func document() throws(ReminderFileError) -> ReminderDocument {
    guard header.contains("title") else { throw .table(line: 1, "no column is called title") }
    // A heading such as Mo, for Mon, also explains why no column has times.
    try checkColumns()
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
        var reminder = Reminder(
          id: id, content: NotificationContent(title: cell("title", row)), schedule: schedule)
        (reminder.firstDay, reminder.lastDay) = try days(of: schedule, row)
        document.reminders.append(reminder)
      }
    }
    return document
  }

  /// The text in a column; empty if the table or the row lacks it.
  private func cell(_ column: String, _ row: Row) -> String {
    guard let index = header.firstIndex(of: column), index < row.cells.count else { return "" }
    return row.cells[index]
  }

  /// A text in lower case with dashes between its words, as ids have it.
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

  /// The schedules of a row: one for each set of weekdays with the same times, or a single one.
  private func schedules(of row: Row) throws(ReminderFileError) -> [Reminder.Schedule] {
    var days: [[TimeOfDay]: Set<Weekday>] = [:]
    for (index, name) in header.enumerated() where index < row.cells.count {
      guard let weekday = Weekday(name), !row.cells[index].isEmpty else { continue }
      days[try times(row.cells[index], row.line), default: []].insert(weekday)
    }
    if !days.isEmpty {
      let others = zip(header, headings).enumerated().filter { index, column in
        ["time", "date", "until", "days", "repeat"].contains(column.0) && index < row.cells.count
          && !row.cells[index].isEmpty
      }.map { "\"\($0.element.1)\"" }
      guard others.isEmpty else {
        throw .table(
          line: row.line,
          "\(others.joined(separator: " and ")) cannot stand beside times in columns of weekdays")
      }
      return days.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
        .weekly($0.value, $0.key, anchor: .floating)
      }
    }
    guard !cell("time", row).isEmpty else { throw .table(line: row.line, "a time is missing") }
    return [try schedule(of: row)]
  }

  /// The first and the last day of a repetition, where the row names them.
  private func days(
    of schedule: Reminder.Schedule, _ row: Row
  ) throws(ReminderFileError) -> (first: Int?, last: Int?) {
    let until = cell("until", row)
    if case .at = schedule {
      guard until.isEmpty else {
        throw .table(line: row.line, "only a repetition has a last day, so until needs a repeat")
      }
      return (nil, nil)
    }
    let date = written(in: row).date
    let first = date.isEmpty ? nil : try day(date, row.line).daysSince1970
    let last = until.isEmpty ? nil : try day(until, row.line).daysSince1970
    if let first, let last, last < first {
      throw .table(line: row.line, "the last day \(until) is before the first, \(date)")
    }
    return (first, last)
  }

  private func day(_ text: String, _ line: Int) throws(ReminderFileError) -> CivilDate {
    guard let local = LocalTime("\(text)T00:00") else {
      throw .table(line: line, "expected a date such as 2026-03-04, not \"\(text)\"")
    }
    return local.date
  }

  /// The date and the times of a row; `2026-03-04 09:00` has both in one cell.
  private func written(in row: Row) -> (date: String, times: String) {
    let text = cell("time", row)
    guard text.utf8.count >= 16, [" ", "T"].contains(text.dropFirst(10).first) else {
      return (cell("date", row), text)
    }
    return (String(text.prefix(10)), String(text.dropFirst(11)))
  }

  private func schedule(of row: Row) throws(ReminderFileError) -> Reminder.Schedule {
    let (date, text) = written(in: row)
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
    return try schedule(every: interval, from: day(date, row.line), times, row.line)
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
