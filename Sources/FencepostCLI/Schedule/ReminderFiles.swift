import Formats
import Notifications

/// The files of reminders and of zone changes that commands read.
enum ReminderFiles {
  /// Reads a file of reminders.
  ///
  /// - Parameter path: the file's path; `-` is standard input.
  /// - Returns: the reminders with what they need to be planned.
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` with the place of the fault in the document.
  static func reminders(_ path: String) throws -> ReminderDocument {
    let bytes = try contents(of: path)
    do throws(ReminderFileError) {
      return try ReminderDocument(parsing: bytes.span)
    } catch {
      throw failure(error, in: path)
    }
  }

  /// Reads a file of zone changes.
  ///
  /// - Parameter path: the file's path; `-` is standard input.
  /// - Returns: the changes in the order of the file.
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` with the place of the fault in the document.
  static func zoneChanges(_ path: String) throws -> [ZoneChange] {
    let bytes = try contents(of: path)
    do throws(ReminderFileError) {
      return try ZoneChange.list(parsing: bytes.span)
    } catch {
      throw failure(error, in: path)
    }
  }

  private static func failure(_ error: ReminderFileError, in path: String) -> CommandFailure {
    CommandFailure(.inputBad, "\(name(path)): \(error)")
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  private static func contents(of path: String) throws -> [UInt8] {
    var source = try InflatedSource(path: path)
    var contents: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) {
      contents += chunk
      guard contents.count <= mostBytes else {
        throw CommandFailure(
          .inputBad, "\(name(path)): more than \(mostBytes / 1_048_576) MiB are no reminder file")
      }
    }
    return contents
  }

  /// A document is held in memory as a whole, many times as large as its text; tens of thousands of
  /// reminders fit into this, of which a phone holds 64.
  private static let mostBytes = 2 * 1_048_576
}
