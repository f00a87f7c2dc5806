/// A simulated phone as a notification centre that schedulers share.
public actor SimulatedCentre: NotificationCentre {
  /// The phone.
  public private(set) var phone: SimulatedPhone

  /// Makes a centre of a phone.
  public init(phone: SimulatedPhone) {
    self.phone = phone
  }

  /// Changes the phone itself: lets time pass, travels.
  public func change(_ body: @Sendable (inout SimulatedPhone) -> Void) {
    body(&phone)
  }

  /// Adds a request, as silently as a phone does.
  public func add(_ request: NotificationRequest) {
    phone.add(request)
  }

  /// Removes pending requests.
  public func remove(identifiers: [String]) {
    phone.remove(identifiers: identifiers)
  }

  /// What was shown after an instant: nobody wipes it away.
  public func delivered(afterMilliseconds milliseconds: Int64) -> Set<String>? {
    phone.delivered(afterMilliseconds: milliseconds)
  }

  /// The requests that are pending, of all owners.
  public func pending() -> [NotificationRequest] {
    phone.pending
  }
}
