import Fencepost
import FencepostCalendars
import FencepostNotifications
import Foundation

/// A file of reminders: an iCalendar file, a table, or JSON.
enum ReminderFile {
  /// Reminders that need no period: JSON or a table.
  case document(ReminderDocument)
  case calendar(CalendarFile, path: String)

  /// Reads a file, whose form is recognized by its content; `-` is standard input.
  init(path: String) throws {
    let bytes = try ReminderFiles.contents(path)
    do {
      let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
      if CalendarFile.isCalendar(bytes) {
        self = .calendar(try CalendarFile(parsing: bytes), path: path)
      } else if first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        self = .document(try ReminderDocument(parsing: bytes.span))
      } else {
        self = .document(try ReminderDocument(parsingTable: bytes.span))
      }
    } catch {
      throw CommandFailure(.inputBad, "\(InputFile.name(path)): \(error)")
    }
  }

  /// The zone of the phone at the start; a calendar that names none is on this machine's clock.
  var zone: ClockZone {
    switch self {
    case .document(let document): document.zone
    case .calendar(let file, _):
      file.zone ?? ClockZone(identifier: TimeZone.current.identifier) ?? .utc
    }
  }

  /// The reminders, those of a calendar from one time to another in milliseconds since 1970.
  ///
  /// The window of a calendar's last days reaches a week beyond the end.
  func document(
    fromMilliseconds start: Int64, toMilliseconds end: Int64
  ) throws(CommandFailure) -> ReminderDocument {
    switch self {
    case .document(let document): return document
    case .calendar(let file, let path):
      do throws(CalendarError) {
        let reminders = try file.reminders(
          after: start, before: end + SlidingWindow().lengthMilliseconds, in: zone)
        let kinds = (try? KindRegistry([CalendarFile.eventKind, CalendarFile.taskKind])) ?? .init()
        return ReminderDocument(reminders: reminders, kinds: kinds, zone: zone)
      } catch {
        throw CommandFailure(.inputBad, "\(InputFile.name(path)): \(error)")
      }
    }
  }

  /// The reminders of a file that has them for any period.
  func documentWithoutPeriod() throws(CommandFailure) -> ReminderDocument {
    switch self {
    case .document(let document): return document
    case .calendar(_, let path):
      throw CommandFailure(
        .inputBad,
        "\(InputFile.name(path)): a calendar recurs without end, and a walk may be from "
          + "any year. Use a table or JSON here.")
    }
  }
}
