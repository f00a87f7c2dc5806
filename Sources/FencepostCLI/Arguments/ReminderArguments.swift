import ArgumentParser
import Fencepost
import Notifications

/// Reminders that share the phone with the monitored places, as options of commands that follow a
/// path.
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

  /// Reads the file, if there is one.
  ///
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` with the place of the fault in the document.
  func load() throws -> ReminderWatch.Options? {
    guard let reminders else { return nil }
    let document = try ReminderFiles.reminders(reminders)
    var options = ReminderWatch.Options(document: document)
    options.run.totalLimit = pendingLimit.value
    options.run.policy = try reminderPolicy.policy(of: document, path: reminders)
    return options
  }
}
