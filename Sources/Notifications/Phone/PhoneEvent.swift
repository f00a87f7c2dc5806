/// Something that happened inside the simulated phone, which a real one does not report.
public struct PhoneEvent: Hashable, Sendable {
  /// What happened.
  public enum Happening: Hashable, Sendable {
    /// A request was added.
    case added
    /// A request replaced one with the same identifier.
    case replaced
    /// A request that never fires was not retained.
    case notRetainedDead
    /// A circle was not retained, because too many are monitored.
    case notRetainedRegion
    /// A request was dropped to make room for another.
    case droppedOnOverflow(by: String)
    /// A request was removed by its owner.
    case removed
    /// A request was lost when the phone was replaced.
    case forgotten
    /// A request was shown.
    case delivered(PhoneDelivery)
    /// A request fired and was not shown, because too many fired in that second.
    case droppedInSecond(fireMilliseconds: Int64)
    /// A request will not fire, because a zone change set the clock past its time.
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
public struct PhoneDelivery: Hashable, Sendable {
  /// The request's identifier.
  public let identifier: String
  /// When the request fired, in milliseconds since 1970.
  public let fireMilliseconds: Int64
  /// When it was shown, possibly later to save power.
  public let shownMilliseconds: Int64
}
