/// On which side of an edge a phone believes to be, once it is sure.
///
/// A change of side counts when it lasted, and when enough positions in a row were on the new side. The
/// state machine is outside, perhaps inside, inside, perhaps outside.
package struct SideConfirmation {
  package let enterHoldSeconds: Double
  package let exitHoldSeconds: Double
  package let fixes: Int
  /// Whether the device is known between positions, so that a crossing counts when the hold ends.
  package let isExact: Bool
  package private(set) var isInside = false
  /// Whether positions on the other side wait for confirmation.
  package var isChanging: Bool { sinceSeconds != nil }
  private var sinceSeconds: Double?
  private var count = 0

  package init(enterHoldSeconds: Double, exitHoldSeconds: Double, fixes: Int, isExact: Bool = false)
  {
    self.enterHoldSeconds = enterHoldSeconds
    self.exitHoldSeconds = exitHoldSeconds
    self.fixes = fixes
    self.isExact = isExact
  }

  /// Forgets the region, as when it leaves the monitored set.
  package mutating func forget() {
    begin(isInside: false)
  }

  /// Begins on a side, without a crossing.
  package mutating func begin(isInside: Bool) {
    self.isInside = isInside
    sinceSeconds = nil
    count = 0
  }

  /// Takes a position.
  ///
  /// - Parameters:
  ///   - isInside: Whether it is inside of the edge that counts on the confirmed side.
  ///   - seconds: When.
  /// - Returns: The crossing that it confirms, and when that was.
  package mutating func take(
    isInside: Bool, atSeconds seconds: Double
  ) -> (side: CrossingSide, seconds: Double)? {
    guard isInside != self.isInside else {
      (sinceSeconds, count) = (nil, 0)
      return nil
    }
    let since = sinceSeconds ?? seconds
    sinceSeconds = since
    count += 1
    let hold = isInside ? enterHoldSeconds : exitHoldSeconds
    guard count >= fixes, seconds - since >= hold else { return nil }
    begin(isInside: isInside)
    return (isInside ? .enter : .exit, isExact && fixes == 1 ? since + hold : seconds)
  }
}
