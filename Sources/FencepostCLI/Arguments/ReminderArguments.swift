import FencepostFiles
import ArgumentParser
import Fencepost
import FencepostFormats
import FencepostNotifications

/// Reminders that share the phone with the monitored places, as options.
struct ReminderArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Reminders that share the phone's slots with the monitored places.",
      discussion: """
        The file is JSON as Data/schemas/reminders.schema.json describes it. A circle that fires is \
        an event of the kind ‘reminder’. The summary says what was delivered by the track's clock, \
        and who had to wait for whom.
        """,
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var reminders: String?

  @Option(
    help: ArgumentHelp(
      "How many requests may be pending in all, monitored places included; ‘none’ for any number.",
      valueName: "N"))
  var pendingLimit: OrNone<Int> = .some(64)

  @Option(
    help: ArgumentHelp("Which reminders go first when there are more than slots."))
  var reminderPolicy = PolicyArgument.fireDate

  func validate() throws {
    if let limit = pendingLimit.value, limit < 1 {
      throw ValidationError("--pending-limit is 1 or more, or ‘none’.")
    }
  }

  /// Reads the file, if given.
  ///
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` with the position of the fault.
  func load() throws -> ReminderWatch.Options? {
    guard let reminders else { return nil }
    let document = try ReminderFiles.reminders(reminders)
    var options = ReminderWatch.Options(document: document)
    options.run.totalLimit = pendingLimit.value
    options.run.policy = try reminderPolicy.policy(of: document, path: reminders)
    return options
  }
}

/// Reads files of reminders and of zone changes.
enum ReminderFiles {
  /// Reads a file of reminders.
  ///
  /// - Parameter path: The file's path; `-` is standard input.
  /// - Returns: The document.
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` with the position of the fault.
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
  /// - Parameter path: The file's path; `-` is standard input.
  /// - Returns: The changes in file order.
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` with the position of the fault.
  static func zoneChanges(_ path: String) throws -> [ZoneChange] {
    let bytes = try contents(of: path)
    do throws(ReminderFileError) {
      return try ZoneChange.list(parsing: bytes.span)
    } catch {
      throw failure(error, in: path)
    }
  }

  private static func failure(_ error: ReminderFileError, in path: String) -> CommandFailure {
    CommandFailure(.inputBad, "\(SmallFile.name(path)): \(error)")
  }

  private static func contents(of path: String) throws -> [UInt8] {
    try SmallFile.contents(
      of: try InflatedSource(path: path), path, mostBytes: mostBytes, kind: "reminder file")
  }

  /// The largest file.
  ///
  /// A document takes many times its size in memory. This holds tens of thousands of reminders; a phone
  /// holds 64.
  private static let mostBytes = 2 * 1_048_576
}
