/// The identifiers of each weekday reminder's requests, so that they can be replaced and deleted together.
///
/// Change it together with the requests, inside ``NotificationScheduler/update(_:)``:
///
/// ```swift
/// try await scheduler.update { requests in
///   habits.set(habit, in: &requests, askedMilliseconds: now)
/// }
/// ```
///
/// Requests that do not fit into the phone are stored, so no part of a reminder is lost. Requests can also
/// be recognised by their identifiers, so they can be deleted even after an update that failed or an app
/// that ended before it saved this value.
public struct WeekdayReminders: Codable, Hashable, Sendable {
  private var identifiers: [String: [String]] = [:]

  /// Without reminders.
  public init() {}

  /// The identifiers of a reminder's requests; empty for an unknown reminder.
  public func identifiers(of reminderID: String) -> [String] {
    identifiers[reminderID] ?? []
  }

  /// Replaces a reminder's requests in the list of an update.
  public mutating func set(
    _ reminder: Reminder, in requests: inout [NotificationRequest], askedMilliseconds: Int64
  ) {
    delete(reminder.id, in: &requests)
    let own = reminder.requests(askedMilliseconds: askedMilliseconds)
    identifiers[reminder.id] = own.map(\.identifier)
    requests += own
  }

  /// Removes all requests of a reminder from the list of an update, also unknown ones.
  public mutating func delete(_ reminderID: String, in requests: inout [NotificationRequest]) {
    let gone = Set(identifiers.removeValue(forKey: reminderID) ?? [])
    requests.removeAll {
      gone.contains($0.identifier) || Reminder.isWeekly($0.identifier, of: reminderID)
    }
  }
}
