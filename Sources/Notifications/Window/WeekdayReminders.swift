/// The identifiers that weekday reminders have in a scheduler's list, so that they go together.
///
/// To be used inside ``NotificationScheduler/update(_:)``: what does not fit into the phone is
/// stored by the budget; no part of a reminder is left out.
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

  /// Takes all requests of a reminder out of a list and forgets their identifiers.
  public mutating func delete(_ reminderID: String, in requests: inout [NotificationRequest]) {
    guard let own = identifiers.removeValue(forKey: reminderID) else { return }
    let gone = Set(own)
    requests.removeAll { gone.contains($0.identifier) }
  }
}
