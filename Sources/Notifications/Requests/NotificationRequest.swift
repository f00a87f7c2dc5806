/// A notification and what makes it fire, with the identifier by which it is replaced and removed.
public struct NotificationRequest: Hashable, Codable, Sendable {
  /// The identifier, whose prefix names the kind; a request replaces a pending one with the same
  /// identifier.
  public var identifier: String
  /// What is shown.
  public var content: NotificationContent
  /// What makes it fire.
  public var trigger: NotificationTrigger
  /// When it was asked for, in milliseconds since 1970; nil for now.
  ///
  /// Intervals count from here, and a single trigger fires at its first match after this, so a request
  /// that waited in the store still fires when it was meant to.
  public var askedMilliseconds: Int64?
  /// By how many seconds ``SecondStagger`` moved it; nil for none.
  ///
  /// A budget ranks it by the second that it had before.
  public internal(set) var movedSeconds: Int64?

  /// Makes a request of its parts.
  public init(
    identifier: String, content: NotificationContent, trigger: NotificationTrigger,
    askedMilliseconds: Int64? = nil
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    self.askedMilliseconds = askedMilliseconds
  }

  /// The same notification once more at a later instant, of the same kind and under an identifier of its
  /// own; snoozing it again replaces the snooze.
  ///
  /// - Parameter milliseconds: When, since 1970; rounded up to a whole second.
  /// - Returns: A request that fires once.
  public func snoozed(untilMilliseconds milliseconds: Int64) -> NotificationRequest {
    let suffix = "~snoozed"
    let name = identifier.hasSuffix(suffix) ? identifier : identifier + suffix
    return NotificationRequest(
      identifier: name, content: content, trigger: .at(milliseconds: milliseconds))
  }

  /// Whether a phone that holds the other need not be given this one.
  func isSame(as other: NotificationRequest) -> Bool {
    identifier == other.identifier && trigger == other.trigger && content == other.content
  }
}
