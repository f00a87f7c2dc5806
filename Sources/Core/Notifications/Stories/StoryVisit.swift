/// Joins the entries that the path and the phone report for one circle into visits.
///
/// Both may report the same entry, at different times and in any order. The first report opens the
/// visit; the other joins it.
package struct StoryVisit: Codable, Equatable, Sendable {
  enum Source { case path, phone }

  enum PhoneSide: String, Codable {
    /// The phone has not reported a side, or does not monitor the circle.
    case unknown
    case outside
    /// The phone was inside when first asked, which is not an entry.
    case foundInside
    case inside
  }

  var isInsideByPath = false
  var phoneSide = PhoneSide.unknown
  var hasPathEntered = false
  var hasPhoneEntered = false
  /// The visit's last entry or exit in milliseconds since 1970; nil before the first entry.
  var lastMilliseconds: Int64?

  /// Records an entry and returns whether it opens a visit.
  ///
  /// It joins the other source's visit while that source is inside, or if it comes within
  /// `joinMilliseconds` of the visit's last event.
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
    // A source still inside from an earlier visit cannot enter again in this one.
    hasPathEntered = joins && hasPathEntered || isInsideByPath
    hasPhoneEntered = joins && hasPhoneEntered || phoneSide == .inside
    lastMilliseconds = joins ? max(lastMilliseconds ?? milliseconds, milliseconds) : milliseconds
    return !joins
  }

  mutating func leave(_ source: Source, atMilliseconds milliseconds: Int64) {
    switch source {
    case .path: isInsideByPath = false
    case .phone: phoneSide = .outside
    }
    if let last = lastMilliseconds { lastMilliseconds = max(last, milliseconds) }
  }

  /// Returns whether the visit can be forgotten.
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
