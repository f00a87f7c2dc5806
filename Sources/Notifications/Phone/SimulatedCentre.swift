/// A simulated phone as a notification centre that schedulers share.
public actor SimulatedCentre: NotificationCentre {
  /// The phone.
  public private(set) var phone: SimulatedPhone

  /// Makes a centre of a phone.
  public init(phone: SimulatedPhone) {
    self.phone = phone
  }

  /// Changes the phone itself, for instance to let time pass.
  public func change(_ body: @Sendable (inout SimulatedPhone) -> Void) {
    body(&phone)
  }

  /// Adds a request, as silently as a real phone.
  public func add(_ request: NotificationRequest) {
    phone.add(request)
  }

  /// Removes pending requests.
  public func remove(identifiers: [String]) {
    phone.remove(identifiers: identifiers)
  }

  /// The identifiers of everything shown after an instant: nothing is cleared.
  public func delivered(afterMilliseconds milliseconds: Int64) -> Set<String>? {
    phone.delivered(afterMilliseconds: milliseconds)
  }

  /// The pending requests of all owners.
  public func pending() -> [NotificationRequest] {
    phone.pending
  }
}
