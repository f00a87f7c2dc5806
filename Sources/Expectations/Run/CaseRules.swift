package import Fencepost
package import FencepostAnalysis
package import FencepostNotifications
package import FencepostTracks

/// The rules of a case, as commands read them from options.
package struct CaseRules: Sendable {
  package var session: TrackSession.Options
  /// How to decode files into fixes.
  package var fixes: FixStream.Options
  /// The zone of times of day and days.
  package var zone: ClockZone
  /// The phones to simulate; nil without a profile.
  package var chance: ChanceOptions?
  /// The reminders beside the stories; nil without any.
  package var reminders: ReminderWatch.Options?

  package init(
    session: TrackSession.Options = .init(), fixes: FixStream.Options = .init(),
    zone: ClockZone = .utc, chance: ChanceOptions? = nil,
    reminders: ReminderWatch.Options? = nil
  ) {
    (self.session, self.fixes, self.zone, self.chance) = (session, fixes, zone, chance)
    self.reminders = reminders
    // Only `analyze` shows what a profile's uncertain values would change.
    self.chance?.measuresDoubts = false
  }

  /// The options that decide how a file becomes fixes.
  static let ofReading: Set<String> = [
    "keep-null-island", "date", "travel-speed", "date-order", "reorder",
  ]
  /// The options of simulated phones.
  static let ofChance: Set<String> = [
    "profile", "trials", "seed", "surroundings", "phone-state",
  ]
}
