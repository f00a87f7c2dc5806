/// The identifiers that weekday reminders have in a scheduler's list, so that they go together.
///
/// It is changed together with the list, inside ``NotificationScheduler/update(_:)``:
///
/// ```swift
/// try await scheduler.update { requests in
///   habits.set(habit, in: &requests, askedMilliseconds: now)
/// }
/// ```
///
/// What does not fit into the phone is stored by the budget; no part of a reminder is left out.
/// Identifiers tell whose they are, so that an update which failed, or an app that ended before it
/// saved this value, leaves no request behind that could not be deleted.
public struct WeekdayReminders: Codable, Equatable, Sendable {
  private var identifiers: [String: [String]] = [:]

  /// No reminder.
  public init() {}

  /// The identifiers of a reminder's requests; none where it is not known.
  public func identifiers(of reminderID: String) -> [String] {
    identifiers[reminderID] ?? []
  }

  /// Puts a reminder's requests into a list in place of those it had.
  ///
  /// - Parameters:
  ///   - reminder: The reminder.
  ///   - requests: The list of the update.
  ///   - askedMilliseconds: The present, since 1970.
  public mutating func set(
    _ reminder: Reminder, in requests: inout [NotificationRequest], askedMilliseconds: Int64
  ) {
    delete(reminder.id, in: &requests)
    let own = reminder.requests(askedMilliseconds: askedMilliseconds)
    identifiers[reminder.id] = own.map(\.identifier)
    requests += own
  }

  /// Takes all requests of a reminder out of a list, also such as it does not know by now, and
  /// forgets their identifiers.
  public mutating func delete(_ reminderID: String, in requests: inout [NotificationRequest]) {
    let gone = Set(identifiers.removeValue(forKey: reminderID) ?? [])
    requests.removeAll {
      gone.contains($0.identifier) || Reminder.isWeekly($0.identifier, of: reminderID)
    }
  }
}
