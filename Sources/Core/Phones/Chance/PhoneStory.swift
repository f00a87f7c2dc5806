package import FencepostGeodesy

/// Whether stories alert when the phone enters their circles or when it leaves them.
package enum CrossingSide: String, CaseIterable, Equatable, Sendable {
  case enter
  case exit
}

/// A story as a simulated phone meets it on one track.
///
/// The entries belong to the track, the rest to the story.
package struct PhoneStory: Equatable, Sendable {
  /// Identifies the story in the random numbers; see ``subjectKey(_:)``.
  package var key: UInt64
  /// The center of the circle.
  package var coordinate: Coordinate
  /// The radius of the circle in meters, before a phone's own limits change it.
  package var radiusMeters: Double
  /// The entries in order of time; nil takes those of the path itself, all of them due.
  package var entries: [PhoneEntry]?

  /// Creates a story; without entries it takes those of the path.
  package init(
    key: UInt64, coordinate: Coordinate, radiusMeters: Double, entries: [PhoneEntry]? = nil
  ) {
    self.key = key
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
    self.entries = entries
  }
}

/// An entry (or the exit, if exits alert) that the ideal phone sees on the track.
///
/// Each trial decides whether an alert of the simulated phone belongs to it, or why none does.
package struct PhoneEntry: Equatable, Sendable {
  /// When the path crosses the edge, on the clock of the path.
  package var seconds: Double
  /// When the path has left the circle; the same as `seconds` if exits alert.
  package var endSeconds: Double
  /// Whether the ideal phone alerts here, with every place watched and the same alert rules.
  package var isDue: Bool

  /// Creates an entry; an end before the entry becomes the time of the entry.
  package init(seconds: Double, endSeconds: Double, isDue: Bool) {
    self.seconds = seconds
    self.endSeconds = max(seconds, endSeconds)
    self.isDue = isDue
  }
}

/// A crossing that a simulated phone confirmed in one trial.
///
/// It becomes an alert unless the app is never told of it or the alert rules hold it back.
package struct PhoneAttempt: Equatable, Sendable {
  /// The index of the story among those simulated.
  package let story: Int
  /// When the phone was sure of the crossing, on the clock of the path.
  package let confirmedSeconds: Double
  /// When the app is told of it; nil if it never is.
  package let seconds: Double?
  /// The distance from the true edge at that time, in meters; positive outside.
  package let fromEdgeMeters: Double
  /// Whether the alert rules let the reader see it; false if the app is never told.
  package var isShown: Bool
}

extension PhoneEntry {
  /// How long before the crossing and after the exit an alert still belongs to an entry.
  static let marginSeconds = 900.0

  func mayOwn(_ seconds: Double) -> Bool {
    seconds >= self.seconds - Self.marginSeconds && seconds <= endSeconds + Self.marginSeconds
  }
}

extension [PhoneEntry] {
  /// The entry that an alert belongs to: the nearest that may own it and has none yet.
  func owner(of seconds: Double, taken: [Int]) -> Int? {
    indices.filter { self[$0].mayOwn(seconds) && !taken.contains($0) }
      .min { abs(self[$0].seconds - seconds) < abs(self[$1].seconds - seconds) }
  }
}
