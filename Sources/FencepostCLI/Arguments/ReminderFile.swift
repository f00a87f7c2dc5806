import Fencepost
import FencepostCalendars
import FencepostNotifications
import FencepostPhones
import FoundationEssentials

/// A file of reminders: an iCalendar file, a table, or JSON.
struct ReminderFile {
  private enum Contents {
    /// Reminders that need no period: JSON or a table.
    case document(ReminderDocument)
    case calendar(CalendarFile)
  }

  let path: String
  /// The same for equal contents on every machine.
  let mark: UInt64
  private let contents: Contents

  /// Reads a file, whose form is recognized by its content; `-` is standard input.
  init(path: String) throws {
    let bytes = try ReminderFiles.contents(path)
    self.path = path
    mark = subjectKey(String(decoding: bytes, as: UTF8.self))
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    if first == nil {
      throw CommandFailure(.inputBad, "\(InputFile.name(path)): the file is empty")
    }
    contents = try InputFile.located(path) {
      if CalendarFile.isCalendar(bytes) { return .calendar(try CalendarFile(parsing: bytes)) }
      let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
      return .document(
        try isJSON
          ? ReminderDocument(parsing: bytes.span) : ReminderDocument(parsingTable: bytes.span))
    }
  }

  /// The zone of the phone at the start; a calendar that names none is on this machine's clock.
  var zone: ClockZone {
    switch contents {
    case .document(let document): document.zone
    case .calendar(let file): file.zone ?? .ofMachine
    }
  }

  /// The reminders, those of a calendar from one time to another in milliseconds since 1970.
  ///
  /// The window of a calendar's last days reaches a week beyond the end.
  func document(
    fromMilliseconds start: Int64, toMilliseconds end: Int64
  ) throws -> ReminderDocument {
    switch contents {
    case .document(let document): return document
    case .calendar(let file):
      let reminders = try InputFile.located(path) {
        try file.reminders(after: start, before: end + SlidingWindow().lengthMilliseconds, in: zone)
      }
      let kinds = (try? KindRegistry([CalendarFile.eventKind, CalendarFile.taskKind])) ?? .init()
      return ReminderDocument(reminders: reminders, kinds: kinds, zone: zone)
    }
  }

  /// The reminders along a walk, which may be from any year.
  func watchOptions() throws -> ReminderWatch.Options {
    // A rule of a calendar that cannot be followed is reported now.
    let now = MomentArgument.today.start(in: zone)
    var document = try document(fromMilliseconds: now, toMilliseconds: now)
    guard case .calendar(let file) = contents else { return .init(document: document) }
    document.reminders = []
    var options = ReminderWatch.Options(document: document)
    let zone = zone
    options.calendar = { (try? file.reminders(after: $0, before: $1, in: zone)) ?? [] }
    return options
  }
}
