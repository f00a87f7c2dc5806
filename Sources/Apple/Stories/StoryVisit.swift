/// One story's circle: the side that the path and the phone report, and which of their entries are one visit.
///
/// Both may report an entry, at different times and in any order; the first opens the visit and the other joins it.
struct StoryVisit: Codable, Equatable, Sendable {
  /// Where an entry comes from.
  enum Source { case path, phone }

  /// The side that the phone reports.
  enum PhoneSide: String, Codable {
    /// It has not said, or does not monitor the circle.
    case unknown
    case outside
    /// It was inside when it was first asked, which is no entry.
    case foundInside
    /// It has come in.
    case inside
  }

  var isInsideByPath = false
  var phoneSide = PhoneSide.unknown
  /// Whether the path has entered in this visit.
  var hasPathEntered = false
  /// Whether the phone has reported an entry in this visit.
  var hasPhoneEntered = false
  /// When the circle was last entered or left in this visit, in milliseconds since 1970; nil before the first entry.
  var lastMilliseconds: Int64?

  /// Takes an entry.
  ///
  /// - Parameters:
  ///   - source: Where it comes from.
  ///   - milliseconds: When it was, since 1970.
  ///   - joinMilliseconds: How long after the visit's last event the other's entry may still belong to it.
  /// - Returns: Whether it opens a visit.
  mutating func enter(
    _ source: Source, atMilliseconds milliseconds: Int64, joinMilliseconds: Int64
  ) -> Bool {
    guard !isInside(source) else { return false }
    let joins =
      hasEntered(source.other) && !hasEntered(source)
      && (isInside(source.other)
        || isNear(milliseconds, withinMilliseconds: joinMilliseconds))
    switch source {
    case .path: isInsideByPath = true
    case .phone: phoneSide = .inside
    }
    // A source that is still inside from an earlier visit cannot enter again in this one.
    hasPathEntered = joins && hasPathEntered || isInsideByPath
    hasPhoneEntered = joins && hasPhoneEntered || phoneSide == .inside
    lastMilliseconds = joins ? max(lastMilliseconds ?? milliseconds, milliseconds) : milliseconds
    return !joins
  }

  /// Takes an exit.
  mutating func leave(_ source: Source, atMilliseconds milliseconds: Int64) {
    switch source {
    case .path: isInsideByPath = false
    case .phone: phoneSide = .outside
    }
    if let last = lastMilliseconds { lastMilliseconds = max(last, milliseconds) }
  }

  /// Whether nothing of it matters any more at an instant.
  func isOver(atMilliseconds milliseconds: Int64, joinMilliseconds: Int64) -> Bool {
    !isInsideByPath && phoneSide == .unknown
      && !isNear(milliseconds, withinMilliseconds: joinMilliseconds)
  }

  private func isNear(_ milliseconds: Int64, withinMilliseconds: Int64) -> Bool {
    guard let last = lastMilliseconds else { return false }
    return (milliseconds - last).magnitude <= withinMilliseconds.magnitude
  }

  private func isInside(_ source: Source) -> Bool {
    switch source {
    case .path: isInsideByPath
    case .phone: phoneSide == .inside
    }
  }

  private func hasEntered(_ source: Source) -> Bool {
    switch source {
    case .path: hasPathEntered
    case .phone: hasPhoneEntered
    }
  }
}

extension StoryVisit.Source {
  fileprivate var other: Self { self == .path ? .phone : .path }
}
