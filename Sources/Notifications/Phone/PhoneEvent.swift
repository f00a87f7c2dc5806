/// Something that happened inside the simulated phone, which a real one keeps to itself.
public struct PhoneEvent: Equatable, Sendable {
  /// What happened.
  public enum Happening: Equatable, Sendable {
    /// A request was taken.
    case added
    /// A request took the place of one with the same identifier.
    case replaced
    /// A request that never fires was not retained.
    case notRetainedDead
    /// A circle was not retained, because no more are watched.
    case notRetainedRegion
    /// A request was dropped to make room for the one named.
    case droppedOnOverflow(by: String)
    /// A request was removed by its owner.
    case removed
    /// A request was lost when the phone was replaced.
    case forgotten
    /// A request was shown.
    case delivered(PhoneDelivery)
    /// A request fired, and was not shown because too many fired in that second.
    case droppedInSecond(fireMilliseconds: Int64)
    /// A request will not fire any more, because the clock was set past its time.
    case passedByZoneChange
  }

  /// When, in milliseconds since 1970.
  public let timeMilliseconds: Int64
  /// The request's identifier.
  public let identifier: String
  /// What happened.
  public let happening: Happening
}

/// A notification that was shown.
public struct PhoneDelivery: Equatable, Sendable {
  /// The request's identifier.
  public let identifier: String
  /// When the request fired, in milliseconds since 1970.
  public let fireMilliseconds: Int64
  /// When it was shown: then, or later to save power.
  public let shownMilliseconds: Int64
}
